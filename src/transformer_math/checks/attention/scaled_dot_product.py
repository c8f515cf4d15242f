"""Checks of attention and its parts, against PyTorch and by enumeration."""

from itertools import product

import numpy as np
import torch

from transformer_math.attention.scaled_dot_product import (
    attention,
    dot_product_variance,
    scores,
)
from transformer_math.attention.softmax import softmax
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import (
    batch,
    mask_for_heads,
    or_edge,
    random_mask,
    size,
    sometimes,
)


def queries_keys_values(rng):
    """Random queries, keys and values, with every axis free."""
    lead, n, m, d_k, d_v = batch(rng), size(rng), size(rng), size(rng), size(rng)
    return (
        rng.normal(size=(*lead, n, d_k)),
        rng.normal(size=(*lead, m, d_k)),
        rng.normal(size=(*lead, m, d_v)),
    )


@check(scores, equation="eq-scores", oracle="torch.einsum")
def scores_equal_einsum(scores, rng):
    Q, K, _ = queries_keys_values(rng)
    wanted = (
        torch.einsum("...nd,...md->...nm", torch.from_numpy(Q), torch.from_numpy(K))
        / Q.shape[-1] ** 0.5
    )
    return difference(scores(Q, K), wanted)


@scores_equal_einsum.rejects("You forget to divide by √d_k.")
def unscaled(Q, K):
    return Q @ np.swapaxes(K, -1, -2)


@scores_equal_einsum.rejects("You divide by d_k; wanted its square root.")
def divided_by_d_k(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / Q.shape[-1]


@scores_equal_einsum.rejects(
    "You divide by √n, the number of tokens; wanted √d_k, the size of a query."
)
def divided_by_root_n(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-2])


@scores_equal_einsum.rejects(
    "You divide by √m, the number of keys; wanted √d_k, the size of a query."
)
def divided_by_root_m(Q, K):
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-2])


@scores_equal_einsum.rejects("You multiply by √d_k; the products are divided by it.")
def multiplied_by_root_d_k(Q, K):
    return Q @ np.swapaxes(K, -1, -2) * np.sqrt(Q.shape[-1])


@scores_equal_einsum.rejects(
    "You take the softmax already: scores are the products alone, divided by √d_k."
)
def already_weights(Q, K):
    return softmax(scores(Q, K))


@scores_equal_einsum.rejects(
    "Your scores stand on their side: one row for each query, one column for each key."
)
def keys_as_rows(Q, K):
    return K @ np.swapaxes(Q, -1, -2) / np.sqrt(Q.shape[-1])


def torch_attention(Q, K, V, mask=None):
    """PyTorch's output and weights; with the identity for values the output is the weights."""
    eye = np.broadcast_to(np.eye(K.shape[-2]), (*K.shape[:-1], K.shape[-2]))
    settings = {} if mask is None else {"attn_mask": torch.from_numpy(mask)}
    fused = torch.nn.functional.scaled_dot_product_attention
    return [
        fused(*map(torch.from_numpy, (Q, K, values.copy())), **settings)
        for values in (V, eye)
    ]


@check(
    attention,
    equation="eq-attention",
    symbols={"return": ("O", "A")},
    oracle="torch.nn.functional.scaled_dot_product_attention",
    cases=60,
)
def attention_equals_torch(attention, rng):
    Q, K, V = queries_keys_values(rng)
    return difference(attention(Q, K, V), torch_attention(Q, K, V))


@attention_equals_torch.rejects(
    "Your softmax runs over the queries: each query's weights over the keys must sum to 1."
)
def softmax_over_queries(Q, K, V, mask=None):
    A = np.swapaxes(softmax(np.swapaxes(scores(Q, K), -1, -2)), -1, -2)
    return A @ V, A


@attention_equals_torch.rejects(
    "Your softmax runs down the first axis, axis=0: each query's weights sum to 1, axis=-1."
)
def softmax_over_the_first_axis(Q, K, V, mask=None):
    S = scores(Q, K)
    S = S if mask is None else np.where(mask, S, -np.inf)
    powers = np.exp(S - S.max())
    A = powers / powers.sum(axis=0, keepdims=True)
    return A @ V, A


@attention_equals_torch.rejects("You forget to divide the scores by √d_k.")
def without_scale(Q, K, V, mask=None):
    return scaled_by(Q, K, V, mask, 1)


