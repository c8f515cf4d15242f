"""What is measured by distance: where the answer is known from the way the scores were made."""

import numpy as np

from transformer_math.attention import causal_mask
from transformer_math.position import (
    alibi_attention,
    alibi_bias,
    mean_attention_distance,
    mean_by_distance,
)

rng = np.random.default_rng(7)


def test_biases_come_out_as_lines():
    slopes = np.array([0.5, 0.25])
    found = mean_by_distance(alibi_bias(9, slopes))
    np.testing.assert_allclose(found, -np.outer(slopes, np.arange(9)), atol=1e-15)


def test_what_depends_on_the_distance_alone_is_told_whole():
    """Scores are a Toeplitz matrix and noise that sums to 0 along each diagonal."""
    by_distance, n = rng.normal(size=6), 6
    S = np.tril(by_distance[np.abs(np.subtract.outer(np.arange(n), np.arange(n)))])
    noise = rng.normal(size=(n, n))
    for d in range(n):
        at = np.arange(d, n), np.arange(n - d)
        noise[at] -= noise[at].mean()
    np.testing.assert_allclose(mean_by_distance((S + noise)[None])[0], by_distance)


def test_the_first_token_alone_is_half_the_text_away():
    A = np.zeros((1, 11, 11))
    A[..., 0] = 1
    assert mean_attention_distance(A) == 5


def test_a_steeper_slope_looks_less_far():
    zeros = np.zeros((3, 40, 2))
    slopes = np.array([1.0, 0.25, 0.0625])
    _, A = alibi_attention(zeros, zeros, zeros, slopes, causal_mask(40))
    assert (np.diff(mean_attention_distance(A)) > 0.5).all()
