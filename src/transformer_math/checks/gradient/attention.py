"""Checks of the pullbacks of scores, mask and attention."""

import numpy as np
import torch

from transformer_math.attention import attention, scores, softmax
from transformer_math.checks.attention.scaled_dot_product import queries_keys_values
from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.sampling import or_edge, size, sometimes, tokens
from transformer_math.checks.wrong import reject_careless_masks
from transformer_math.gradient.attention import (
    apply_mask_vjp,
    attention_vjp,
    scores_vjp,
)


def torch_scores(Q, K):
    return torch.einsum("...ik,...jk->...ij", Q, K) / Q.shape[-1] ** 0.5


scores_as_autograd, scores_as_differences = check_gradient(
    scores_vjp,
    equation="eq-scores-vjp",
    symbols={"return": "S"},
    function=torch_scores,
    draw=lambda rng: queries_keys_values(rng)[:2],
)
reject_careless_inputs(scores_as_autograd, ("Q", "K"))


@rejects_pullback(
    scores_as_autograd,
    "The scale is lost: the scores were divided by √d_k, so the gradients are too.",
)
def scale_lost(dS, Q, K):
    return dS @ K, dS.mT @ Q


@rejects_pullback(
    scores_as_autograd,
    "You divide by d_k; wanted its square root, once, as on the way there.",
)
def scaled_twice(dS, Q, K):
    return dS @ K / Q.shape[-1], dS.mT @ Q / Q.shape[-1]


@rejects_pullback(
    scores_as_differences,
    "You multiply by √d_k; what was divided on the way there is divided on the way back.",
)
def scale_undone(dS, Q, K):
    root = np.sqrt(Q.shape[-1])
    return dS @ K * root, dS.mT @ Q * root


def scores_and_mask(rng):
    S = tokens(rng, size(rng), size(rng))
    S[rng.random(S.shape) < or_edge(rng, 0.2, 0.0)] = -np.inf  # forbidden before
    shapes = (S.shape, S.shape[-2:], (*S.shape[:-2], 1, S.shape[-1]), (1, S.shape[-1]))
    return S, rng.random(shapes[rng.integers(len(shapes))]) < 0.6


mask_as_autograd, mask_as_differences = check_gradient(
    apply_mask_vjp,
    equation="eq-mask-vjp",
    axes={"S": "n m", "mask": "n m", "return": "n m"},
    symbols={"return": "S"},
    function=lambda S, mask: S.masked_fill(~torch.from_numpy(mask), -torch.inf),
    draw=scores_and_mask,
    wrt=("S",),
)


@rejects_pullback(
    mask_as_autograd,
    "Your gradient goes through the mask: a score that was replaced by −∞ changes nothing, so its gradient is 0.",
)
def through_the_mask(dS, S, mask):
    return (np.array(dS),)


@rejects_pullback(
    mask_as_autograd,
    "Your mask is upside down: the gradient passes where the mask is True.",
)
def through_the_forbidden(dS, S, mask):
    return (dS * ~mask,)


@rejects_pullback(
    mask_as_differences,
    "You put −∞ into the gradient; what is forbidden gets a gradient of 0.",
)
def infinite_gradient(dS, S, mask):
    return (np.where(mask, dS, -np.inf),)


def attention_case(rng):
    """Queries, keys, values and a mask of every shape; now and then a query that may attend to nothing."""
    Q, K, V = queries_keys_values(rng)
    full = (*Q.shape[:-1], K.shape[-2])
    shapes = (full, full[-2:], (1, full[-1]), (*full[:-2], 1, full[-1]))
    mask = rng.random(shapes[rng.integers(len(shapes))]) < 0.6
    if rng.random() < 0.25:
        mask = mask.copy()
        mask[..., 0, :] = False
    given, _ = sometimes(rng, mask, None)
    return (Q, K, V, *given)


