"""Checks of cross-attention, against PyTorch's projections and attention."""

import numpy as np
import torch

from transformer_math.attention.cross_attention import cross_attention
from transformer_math.attention.scaled_dot_product import attention, scores
from transformer_math.attention.softmax import softmax
from transformer_math.checks.attention.scaled_dot_product import torch_attention
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import batch, random_mask, size, sometimes
from transformer_math.checks.wrong import reject_careless_masks


def project_in_torch(x, W):
    return torch.nn.functional.linear(*map(torch.from_numpy, (x, W.T.copy()))).numpy()


@check(
    cross_attention,
    equation="eq-cross-attention",
    symbols={"return": "O"},
    oracle="torch.nn.functional.linear and scaled_dot_product_attention",
    cases=60,
)
def cross_attention_equals_torch(cross_attention, rng):
    lead, n, m, d_k, d_v = batch(rng), size(rng), size(rng), size(rng), size(rng)
    d_model, d_memory = size(rng), size(rng)
    if rng.random() < 0.3:  # of the same sizes, where one can be taken for the other
        m, d_memory = n, d_model
    Z, memory = (
        rng.normal(size=(*lead, rows, width))
        for rows, width in ((n, d_model), (m, d_memory))
    )
    W_Q, W_K, W_V = (
        rng.normal(size=shape)
        for shape in ((d_model, d_k), (d_memory, d_k), (d_memory, d_v))
    )
    given, mask = sometimes(rng, random_mask(rng, n, m), None)
    projected = [
        project_in_torch(x, W) for x, W in ((Z, W_Q), (memory, W_K), (memory, W_V))
    ]
    return difference(
        cross_attention(Z, memory, W_Q, W_K, W_V, *given),
        torch_attention(*projected, mask),
    )


reject_careless_masks(cross_attention_equals_torch)


@cross_attention_equals_torch.rejects(
    "Your keys and values come from the queries' own sequence: that is self-attention. They come from the memory."
)
def self_attention(Z, memory, W_Q, W_K, W_V, mask=None):
    return attention(Z @ W_Q, Z @ W_K, Z @ W_V)


@cross_attention_equals_torch.rejects(
    "The two sequences have changed places: the queries come from Z, keys and values from the memory."
)
def the_other_way_round(Z, memory, W_Q, W_K, W_V, mask=None):
    return attention(memory @ W_Q, Z @ W_K, Z @ W_V, mask)


@cross_attention_equals_torch.rejects(
    "Your values come from Z: what a token takes comes from the memory, as the keys do."
)
def values_from_the_queries_side(Z, memory, W_Q, W_K, W_V, mask=None):
    return attention(Z @ W_Q, memory @ W_K, Z @ W_V, mask)


@cross_attention_equals_torch.rejects(
    "You project keys and values by the same matrix: W_K makes keys, W_V values."
)
def one_matrix_for_keys_and_values(Z, memory, W_Q, W_K, W_V, mask=None):
    return attention(Z @ W_Q, memory @ W_K, memory @ W_K, mask)


@cross_attention_equals_torch.rejects("The scores are not divided by √d_k.")
def without_scale(Z, memory, W_Q, W_K, W_V, mask=None):
    return attention(Z @ W_Q * W_Q.shape[1] ** 0.5, memory @ W_K, memory @ W_V, mask)


@cross_attention_equals_torch.rejects(
    "You divide the scores by d_k; wanted its square root."
)
def scaled_twice(Z, memory, W_Q, W_K, W_V, mask=None):
    return attention(Z @ W_Q / W_Q.shape[1] ** 0.5, memory @ W_K, memory @ W_V, mask)


@cross_attention_equals_torch.rejects(
    "You divide by the root of d_model, the width of the tokens; wanted that of d_k, the width of queries and keys."
)
def scaled_by_the_model(Z, memory, W_Q, W_K, W_V, mask=None):
    ratio = (W_Q.shape[1] / W_Q.shape[0]) ** 0.5
    return attention(Z @ W_Q * ratio, memory @ W_K, memory @ W_V, mask)


@cross_attention_equals_torch.rejects(
    "You multiply the scores by the mask: a score of 0 still gets weight. What is forbidden gets −∞ before the softmax."
)
def multiplied_by_the_mask(Z, memory, W_Q, W_K, W_V, mask=None):
    A = softmax(scores(Z @ W_Q, memory @ W_K) * (1.0 if mask is None else mask))
    return A @ (memory @ W_V), A


@cross_attention_equals_torch.rejects(
    "You add the mask itself, ones and zeros, to the scores. What is forbidden gets −∞, as np.where(mask, S, -np.inf) gives it."
)
def mask_added(Z, memory, W_Q, W_K, W_V, mask=None):
    A = softmax(scores(Z @ W_Q, memory @ W_K) + (0.0 if mask is None else mask))
    return A @ (memory @ W_V), A


@cross_attention_equals_torch.rejects(
    "You mask after the softmax: the weights of a row no longer sum to 1. Mask the scores, before it."
)
def masked_too_late(Z, memory, W_Q, W_K, W_V, mask=None):
    A = softmax(scores(Z @ W_Q, memory @ W_K)) * (1.0 if mask is None else mask)
    return A @ (memory @ W_V), A


@cross_attention_equals_torch.rejects(
    "Your softmax runs over the queries; each query shares 1 out among the keys, axis=-1."
)
def softmax_over_queries(Z, memory, W_Q, W_K, W_V, mask=None):
    S = scores(Z @ W_Q, memory @ W_K)
    S = S if mask is None else np.where(mask, S, np.finfo(float).min)
    A = softmax(S.mT).mT
    return A @ (memory @ W_V), A


@cross_attention_equals_torch.rejects(
    "Your second result holds scores; wanted the weights, after the softmax."
)
def scores_for_weights(Z, memory, W_Q, W_K, W_V, mask=None):
    O, _ = attention(Z @ W_Q, memory @ W_K, memory @ W_V, mask)
    return O, scores(Z @ W_Q, memory @ W_K)
