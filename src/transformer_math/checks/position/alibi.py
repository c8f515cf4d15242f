"""Checks of linear biases, against the rule of the released code, PyTorch's attention with a bias, and sums of weights."""

import math

import numpy as np
import torch

from transformer_math.attention.scaled_dot_product import scores
from transformer_math.attention.softmax import softmax
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import (
    batch,
    longest,
    mask_for_heads,
    or_edge,
    random_mask,
    size,
    sometimes,
)
from transformer_math.position.alibi import (
    alibi_attention,
    alibi_bias,
    alibi_slopes,
    alibi_span,
)


def slopes_by_doubling(n_heads):
    """Python floats: a row for a power of two; for others that row, and every other slope of a row of twice as many heads."""
    p = 1
    while 2 * p <= n_heads:
        p *= 2
    row = [math.pow(2, -8 * (h + 1) / p) for h in range(p)]
    finer = [math.pow(2, -8 * (h + 1) / (2 * p)) for h in range(2 * p)]
    return row + finer[0::2][: n_heads - p]


@check(
    alibi_slopes,
    equation="eq-alibi-slopes",
    oracle="Python's pow, head by head, and every other slope of a row of twice as many heads",
)
def slopes_equal_doubling(alibi_slopes, rng):
    n_heads = size(rng) * int(rng.integers(1, 4))
    n_heads = n_heads if rng.random() < 0.7 else 2 ** int(rng.integers(6))
    return difference(alibi_slopes(n_heads), slopes_by_doubling(n_heads))


@slopes_equal_doubling.rejects(
    "Your first head has slope 1: heads are counted from 0 here, so the exponent is −8(h + 1)/H."
)
def begins_at_one(n_heads):
    return alibi_slopes(n_heads) * 2.0 ** (8 / (1 << (n_heads.bit_length() - 1)))


@slopes_equal_doubling.rejects(
    "You use one row for any number of heads. That is the paper's formula; its code takes the row of the next lower power of two, and fills up with every other slope of the row of twice as many heads."
)
def one_row_for_any_number(n_heads):
    return 2.0 ** (-8 * np.arange(1, n_heads + 1) / n_heads)


@slopes_equal_doubling.rejects(
    "You fill up with the first slopes of the finer row; every other one is in the coarse row already: take those between."
)
def filled_up_without_gaps(n_heads):
    p = 1 << (n_heads.bit_length() - 1)
    finer = 2.0 ** (-4 * np.arange(1, n_heads - p + 1) / p)
    return np.concatenate([alibi_slopes(p), finer])


@slopes_equal_doubling.rejects(
    "Your slopes fall evenly; wanted a geometric row, each the same part of the one before."
)
def evenly_spaced(n_heads):
    return np.linspace(0.5, 2.0**-8, n_heads)


@slopes_equal_doubling.rejects(
    "Your slopes are sorted: the code appends those between, so that the row of the power of two stays first."
)
def sorted_slopes(n_heads):
    return np.sort(alibi_slopes(n_heads))[::-1]


def random_slopes(rng):
    return 2.0 ** -rng.uniform(0, 8, size=size(rng))


@check(
    alibi_bias,
    equation="eq-alibi-bias",
    symbols={"slopes": "m"},
    oracle="Python's abs, entry by entry",
)
def bias_equals_distances(alibi_bias, rng):
    n, slopes = size(rng), random_slopes(rng)
    wanted = [
        [[-m * abs(i - j) for j in range(n)] for i in range(n)] for m in slopes.tolist()
    ]
    return difference(alibi_bias(n, slopes), wanted)


@bias_equals_distances.rejects(
    "Your bias is positive: far tokens would be preferred. The penalty is taken away."
)
def rewarded(n, slopes):
    return -alibi_bias(n, slopes)


@bias_equals_distances.rejects(
    "Your bias has a sign: m(j − i) is a penalty for the past and a reward for what comes after. Without a mask the distance is |i − j|."
)
def signed_distance(n, slopes):
    place = np.arange(n)
    return slopes[:, None, None] * (place - place[:, None])


