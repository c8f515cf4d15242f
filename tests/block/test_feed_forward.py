from dataclasses import replace
from time import perf_counter

import numpy as np
from bad_input import assert_refused, refusals

from transformer_math.block import (
    FeedForwardParameters,
    feed_forward,
    gelu,
    gelu_tanh,
    relu,
)

rng = np.random.default_rng(7)
p = FeedForwardParameters(*(rng.normal(size=s) for s in ((4, 9), 9, (9, 4), 4)))
x = rng.normal(size=(5, 4))


def test_tokens_pass_the_feed_forward_network_one_by_one():
    alone = np.stack([feed_forward(token, p) for token in x])
    assert np.allclose(feed_forward(x, p), alone, atol=1e-12)


def test_the_activation_given_is_the_one_used():
    hidden = x @ p.W_1 + p.b_1
    assert np.allclose(feed_forward(x, p, gelu), gelu(hidden) @ p.W_2 + p.b_2)
    assert np.allclose(feed_forward(x, p), relu(hidden) @ p.W_2 + p.b_2)


def test_the_tanh_is_near_but_not_equal():
    x = np.linspace(-5, 5, 1001)
    assert 1e-4 < np.abs(gelu(x) - gelu_tanh(x)).max() < 1e-3


def test_gelu_of_extremes_is_zero_or_the_number_itself():
    assert np.array_equal(gelu(np.array([-1e308, 0.0, 1e308])), [0, 0, 1e308])


def test_gelu_is_no_loop_in_python():
    many = rng.normal(size=300_000)
    start = perf_counter()
    gelu(many)
    assert perf_counter() - start < 0.5e-6 * many.size  # a loop takes over 1 µs each


@refusals(
    ("W_1 transposed", lambda: replace(p, W_1=p.W_1.T), ("b_1 has shape (9,)", "d_ff = 4")),
    ("W_2 transposed", lambda: replace(p, W_2=p.W_2.T), ("W_2 has shape (4, 9)", "W_2.T")),
    ("bias of size 1", lambda: replace(p, b_2=np.ones(1)), ("b_2 has shape (1,)", "d_model = 4")),
    ("bias as a number", lambda: replace(p, b_1=0.0), ("b_1 is 0.0", "array")),
    ("tokens of another width", lambda: feed_forward(np.ones((2, 3)), p), ("parameters.W_1", "d_model = 3")),
    ("no function", lambda: feed_forward(x, p, "relu"), ("activation is 'relu'", "a function")),
    ("a number", lambda: relu(1.0), ("x is 1.0", "np.array(x)")),
    ("half precision", lambda: gelu(x.astype(np.float16)), ("float16",)),
)  # fmt: skip
def test_bad_input(call, words):
    assert_refused(call, words)