def scaled_by(Q, K, V, mask, root):
    """Attention with another number under the root: the material of wrong versions."""
    S = Q @ np.swapaxes(K, -1, -2) / np.sqrt(root)
    A = softmax(S if mask is None else np.where(mask, S, -np.inf))
    return A @ V, A


@attention_equals_torch.rejects(
    "You leave out the softmax: scores may be negative, and those of a query do not sum to 1. Weights do."
)
def without_softmax(Q, K, V, mask=None):
    S = scores(Q, K)
    A = S if mask is None else np.where(mask, S, 0)
    return A @ V, A


@attention_equals_torch.rejects(
    "You divide by √m, the number of keys; wanted √d_k, the size of a query."
)
def scaled_by_keys(Q, K, V, mask=None):
    return scaled_by(Q, K, V, mask, K.shape[-2])


@attention_equals_torch.rejects(
    "You divide by √n, the number of queries; wanted √d_k, the size of a query."
)
def scaled_by_queries(Q, K, V, mask=None):
    return scaled_by(Q, K, V, mask, Q.shape[-2])


@attention_equals_torch.rejects("You divide by d_k; wanted its square root.")
def scaled_without_root(Q, K, V, mask=None):
    return scaled_by(Q, K, V, mask, Q.shape[-1] ** 2)


@attention_equals_torch.rejects(
    "You divide by √d_v, the size of a value; wanted √d_k, the size of a query."
)
def scaled_by_values(Q, K, V, mask=None):
    return scaled_by(Q, K, V, mask, V.shape[-1])


@attention_equals_torch.rejects(
    "You divide the weights by √d_k after softmax; the scores are divided, before it."
)
def scaled_after_softmax(Q, K, V, mask=None):
    A = softmax(Q @ np.swapaxes(K, -1, -2)) / np.sqrt(Q.shape[-1])
    return A @ V, A


@check(
    attention,
    equation="eq-attention",
    symbols={"return": ("O", "A")},
    oracle="torch.nn.functional.scaled_dot_product_attention, with masks",
    cases=60,
)
def masked_attention_equals_torch(attention, rng):
    Q, K, V = queries_keys_values(rng)
    lead, n, m = Q.shape[:-2], Q.shape[-2], K.shape[-2]
    mask = (
        mask_for_heads(rng, lead[:-1], lead[-1], n, m)
        if lead
        else random_mask(rng, n, m)
    )
    return difference(attention(Q, K, V, mask), torch_attention(Q, K, V, mask))


@masked_attention_equals_torch.rejects(
    "Your mask is upside down: True means that attention is allowed."
)
def mask_inverted(Q, K, V, mask=None):
    A = softmax(scores(Q, K) if mask is None else np.where(mask, -np.inf, scores(Q, K)))
    return A @ V, A


@masked_attention_equals_torch.rejects(
    "You mask after softmax: your weights no longer sum to 1. Mask the scores, then take the softmax."
)
def masked_after_softmax(Q, K, V, mask=None):
    A = softmax(scores(Q, K)) * (1.0 if mask is None else mask)
    return A @ V, A


@masked_attention_equals_torch.rejects(
    "You set forbidden scores to 0: e⁰ is 1, so those keys still get weight. Set them to −∞."
)
def zero_scores(Q, K, V, mask=None):
    A = softmax(scores(Q, K) * (1.0 if mask is None else mask))
    return A @ V, A


@masked_attention_equals_torch.rejects("You ignore the mask.")
def mask_ignored(Q, K, V, mask=None):
    A = softmax(scores(Q, K))
    return A @ V, A


@check(
    attention,
    equation="eq-attention",
    symbols={"return": ("O", "A")},
    oracle="zeros, for queries that may attend to nothing, beside PyTorch for the others",
)
def forbidden_rows_are_zero(attention, rng):
    Q, K, V = queries_keys_values(rng)
    mask = rng.random((Q.shape[-2], K.shape[-2])) < 0.6
    mask[rng.integers(len(mask))] = False
    allowed = mask.any(axis=-1)[:, None]
    closed_rows_opened = mask | ~allowed
    wanted = torch_attention(Q, K, V, closed_rows_opened)
    return difference(
        attention(Q, K, V, mask), [array * allowed for array in map(np.asarray, wanted)]
    )


@forbidden_rows_are_zero.rejects(
    "A row of −∞ becomes NaN in your softmax: ∞ − ∞. Give such a row weights of 0."
)
def not_a_number(Q, K, V, mask=None):
    S = np.where(True if mask is None else mask, scores(Q, K), -np.inf)
    E = np.exp(S - S.max(axis=-1, keepdims=True))
    A = E / E.sum(axis=-1, keepdims=True)
    return A @ V, A


