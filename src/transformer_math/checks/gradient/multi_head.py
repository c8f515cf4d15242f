"""Checks of the pullback of multi-head attention."""

from dataclasses import replace

import numpy as np
import torch
from torch.nn.functional import linear, scaled_dot_product_attention

from transformer_math.attention.multi_head import AttentionParameters, concat_heads
from transformer_math.attention.projections import split_heads
from transformer_math.checks.gradients import (
    change_pullback,
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.sampling import (
    few,
    mask_for_heads,
    size,
    small_batch,
    sometimes,
)
from transformer_math.checks.wrong import reject_careless_masks
from transformer_math.gradient.attention import attention_vjp
from transformer_math.gradient.multi_head import (
    multi_head_attention_vjp,
    self_attention_vjp,
)
from transformer_math.gradient.projections import project_vjp


def random_attention(rng, d_model, keys, values):
    """Parameters whose queries and keys have `keys` columns together, its values `values`."""
    shapes = {
        "W_Q": (d_model, keys), "W_K": (d_model, keys), "W_V": (d_model, values),
        "W_O": (values, d_model), "b_Q": (keys,), "b_K": (keys,), "b_V": (values,), "b_O": (d_model,),
    }  # fmt: skip
    return AttentionParameters(
        **{name: rng.normal(size=shape) / 2 for name, shape in shapes.items()}
    )


def cross_case(rng):
    lead, n, m, n_heads = small_batch(rng), size(rng), size(rng), few(rng)
    d_model, d_k, d_v = (size(rng, mostly=most) for most in (2, 1, 1))
    parameters = random_attention(rng, d_model, n_heads * d_k, n_heads * d_v)
    given, _ = sometimes(rng, mask_for_heads(rng, lead, n_heads, n, m), None)
    Z, source = (rng.normal(size=(*lead, k, d_model)) for k in (n, m))
    return (Z, source, parameters, n_heads, *given)


def torch_multi_head(Z, source, p, n_heads, mask=None):
    def heads(x):
        return x.unflatten(-1, (n_heads, -1)).transpose(-2, -3)

    Q, K, V = (
        heads(linear(x, W.T, b))
        for x, W, b in (
            (Z, p.W_Q, p.b_Q),
            (source, p.W_K, p.b_K),
            (source, p.W_V, p.b_V),
        )
    )
    allowed = None if mask is None else torch.from_numpy(mask)
    O = scaled_dot_product_attention(Q, K, V, attn_mask=allowed)
    return linear(O.transpose(-2, -3).flatten(-2), p.W_O.T, p.b_O)


cross_as_autograd, cross_as_differences = check_gradient(
    multi_head_attention_vjp,
    equation="eq-multi-head-vjp",
    symbols={"return": "O'"},
    function=torch_multi_head,
    draw=cross_case,
    wrt=("Z", "source", "parameters"),
)
reject_careless_inputs(cross_as_autograd, ("Z", "source", "parameters"))
reject_careless_masks(cross_as_autograd, "the attention of every head")


def changed_parameters(**changes):
    """Change some fields of the parameters' gradient."""

    def change(gradients):
        *rest, dparameters = gradients
        new = {name: f(getattr(dparameters, name)) for name, f in changes.items()}
        return (*rest, replace(dparameters, **new))

    return change


def rejects_parameters(check, message, name, **changes):
    change = changed_parameters(**changes)
    change.__name__ = name
    check.rejects(message)(change_pullback(check.target, change))


for matrix in ("W_Q", "W_K", "W_V", "W_O"):
    rejects_parameters(
        cross_as_autograd,
        f"The gradient of {matrix} is missing in your version: it is not 0.",
        f"{matrix}_forgotten",
        **{matrix: np.zeros_like},
    )
for bias in ("b_Q", "b_V", "b_O"):
    rejects_parameters(
        cross_as_differences,
        f"The gradient of {bias} is missing in your version: it is the sum over the tokens.",
        f"{bias}_forgotten",
        **{bias: np.zeros_like},
    )


def swap_keys_and_values(gradients):
    *rest, p = gradients
    if p.W_K.shape != p.W_V.shape:
        return gradients
    return (*rest, replace(p, W_K=p.W_V, W_V=p.W_K))


cross_as_autograd.rejects("The gradients of W_K and W_V have changed places.")(
    change_pullback(multi_head_attention_vjp, swap_keys_and_values)
)


def by_hand(gradient, Z, source, p, n_heads, mask, join=np.add, order=concat_heads):
    """The pullback step by step, with other ways to join the source's two gradients, or the heads."""
    asked = ((Z, p.W_Q, p.b_Q), (source, p.W_K, p.b_K), (source, p.W_V, p.b_V))
    (Q, from_Q), (K, from_K), (V, from_V) = (project_vjp(*x) for x in asked)
    O, from_O = attention_vjp(*(split_heads(x, n_heads) for x in (Q, K, V)), mask)
    _, from_output = project_vjp(concat_heads(O), p.W_O, p.b_O)
    dO, dW_O, db_O = from_output(gradient)
    dQ, dK, dV = map(order, from_O(split_heads(dO, n_heads)))
    dZ, dW_Q, db_Q = from_Q(dQ)
    dY_K, dW_K, db_K = from_K(dK)
    dY_V, dW_V, db_V = from_V(dV)
    dparameters = (dW_Q, dW_K, dW_V, dW_O, db_Q, db_K, db_V, db_O)
    return dZ, join(dY_K, dY_V), AttentionParameters(*dparameters)


@rejects_pullback(
    cross_as_autograd,
    "The source hears of its keys alone: it gave keys and values, so it gets the sum of both gradients.",
)
def source_as_keys_alone(*arguments):
    return by_hand(*arguments, join=lambda dY_K, dY_V: dY_K)


@rejects_pullback(
    cross_as_autograd,
    "The source hears of its values alone: it gave keys and values, so it gets the sum of both gradients.",
)
def source_as_values_alone(*arguments):
    return by_hand(*arguments, join=lambda dY_K, dY_V: dY_V)


@rejects_pullback(
    cross_as_differences,
    "You reshape the heads without swapping axes first: their gradients are laid side by side as the heads were.",
)
def heads_reshaped_only(*arguments):
    def reshaped(x):
        *lead, n_heads, n, d = x.shape
        return x.reshape(*lead, n, n_heads * d)

    return by_hand(*arguments, order=reshaped)


def self_case(rng):
    Z, _, parameters, n_heads, *_ = cross_case(rng)
    *lead, n, _ = Z.shape
    mask = mask_for_heads(rng, tuple(lead), n_heads, n, n)
    given, _ = sometimes(rng, mask, None)
    return (Z, parameters, n_heads, *given)


self_as_autograd, self_as_differences = check_gradient(
    self_attention_vjp,
    equation="eq-self-attention-vjp",
    function=lambda Z, *rest: torch_multi_head(Z, Z, *rest),
    draw=self_case,
    wrt=("Z", "parameters"),
)
reject_careless_inputs(self_as_autograd, ("Z", "parameters"))
reject_careless_masks(self_as_autograd, "the attention of every head")


def only(*wanted):
    """Of the three terms of a token's gradient, some alone: as a query (0), as a source (1)."""

    def pull(gradient, Z, p, n_heads, mask):
        *terms, dparameters = by_hand(gradient, Z, Z, p, n_heads, mask)
        return sum(terms[i] for i in wanted), dparameters

    return pull


rejects_pullback(
    self_as_autograd,
    "A token hears of its part as a query alone: it was asked, too, and gave its value; the gradient is the sum of three terms.",
)(only(0))
rejects_pullback(
    self_as_differences,
    "A token's part as a query is missing in its gradient: it is the sum of three terms.",
)(only(1))


def causal_case(rng):
    Z, parameters, n_heads, *_ = self_case(rng)
    n = Z.shape[-2]
    return Z, parameters, n_heads, np.tri(n, dtype=bool)


masked_as_autograd, masked_as_differences = check_gradient(
    self_attention_vjp,
    equation="eq-masked-multi-head-vjp",
    function=lambda Z, *rest: torch_multi_head(Z, Z, *rest),
    draw=causal_case,
    wrt=("Z", "parameters"),
    symbols={"return": "O'"},
    cases=20,
    name="masked_self_attention",
)


@rejects_pullback(
    masked_as_autograd,
    "Your gradient passes through scores that the mask forbids: their weights are 0, and so are their gradients.",
)
def heard_by_the_future(gradient, Z, p, n_heads, mask):
    return self_attention_vjp(Z, p, n_heads)[1](gradient)
