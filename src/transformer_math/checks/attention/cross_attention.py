"""Checks of cross-attention, against PyTorch's projections and attention."""

import torch

from transformer_math.attention.cross_attention import cross_attention
from transformer_math.attention.scaled_dot_product import attention
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
    return attention(memory @ W_Q, Z @ W_K, Z @ W_V)


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