@forbidden_rows_are_zero.rejects(
    "You mask with a large negative number such as −1e9: a query that may attend to nothing then attends to everything, "
    "since the number cancels in the softmax. Mask with −∞."
)
def large_negative_number(Q, K, V, mask=None):
    A = softmax(np.where(True if mask is None else mask, scores(Q, K), -1e9))
    return A @ V, A


def with_added(Q, K, V, mask, number):
    S = scores(Q, K) + (0.0 if mask is None else np.where(mask, 0.0, number))
    A = softmax(S)
    return A @ V, A


@forbidden_rows_are_zero.rejects(
    "You add a large negative number, −1e9, to forbidden scores: a query that may attend to nothing then attends as if nothing "
    "were forbidden. Set the scores to −∞."
)
def large_negative_number_added(Q, K, V, mask=None):
    return with_added(Q, K, V, mask, -1e9)


@forbidden_rows_are_zero.rejects(
    "You add a negative number such as −1e4 to forbidden scores: a query that may attend to nothing then attends as if nothing "
    "were forbidden. Set the scores to −∞."
)
def negative_number_added(Q, K, V, mask=None):
    return with_added(Q, K, V, mask, -1e4)


def past_alone(Q, K, V):
    """PyTorch's attention of each query over the keys up to its own: there is no future, so no mask is needed."""
    Q, K, V = (torch.from_numpy(x) for x in (Q, K, V))
    fused = torch.nn.functional.scaled_dot_product_attention
    rows = [
        fused(Q[..., i : i + 1, :], K[..., : i + 1, :], V[..., : i + 1, :])
        for i in range(Q.shape[-2])
    ]
    return torch.cat(rows, dim=-2)


@check(
    attention,
    equation="eq-past-alone",
    oracle="torch.nn.functional.scaled_dot_product_attention on the past of each query alone",
)
def the_future_cannot_change_the_past(attention, rng):
    lead, n, d_k, d_v = batch(rng), size(rng), size(rng), size(rng)
    Q, K = rng.normal(size=(2, *lead, n, d_k))
    V = rng.normal(size=(*lead, n, d_v))
    output, _ = attention(Q, K, V, np.tri(n, dtype=bool))
    return difference(output, past_alone(Q, K, V))


@the_future_cannot_change_the_past.rejects(
    "You mask after softmax: the scores of the future still stand in the sum by which you divide, so they change the past. Mask the "
    "scores, then take the softmax."
)
def future_in_the_denominator(Q, K, V, mask=None):
    return masked_after_softmax(Q, K, V, mask)


@the_future_cannot_change_the_past.rejects(
    "You ignore the mask: every output depends on all tokens, later ones too."
)
def future_in_full_sight(Q, K, V, mask=None):
    return attention(Q, K, V)


@the_future_cannot_change_the_past.rejects(
    "Your mask is applied one place off: each token sees the next one too."
)
def one_step_of_the_future(Q, K, V, mask=None):
    if mask is not None:
        mask = mask | np.eye(*mask.shape, k=1, dtype=bool)
    return attention(Q, K, V, mask)


@check(
    dot_product_variance,
    equation="eq-score-variance",
    oracle="all 4^d_k sign patterns of q and k",
    cases=12,
    tolerance=1e-9,
)
def variance_equals_enumeration(dot_product_variance, rng):
    d_k = int(rng.integers(1, 6))
    given, variance = sometimes(
        rng, or_edge(rng, 0.0, float(rng.uniform(0.25, 4))), 1.0
    )
    spread = variance**0.5
    signs = np.array(list(product((-spread, spread), repeat=2 * d_k)))
    products = (signs[:, :d_k] * signs[:, d_k:]).sum(axis=1)
    return difference(
        dot_product_variance(d_k, *given),
        np.mean(products**2) - np.mean(products) ** 2,
    )


@variance_equals_enumeration.rejects(
    "That is the standard deviation; the variance grows with d_k itself."
)
def deviation(d_k, variance=1.0):
    return d_k**0.5 * variance


@variance_equals_enumeration.rejects("You count 2 d_k terms; q · k has d_k products.")
def twice_the_terms(d_k, variance=1.0):
    return 2 * d_k * variance**2


@variance_equals_enumeration.rejects(
    "A product of two numbers of variance σ² has variance σ⁴."
)
def variance_not_squared(d_k, variance=1.0):
    return d_k * variance
