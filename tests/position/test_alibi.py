import numpy as np
import pytest
from bad_input import assert_refused, refusals

from transformer_math.attention import attention, causal_mask
from transformer_math.position import (
    alibi_attention,
    alibi_bias,
    alibi_slopes,
    alibi_span,
)

rng = np.random.default_rng(7)


def test_the_slopes_of_the_paper():
    assert np.array_equal(alibi_slopes(8), 0.5 ** np.arange(1, 9))
    assert np.allclose(alibi_slopes(16)[:3], [2**-0.5, 2**-1, 2**-1.5])


@pytest.mark.parametrize("n_heads", range(1, 40))
def test_slopes_differ_and_lie_between_the_ends(n_heads):
    slopes = alibi_slopes(n_heads)
    assert slopes.shape == (n_heads,) and len(set(slopes)) == n_heads
    assert slopes.min() >= 2.0**-8 and slopes.max() < 1


def test_without_slopes_it_is_attention():
    Q, K, V = rng.normal(size=(3, 2, 4, 5, 8))
    for mask in (None, causal_mask(5)):
        ours, plain = (
            alibi_attention(Q, K, V, np.zeros(4), mask),
            attention(Q, K, V, mask),
        )
        for one, other in zip(ours, plain):
            assert np.allclose(one, other, atol=1e-14)


def test_biases_keep_the_precision_of_the_slopes():
    assert alibi_bias(3, np.ones(2, np.float32)).dtype == np.float32


def test_twice_the_slope_is_half_the_span():
    assert np.allclose(
        alibi_span(np.array([0.2, 0.4])), [2, 1] * alibi_span(np.array([0.4]))
    )


@refusals(
    ("no head", lambda: alibi_slopes(0), ("n_heads is 0",)),
    (
        "a slope for another number of heads",
        lambda: alibi_attention(*np.ones((3, 2, 4, 4)), np.ones(3)),
        ("slopes", "(3,)"),
    ),
    ("a slope upwards", lambda: alibi_span(np.array([-0.5])), ("slopes", "above 0")),
    ("no slope", lambda: alibi_span(np.array([0.0])), ("slopes", "above 0")),
    ("a bias upwards", lambda: alibi_bias(3, np.array([-1.0])), ("slopes", "above 0")),
    ("all of the weight", lambda: alibi_span(np.ones(2), 1.0), ("share is 1.0",)),
)
def test_bad_input(call, words):
    assert_refused(call, words)
