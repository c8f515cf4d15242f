import numpy as np
from bad_input import assert_refused, refusals

from transformer_math.block import (
    NormParameters,
    add_norm,
    layer_norm,
    pre_norm,
    residual,
    rms_norm,
)

rng = np.random.default_rng(7)
one, zero, x = np.ones(4), np.zeros(4), rng.normal(size=(2, 4))
plain = NormParameters(one, zero)


def norm(vector):
    return NormParameters(vector, vector)


def test_normalised_tokens_have_mean_zero_and_variance_one():
    y = layer_norm(rng.normal(3, 5, size=(6, 4)), plain, eps=0.0)
    assert np.allclose(y.mean(-1), 0, atol=1e-12)
    assert np.allclose(y.var(-1), 1, atol=1e-12)


def test_shift_and_scale_of_the_input_do_not_matter():
    assert np.allclose(
        layer_norm(2 * x + 7, plain, eps=0.0),
        layer_norm(x, plain, eps=0.0),
        atol=1e-12,
    )


def test_a_constant_token_becomes_beta():
    assert np.array_equal(
        layer_norm(np.full((1, 4), 9.0), NormParameters(one, np.arange(4.0))),
        [[0, 1, 2, 3]],
    )


def test_a_sublayer_that_finds_nothing_changes_nothing_before_the_norm():
    assert np.array_equal(pre_norm(x, lambda y: 0 * y, plain), x)
    assert np.array_equal(add_norm(x, 0 * x, plain), layer_norm(x, plain))


@refusals(
    ("gamma of another size", lambda: layer_norm(x, norm(np.ones(3))), ("gamma has shape (3,)", "d_model = 4")),
    ("gamma of size 1", lambda: layer_norm(x, norm(np.ones(1))), ("gamma has shape (1,)", "d_model = 4")),
    ("gamma as a matrix", lambda: layer_norm(x, norm(np.ones((2, 4)))), ("gamma has shape (2, 4)", "1 axis")),
    ("gamma as a number", lambda: layer_norm(x, norm(1.0)), ("gamma is 1.0", "array")),
    ("beta of another size", lambda: NormParameters(one, np.ones(5)), ("beta has shape (5,)",)),
    ("beta that is NaN", lambda: NormParameters(one, zero * np.nan), ("beta holds nan",)),
    ("a token with NaN", lambda: layer_norm(x * np.nan, plain), ("x holds nan at index (0, 0)",)),
    ("negative eps", lambda: layer_norm(x, plain, -1.0), ("eps is -1.0", "at least 0")),
    ("eps that is NaN", lambda: layer_norm(x, plain, np.nan), ("eps is nan",)),
    ("update of one row", lambda: add_norm(x, np.ones((1, 4)), plain), ("update has shape (1, 4)", "(2,)")),
    ("update of another width", lambda: residual(x, np.ones((2, 1))), ("update has shape (2, 1)", "d_model = 4")),
    ("sublayer changes the size", lambda: pre_norm(x, lambda y: y[:, :2], plain), ("sublayer(…) has shape (2, 2)",)),
    ("sublayer gives a list", lambda: pre_norm(x, lambda y: y.tolist(), plain), ("sublayer(…) is a list",)),
    ("sublayer is no function", lambda: pre_norm(x, x, plain), ("sublayer is an array", "a function")),
)  # fmt: skip
def test_bad_input(call, words):
    assert_refused(call, words)


def test_without_a_word_eps_is_a_hundred_thousandth():
    """Where the tokens hardly differ it decides."""
    x = np.array([[1.0, 1.001, 1.003]])
    parameters = NormParameters(np.ones(3), np.zeros(3))
    np.testing.assert_array_equal(
        layer_norm(x, parameters), layer_norm(x, parameters, eps=1e-5)
    )
    small = 1e-3 * x
    np.testing.assert_array_equal(
        rms_norm(small, np.ones(3)), rms_norm(small, np.ones(3), eps=1e-5)
    )