def torch_attention(Q, K, V, mask=None):
    if mask is not None:
        mask = torch.from_numpy(mask)
    return torch.nn.functional.scaled_dot_product_attention(Q, K, V, attn_mask=mask)


attention_as_autograd, attention_as_differences = check_gradient(
    attention_vjp,
    equation="eq-attention-vjp",
    symbols={"return": "O"},
    function=torch_attention,
    draw=attention_case,
    wrt=("Q", "K", "V"),
)
reject_careless_inputs(attention_as_autograd, ("Q", "K", "V"))
reject_careless_masks(attention_as_autograd, "the attention, forward and back")


def gradients(dO, Q, K, V, mask, centre=None, scale=None):
    """The gradients of attention, with another centre of the softmax's Jacobian, or another scale."""
    _, A = attention(Q, K, V, mask)
    dA = dO @ V.mT
    centre = (A * dA).sum(axis=-1, keepdims=True) if centre is None else centre(A, dA)
    dS = A * (dA - centre) * (Q.shape[-1] ** -0.5 if scale is None else scale)
    return dS @ K, dS.mT @ Q, A.mT @ dO


@rejects_pullback(
    attention_as_autograd,
    "The scale is lost on the way back: dS is divided by √d_k before it meets K and Q.",
)
def without_scale(dO, Q, K, V, mask):
    return gradients(dO, Q, K, V, mask, scale=1.0)


@rejects_pullback(
    attention_as_autograd,
    "A term of the softmax's Jacobian is missing: from dA subtract the weighted mean of its row.",
)
def jacobian_without_competition(dO, Q, K, V, mask):
    return gradients(dO, Q, K, V, mask, centre=lambda A, dA: 0.0)


@rejects_pullback(
    attention_as_autograd,
    "You take the diagonal of the Jacobian alone, A(1 − A): the other weights of the row answer too.",
)
def jacobian_diagonal(dO, Q, K, V, mask):
    return gradients(dO, Q, K, V, mask, centre=lambda A, dA: A * dA)


@rejects_pullback(
    attention_as_autograd,
    "The weighted mean of dA runs over the queries in your version; a softmax is one row, so it runs over the keys.",
)
def mean_over_queries(dO, Q, K, V, mask):
    return gradients(
        dO, Q, K, V, mask, centre=lambda A, dA: (A * dA).sum(axis=-2, keepdims=True)
    )


@rejects_pullback(
    attention_as_autograd,
    "Your gradient leaks through the mask: it was computed with the weights of the unmasked scores.",
)
def through_the_mask_of_attention(dO, Q, K, V, mask):
    return gradients(dO, Q, K, V, None)


@rejects_pullback(
    attention_as_differences,
    "The softmax is skipped on the way back: dA is not dS.",
)
def softmax_skipped(dO, Q, K, V, mask):
    root = np.sqrt(Q.shape[-1])
    dS = dO @ V.mT / root
    _, A = attention(Q, K, V, mask)
    return dS @ K, dS.mT @ Q, A.mT @ dO


@rejects_pullback(
    attention_as_differences,
    "Your values get an average over the keys that is not weighted: dV = Aᵀ dO.",
)
def values_unweighted(dO, Q, K, V, mask):
    dQ, dK, _ = gradients(dO, Q, K, V, mask)
    flat = softmax(np.zeros((*Q.shape[:-1], K.shape[-2])))
    return dQ, dK, flat.mT @ dO


@attention_as_autograd.rejects(
    "You mask with a large negative number such as −1e9: a query that may attend to nothing then attends to everything. Its output is 0, and so are its gradients."
)
def large_negative_number(Q, K, V, mask=None):
    S = scores(Q, K)
    A = softmax(S if mask is None else np.where(mask, S, -1e9))

    def pullback(dO):
        dA = dO @ V.mT
        dS = A * (dA - (A * dA).sum(axis=-1, keepdims=True)) / np.sqrt(Q.shape[-1])
        return dS @ K, dS.mT @ Q, A.mT @ dO

    return A @ V, pullback