@bias_equals_distances.rejects(
    "Your bias has the wrong sign in the past: m(i − j) grows with the distance backwards."
)
def signed_the_other_way(n, slopes):
    return -signed_distance(n, slopes)


@bias_equals_distances.rejects("Your distances are squared: the biases are linear.")
def squared_distance(n, slopes):
    place = np.arange(n)
    return -slopes[:, None, None] * (place - place[:, None]) ** 2


@bias_equals_distances.rejects(
    "A token is at distance 1 from itself in your version; wanted 0."
)
def one_too_far(n, slopes):
    return alibi_bias(n, slopes) - slopes[:, None, None]


def heads_case(rng):
    lead, n_heads, n, d_k, d_v = batch(rng), size(rng), size(rng), size(rng), size(rng)
    Q, K = rng.normal(size=(2, *lead, n_heads, n, d_k))
    V = rng.normal(size=(*lead, n_heads, n, d_v))
    mask = (
        np.tri(n, dtype=bool)
        if rng.random() < 0.5
        else mask_for_heads(rng, lead, n_heads, n, n)
    )
    return Q, K, V, 2.0 ** -rng.uniform(0, 8, size=n_heads), mask


def torch_bias(n, slopes, mask=None):
    """What PyTorch's attention adds to its scores, made entry by entry."""
    bias = torch.tensor(
        [
            [[-m * abs(i - j) for j in range(n)] for i in range(n)]
            for m in slopes.tolist()
        ],
        dtype=torch.float64,
    )
    if mask is None:
        return bias
    return torch.where(torch.from_numpy(mask), bias, -torch.inf)


def torch_alibi(Q, K, V, slopes, mask=None):
    fused = torch.nn.functional.scaled_dot_product_attention
    eye = torch.eye(Q.shape[-2], dtype=torch.float64).expand(*Q.shape[:-1], -1)
    Q, K, V = (torch.as_tensor(x) for x in (Q, K, V))
    bias = torch_bias(Q.shape[-2], slopes, mask)
    return [fused(Q, K, values, attn_mask=bias) for values in (V, eye)]


@check(
    alibi_attention,
    equation="eq-alibi-attention",
    symbols={"slopes": "m", "return": ("O", "A")},
    oracle="torch.nn.functional.scaled_dot_product_attention with the biases as its mask",
)
def alibi_equals_torch(alibi_attention, rng):
    Q, K, V, slopes, mask = heads_case(rng)
    given, mask = sometimes(rng, mask, None)
    if longest():
        Q, K, mask = 100 * Q, 100 * K, random_mask(rng, Q.shape[-2], Q.shape[-2])
        mask[0] = False  # nothing to see: weights of 0, where PyTorch may have NaN
        given = (mask,)
    wanted = [one.nan_to_num(0.0) for one in torch_alibi(Q, K, V, slopes, mask)]
    return difference(alibi_attention(Q, K, V, slopes, *given), wanted)


def with_scores(S, V, mask):
    A = softmax(S if mask is None else np.where(mask, S, -np.inf))
    return A @ V, A


@alibi_equals_torch.rejects(
    "You take the penalty from the weights, after the softmax: they may fall below 0, and no longer sum to 1. Take it from the scores."
)
def after_softmax(Q, K, V, slopes, mask=None):
    _, A = with_scores(scores(Q, K), V, mask)
    A = A + alibi_bias(Q.shape[-2], slopes)
    return A @ V, A


@alibi_equals_torch.rejects(
    "You add the penalty: a head then looks as far away as it can. It is taken away."
)
def penalty_added(Q, K, V, slopes, mask=None):
    return with_scores(scores(Q, K) - alibi_bias(Q.shape[-2], slopes), V, mask)


@alibi_equals_torch.rejects(
    "You divide the biases by √d_k along with the products: they are added after the division."
)
def divided_with_the_products(Q, K, V, slopes, mask=None):
    S = scores(Q, K) + alibi_bias(Q.shape[-2], slopes) / math.sqrt(Q.shape[-1])
    return with_scores(S, V, mask)


