"""Checks of the pullback of attention with linear biases."""

import numpy as np
import torch

from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.position.alibi import heads_case, torch_bias
from transformer_math.checks.sampling import sometimes
from transformer_math.checks.wrong import ignoring
from transformer_math.gradient.alibi import alibi_attention_vjp
from transformer_math.position.alibi import alibi_attention


def alibi_case(rng):
    Q, K, V, slopes, mask = heads_case(rng)
    given, _ = sometimes(rng, mask, None)
    return (Q, K, V, slopes, *given)


def torch_alibi(Q, K, V, slopes, mask=None):
    bias = torch_bias(Q.shape[-2], slopes, mask)
    return torch.nn.functional.scaled_dot_product_attention(Q, K, V, attn_mask=bias)


alibi_as_autograd, alibi_as_differences = check_gradient(
    alibi_attention_vjp,
    equation="eq-alibi-attention-vjp",
    symbols={"slopes": "m", "return": "O"},
    function=torch_alibi,
    draw=alibi_case,
    wrt=("Q", "K", "V"),
    cases=20,
)
reject_careless_inputs(alibi_as_autograd, ("Q", "K", "V"))
alibi_as_autograd.rejects("You ignore the mask.")(ignoring(alibi_attention_vjp, "mask"))


def gradients(dO, Q, K, V, A, scale=None, centre=True):
    dA = dO @ V.mT
    mean = (A * dA).sum(axis=-1, keepdims=True) if centre else 0.0
    dS = A * (dA - mean) * (Q.shape[-1] ** -0.5 if scale is None else scale)
    return dS @ K, dS.mT @ Q, A.mT @ dO


@rejects_pullback(
    alibi_as_autograd,
    "Your way back uses the weights of attention without the biases: A is that of the way there.",
)
def weights_without_bias(dO, Q, K, V, slopes, mask):
    _, A = alibi_attention(Q, K, V, np.zeros_like(slopes), mask)
    return gradients(dO, Q, K, V, A)


@rejects_pullback(
    alibi_as_autograd,
    "The scale is lost on the way back: dS is divided by √d_k before it meets K and Q.",
)
def scale_lost(dO, Q, K, V, slopes, mask):
    return gradients(dO, Q, K, V, alibi_attention(Q, K, V, slopes, mask)[1], scale=1.0)


@rejects_pullback(
    alibi_as_differences,
    "A term of the softmax's Jacobian is missing: from dA subtract the weighted mean of its row.",
)
def without_competition(dO, Q, K, V, slopes, mask):
    A = alibi_attention(Q, K, V, slopes, mask)[1]
    return gradients(dO, Q, K, V, A, centre=False)
