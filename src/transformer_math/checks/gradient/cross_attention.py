"""Checks of the pullback of cross-attention."""

import numpy as np

from transformer_math.checks.gradient.attention import torch_attention
from transformer_math.checks.gradients import (
    change_pullback,
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.sampling import batch, random_mask, size, sometimes
from transformer_math.checks.wrong import reject_careless_masks
from transformer_math.gradient.attention import attention_vjp
from transformer_math.gradient.cross_attention import cross_attention_vjp


def two_sequences(rng):
    lead, n, m, d_k, d_v = batch(rng), size(rng), size(rng), size(rng), size(rng)
    widths = d_model, d_memory = size(rng), size(rng)
    shapes = ((d_model, d_k), (d_memory, d_k), (d_memory, d_v))
    given, _ = sometimes(rng, random_mask(rng, n, m), None)
    return (
        *(rng.normal(size=(*lead, k, width)) for k, width in zip((n, m), widths)),
        *(rng.normal(size=shape) for shape in shapes),
        *given,
    )


cross_as_autograd, cross_as_differences = check_gradient(
    cross_attention_vjp,
    equation="eq-cross-attention-vjp",
    axes={"Z": "n d_model", "memory": "m d_memory", "return": "n d_v"},
    symbols={"return": "O"},
    function=lambda Z, memory, W_Q, W_K, W_V, mask=None: torch_attention(
        Z @ W_Q, memory @ W_K, memory @ W_V, mask
    ),
    draw=two_sequences,
    wrt=("Z", "memory", "W_Q", "W_K", "W_V"),
    cases=12,
)
reject_careless_inputs(cross_as_autograd, ("Z", "memory", "W_Q", "W_K", "W_V"))
reject_careless_masks(cross_as_autograd)


def of_the_memory(dO, Z, memory, W_Q, W_K, W_V, mask):
    """What the memory gets for its keys, and for its values."""
    _, pullback = attention_vjp(Z @ W_Q, memory @ W_K, memory @ W_V, mask)
    _, dK, dV = pullback(dO)
    return dK @ W_K.T, dV @ W_V.T


def with_memory(dO, arguments, dmemory):
    dZ, _, *matrices = cross_attention_vjp(*arguments)[1](dO)
    return dZ, dmemory, *matrices


@rejects_pullback(
    cross_as_autograd,
    "The memory hears of its keys alone: it gave keys and values, so it gets the sum of both gradients.",
)
def memory_as_keys_alone(dO, *arguments):
    return with_memory(dO, arguments, of_the_memory(dO, *arguments)[0])


@rejects_pullback(
    cross_as_differences,
    "The memory hears of its values alone: it gave keys and values, so it gets the sum of both gradients.",
)
def memory_as_values_alone(dO, *arguments):
    return with_memory(dO, arguments, of_the_memory(dO, *arguments)[1])


def mean_of_the_sequences(gradients):
    dZ, dmemory, *matrices = gradients
    sequences = dZ.size // dZ[(0,) * (dZ.ndim - 2)].size
    return dZ, dmemory, *(np.asarray(dW) / sequences for dW in matrices)


cross_as_differences.rejects(
    "Your matrices get the mean over the sequences of the batch; all went through them, so their gradients add up."
)(change_pullback(cross_attention_vjp, mean_of_the_sequences))
