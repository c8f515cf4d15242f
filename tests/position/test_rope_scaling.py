import numpy as np
from bad_input import assert_refused, refusals

from transformer_math.position import (
    frequencies,
    interpolated_frequencies,
    ntk_base,
    yarn_frequencies,
    yarn_scale,
)


def test_a_factor_of_one_changes_nothing():
    omega = frequencies(64)
    assert np.array_equal(interpolated_frequencies(64, 1.0), omega)
    assert np.allclose(frequencies(64, ntk_base(64, 1.0)), omega, atol=1e-15)
    assert np.allclose(yarn_frequencies(64, 1.0, 2048), omega, atol=1e-15)
    assert yarn_scale(1.0) == 1


def test_the_base_meets_interpolation_in_the_slowest_plane_alone():
    stretched = frequencies(64, ntk_base(64, 8.0))
    interpolated = interpolated_frequencies(64, 8.0)
    assert stretched[0] == 1
    assert np.isclose(stretched[-1], interpolated[-1], rtol=1e-12)
    assert (stretched[:-1] > interpolated[:-1]).all()


def test_the_largest_factor_has_a_base():
    assert 1e307 < ntk_base(4, 1e153, 50.0) < np.inf


def test_yarn_lies_between_both():
    omega, yarn = frequencies(128), yarn_frequencies(128, 4.0, 2048)
    turns = 2048 * omega / (2 * np.pi)
    assert np.array_equal(yarn[turns >= 32], omega[turns >= 32])
    assert np.array_equal(yarn[turns <= 1], omega[turns <= 1] / 4)
    assert (yarn <= omega).all() and (yarn >= omega / 4).all()


@refusals(
    ("shorter", lambda: yarn_scale(0.5), ("factor is 0.5", "at least 1")),
    ("one plane", lambda: ntk_base(2, 2.0), ("d_k is 2", "at least 4")),
    (
        "a factor without end",
        lambda: ntk_base(4, 1e308),
        ("factor is 1e+308", "beyond"),
    ),
    ("a base without end", lambda: ntk_base(4, 2.0, 1e308), ("base 1e+308", "beyond")),
    (
        "no ramp",
        lambda: yarn_frequencies(8, 2.0, 100, 100.0, 3.0, 3.0),
        ("slow is 3.0", "fast 3.0"),
    ),
    ("odd", lambda: interpolated_frequencies(5, 2.0), ("5", "even")),
)
def test_bad_input(call, words):
    assert_refused(call, words)
