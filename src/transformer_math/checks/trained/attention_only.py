"""Checks of the model of attention alone, and of its gradient, against PyTorch."""

import numpy as np
import torch

from transformer_math.attention.multi_head import (
    AttentionParameters,
    multi_head_attention,
)
from transformer_math.block.layer_norm import NormParameters, layer_norm
from transformer_math.checks.compare import difference
from transformer_math.checks.gradient.encoder_layer import (
    random_stack,
    tokens_of_heads,
)
from transformer_math.checks.gradient.layer_norm import torch_norm
from transformer_math.checks.gradient.multi_head import torch_multi_head
from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import (
    batch,
    few,
    mask_for_heads,
    size,
    sometimes,
)
from transformer_math.checks.torch_layers import torch_mask
from transformer_math.checks.wrong import reject_careless_masks
from transformer_math.trained.attention_only import (
    AttentionLayerParameters,
    attention_only,
    attention_only_vjp,
)


def random_layer(rng, d_model):
    """One layer with random numbers everywhere."""
    W, b = (
        rng.normal(size=(4, d_model, d_model)) / d_model**0.5,
        rng.normal(size=(4, d_model)),
    )
    return AttentionLayerParameters(
        AttentionParameters(*W, *b),
        NormParameters(rng.normal(1, 0.3, d_model), rng.normal(0, 0.3, d_model)),
    )


def torch_layer(Z, p, n_heads, mask):
    """Z + nn.MultiheadAttention(LayerNorm(Z)), with PyTorch's modules."""
    a, d_model = p.attention, Z.shape[-1]
    module = torch.nn.MultiheadAttention(d_model, n_heads, batch_first=True).double()
    state = {
        "in_proj_weight": np.concatenate([a.W_Q.T, a.W_K.T, a.W_V.T]),
        "in_proj_bias": np.concatenate([a.b_Q, a.b_K, a.b_V]),
        "out_proj.weight": a.W_O.T.copy(),
        "out_proj.bias": a.b_O,
    }
    module.load_state_dict({name: torch.from_numpy(x) for name, x in state.items()})
    x = torch.nn.functional.layer_norm(
        Z, (d_model,), *map(torch.from_numpy, (p.norm.gamma, p.norm.beta))
    )
    blocked = torch_mask(mask, *Z.shape[:-2], n_heads, Z.shape[-2], Z.shape[-2])
    return Z + module(x, x, x, attn_mask=blocked, need_weights=False)[0]


@check(
    attention_only,
    equation="eq-attention-only",
    oracle="torch.nn.MultiheadAttention and torch.nn.functional.layer_norm",
)
def attention_only_equals_torch(attention_only, rng):
    n_heads, n = size(rng), size(rng)
    d_model = n_heads * size(rng)
    layers = tuple(random_layer(rng, d_model) for _ in range(few(rng)))
    lead = batch(rng)[:1]
    Z = rng.normal(size=(*lead, n, d_model))
    given, mask = sometimes(rng, mask_for_heads(rng, lead, n_heads, n, n), None)
    wanted = torch.from_numpy(Z)
    with torch.no_grad():
        for p in layers:
            wanted = torch_layer(wanted, p, n_heads, mask)
    return difference(attention_only(Z, layers, n_heads, *given), wanted)


def stacked(Z, layers, step):
    for p in layers:
        Z = step(Z, p)
    return Z


@attention_only_equals_torch.rejects(
    "You return what the heads found without what was there: each layer adds to its input."
)
def without_residual(Z, layers, n_heads, mask=None):
    def step(Z, p):
        x = layer_norm(Z, p.norm)
        return multi_head_attention(x, x, p.attention, n_heads, mask)[0]

    return stacked(Z, layers, step)


@attention_only_equals_torch.rejects(
    "You do not normalise: each layer's heads see LayerNorm of what came in."
)
def without_norm(Z, layers, n_heads, mask=None):
    return stacked(
        Z,
        layers,
        lambda Z, p: Z + multi_head_attention(Z, Z, p.attention, n_heads, mask)[0],
    )


@attention_only_equals_torch.rejects(
    "You normalise the sum, which is post-norm; here the normalisation stands before the heads, and the sum stays as it is."
)
def normalised_after(Z, layers, n_heads, mask=None):
    return stacked(
        Z,
        layers,
        lambda Z, p: layer_norm(
            Z + multi_head_attention(Z, Z, p.attention, n_heads, mask)[0],
            p.norm,
        ),
    )


@attention_only_equals_torch.rejects(
    "You add to the normalised input; the residual carries the input as it came."
)
def residual_of_the_normalised(Z, layers, n_heads, mask=None):
    def step(Z, p):
        x = layer_norm(Z, p.norm)
        return x + multi_head_attention(x, x, p.attention, n_heads, mask)[0]

    return stacked(Z, layers, step)


@attention_only_equals_torch.rejects(
    "Your layers all read the same tokens; each reads what the one before it wrote."
)
def side_by_side(Z, layers, n_heads, mask=None):
    def found(p):
        x = layer_norm(Z, p.norm)
        return multi_head_attention(x, x, p.attention, n_heads, mask)[0]

    return Z + sum(found(p) for p in layers)


def stack_case(rng):
    Z, n_heads, given = tokens_of_heads(rng)
    layers = random_stack(rng, lambda: random_layer(rng, Z.shape[-1]))
    return (Z, layers, n_heads, *given)


def torch_stack(Z, layers, n_heads, mask=None):
    for p in layers:
        x = torch_norm(Z, p.norm)
        Z = Z + torch_multi_head(x, x, p.attention, n_heads, mask)
    return Z


stack_as_autograd, stack_as_differences = check_gradient(
    attention_only_vjp,
    equation="eq-attention-only-vjp",
    function=torch_stack,
    draw=stack_case,
    wrt=("Z", "layers"),
    cases=10,
)
reject_careless_inputs(stack_as_autograd, ("Z", "layers"))
reject_careless_masks(stack_as_autograd, "the heads of every layer")


@rejects_pullback(
    stack_as_autograd,
    "The residuals' own path is lost: the gradient also passes untouched, beside all heads.",
)
def untouched_path_lost(gradient, Z, *arguments):
    dZ, dlayers = attention_only_vjp(Z, *arguments)[1](gradient)
    return dZ - gradient, dlayers


@rejects_pullback(
    stack_as_differences,
    "The gradient goes around the heads of every layer, and never through them.",
)
def heads_passed_by(gradient, *arguments):
    _, dlayers = attention_only_vjp(*arguments)[1](gradient)
    return np.array(gradient), dlayers


@rejects_pullback(
    stack_as_differences,
    "The gradients of your layers come in the wrong order: the last layer's is computed first, and stands last.",
)
def layers_reversed(gradient, *arguments):
    dZ, dlayers = attention_only_vjp(*arguments)[1](gradient)
    return dZ, dlayers[::-1]
