import numpy as np
from bad_input import assert_refused, refusals

from transformer_math.position import (
    add_position,
    frequencies,
    position_similarity,
    shift_matrix,
    sinusoidal,
    sinusoidal_at,
    wavelengths,
)


def test_every_row_has_the_same_length():
    P = sinusoidal(100, 64)
    assert np.allclose((P**2).sum(axis=-1), 32, atol=1e-12)


def test_no_two_positions_are_alike():
    P = sinusoidal(2000, 64)
    distances = ((P[:, None, :4] - P[None, :, :4]) ** 2).sum(-1) + np.eye(2000)
    assert distances.min() > 0


def test_similarity_is_symmetric_and_largest_at_zero():
    offsets = np.arange(-50.0, 51.0)
    similarity = position_similarity(offsets, 64)
    assert np.allclose(similarity, similarity[::-1], atol=1e-12)
    assert similarity.argmax() == 50


def test_shifts_add_up():
    assert np.allclose(
        shift_matrix(2, 16) @ shift_matrix(3, 16), shift_matrix(5, 16), atol=1e-12
    )


def test_real_positions_lie_between_whole_ones():
    assert np.allclose(
        sinusoidal_at(np.array([3.0]), 8), sinusoidal(4, 8)[3:], atol=1e-15
    )


def test_the_first_wavelength_is_two_pi():
    assert wavelengths(512)[0] == 2 * np.pi


@refusals(
    (
        "position NaN",
        lambda: sinusoidal_at(np.array([np.nan]), 4),
        ("positions holds nan",),
    ),
    (
        "infinite position",
        lambda: sinusoidal_at(np.array([np.inf]), 4),
        ("positions holds inf",),
    ),
    ("half a token", lambda: sinusoidal(2.5, 4), ("n is 2.5",)),
    ("negative base", lambda: wavelengths(4, -1.0), ("base is -1.0",)),
    ("infinite base", lambda: frequencies(4, np.inf), ("base is inf",)),
    ("shift by NaN", lambda: shift_matrix(np.nan, 4), ("k is nan",)),
    ("half a dimension", lambda: frequencies(4.0), ("d_model is 4.0",)),
    (
        "offset as a number",
        lambda: position_similarity(1.0, 4),
        ("offset is 1.0", "np.array(offset)"),
    ),
    (
        "encoding of another width",
        lambda: add_position(np.ones((2, 4)), np.ones((2, 1))),
        ("P has shape (2, 1)", "d_model = 4"),
    ),
    ("odd d_model", lambda: sinusoidal(4, 7), ("7", "even", "use 8")),
    ("d_model zero", lambda: frequencies(0), ("0", "at least 2")),
    ("base zero", lambda: frequencies(4, 0.0), ("base is 0",)),
    ("no positions", lambda: sinusoidal(0, 4), ("n is 0",)),
    (
        "too many rows",
        lambda: add_position(np.ones((2, 4)), np.ones((3, 4))),
        ("(2, 4)", "(3, 4)"),
    ),
    (
        "one row does not spread",
        lambda: add_position(np.ones((2, 4)), np.ones((1, 4))),
        ("(1, 4)",),
    ),
)
def test_bad_input(call, words):
    assert_refused(call, words)