@alibi_equals_torch.rejects(
    "You forget to divide the products by √d_k; the biases alone are added as they are."
)
def unscaled_products(Q, K, V, slopes, mask=None):
    return with_scores(Q @ K.mT + alibi_bias(Q.shape[-2], slopes), V, mask)


@alibi_equals_torch.rejects(
    "A row that may see nothing becomes NaN in your version, ∞ − ∞: give it weights of 0."
)
def nan_where_nothing_is_seen(Q, K, V, slopes, mask=None):
    S = scores(Q, K) + alibi_bias(Q.shape[-2], slopes)
    S = S if mask is None else np.where(mask, S, -np.inf)
    with np.errstate(invalid="ignore"):
        powers = np.exp(S - S.max(axis=-1, keepdims=True))
    A = powers / powers.sum(axis=-1, keepdims=True)
    return A @ V, A


@alibi_equals_torch.rejects(
    "Your exp overflows for large scores, and a row that may see nothing becomes NaN: take the largest score away first, and give "
    "such a row weights of 0."
)
def naive_softmax(Q, K, V, slopes, mask=None):
    S = scores(Q, K) + alibi_bias(Q.shape[-2], slopes)
    powers = np.exp(S if mask is None else np.where(mask, S, -np.inf))
    A = powers / powers.sum(axis=-1, keepdims=True)
    return A @ V, A


@alibi_equals_torch.rejects("You ignore the mask.")
def mask_ignored(Q, K, V, slopes, mask=None):
    return alibi_attention(Q, K, V, slopes)


@alibi_equals_torch.rejects(
    "All your heads have the slope of the first one; each has its own."
)
def one_slope_for_all(Q, K, V, slopes, mask=None):
    return alibi_attention(Q, K, V, np.full_like(slopes, slopes[0]), mask)


@alibi_equals_torch.rejects(
    "Your slopes are in the opposite order: head 0 has slopes[0]."
)
def slopes_reversed(Q, K, V, slopes, mask=None):
    return alibi_attention(Q, K, V, slopes[::-1].copy(), mask)


@check(
    alibi_span,
    equation="eq-alibi-span",
    axes={"slopes": "", "return": ""},
    symbols={"slopes": "m", "share": "c"},
    oracle="the weights themselves, summed up to a whole number of tokens",
    tolerance=1e-8,
)
def span_equals_summed_weights(alibi_span, rng):
    given, c = sometimes(rng, or_edge(rng, 0.0, float(rng.uniform(0, 0.99))), 0.9)
    slopes = 2.0 ** -rng.uniform(0, 5, size=size(rng))
    spans = np.asarray(alibi_span(slopes, *given)).tolist()
    return difference([summed(m, w) for m, w in zip(slopes, spans)], [c] * len(slopes))


def summed(slope, tokens):
    """The weight of so many nearest tokens: of the whole ones, and for the rest the part that a geometric row gives."""
    weights = np.exp(-slope * np.arange(int(40 / slope)))
    whole = min(int(abs(tokens)), len(weights) - 1)
    rest = (1 - math.exp(-slope * (tokens - whole))) / (1 - math.exp(-slope))
    return (math.fsum(weights[:whole]) + rest * weights[whole]) / math.fsum(weights)


@span_equals_summed_weights.rejects(
    "You take the distance at which a weight has fallen to that share; wanted how many tokens hold the share together."
)
def fallen_to(slopes, share=0.9):
    return -math.log(share or 1e-300) / slopes


@span_equals_summed_weights.rejects(
    "You multiply by the slope: the steeper a head, the shorter its span."
)
def times_slope(slopes, share=0.9):
    return -math.log(1 - share) * slopes


@span_equals_summed_weights.rejects(
    "Your logarithm is binary; weights are powers of e."
)
def binary_logarithm(slopes, share=0.9):
    return -math.log2(1 - share) / slopes
