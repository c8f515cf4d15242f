import numpy as np
from bad_input import assert_refused, refusals

from transformer_math.block import (
    FeedForwardParameters,
    add_norm,
    feed_forward,
    gelu,
    gelu_tanh,
    layer_norm,
    pre_norm,
)

rng = np.random.default_rng(7)
one, zero = np.ones(4), np.zeros(4)


def test_normalised_tokens_have_mean_zero_and_variance_one():
    y = layer_norm(rng.normal(3, 5, size=(6, 4)), one, zero, eps=0.0)
    assert np.allclose(y.mean(-1), 0, atol=1e-12)
    assert np.allclose(y.var(-1), 1, atol=1e-12)


def test_shift_and_scale_of_the_input_do_not_matter():
    x = rng.normal(size=(3, 4))
    assert np.allclose(
        layer_norm(2 * x + 7, one, zero, eps=0.0),
        layer_norm(x, one, zero, eps=0.0),
        atol=1e-12,
    )


def test_a_constant_token_becomes_beta():
    assert np.array_equal(
        layer_norm(np.full((1, 4), 9.0), one, np.arange(4.0)), [[0, 1, 2, 3]]
    )


def test_tokens_pass_the_feed_forward_network_one_by_one():
    p = FeedForwardParameters(
        rng.normal(size=(4, 9)),
        rng.normal(size=9),
        rng.normal(size=(9, 4)),
        rng.normal(size=4),
    )
    x = rng.normal(size=(5, 4))
    assert np.allclose(
        feed_forward(x, p),
        np.concatenate([feed_forward(x[i : i + 1], p) for i in range(5)]),
        atol=1e-12,
    )


def test_the_tanh_is_near_but_not_equal():
    x = np.linspace(-5, 5, 1001)
    assert 1e-4 < np.abs(gelu(x) - gelu_tanh(x)).max() < 1e-3


@refusals(
    (
        "gamma of another size",
        lambda: layer_norm(np.ones((2, 4)), np.ones(3), zero),
        ("gamma", "(3,)", "d_model = 4"),
    ),
    (
        "beta of another size",
        lambda: layer_norm(np.ones((2, 4)), one, np.ones(5)),
        ("beta", "(5,)"),
    ),
    (
        "negative eps",
        lambda: layer_norm(np.ones((2, 4)), one, zero, -1.0),
        ("eps is -1",),
    ),
    (
        "update of another shape",
        lambda: add_norm(np.ones((2, 4)), np.ones((1, 4)), one, zero),
        ("(2, 4)", "(1, 4)"),
    ),
    (
        "sublayer changes the size",
        lambda: pre_norm(np.ones((2, 4)), lambda x: x[:, :2], one, zero),
        ("(2, 2)",),
    ),
)
def test_bad_input(call, words):
    assert_refused(call, words)
