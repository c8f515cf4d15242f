"""Checks of layer normalisation and the two ways to put a residual around it."""

from dataclasses import replace

import numpy as np
import torch

from transformer_math.block.layer_norm import (
    NormParameters,
    add_norm,
    layer_norm,
    pre_norm,
)
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import longest, or_edge, size, sometimes, tokens


def random_parameters(rng, d_model):
    return NormParameters(*rng.normal(size=(2, d_model)))


def random_norm(rng):
    """Tokens with scale and shift; ε as it is passed on, and as it holds: large as often as small, so that its place is seen."""
    d_model = size(rng, mostly=2)
    x, p = tokens(rng, d_model), random_parameters(rng, d_model)
    eps = or_edge(rng, 0.0, float(10 ** rng.uniform(-6, 0)))
    return x, p, *sometimes(rng, eps, 1e-5)


def pairs_far_from_zero(rng):
    """Two whole numbers on either side of 2³⁰ in each token: their mean is exact, their squares lose the difference."""
    return 2.0**30 + rng.integers(1, 9, size=(5, 1)) * np.array([-1.0, 1.0])


def torch_norm(x, p, eps):
    return torch.nn.functional.layer_norm(
        *(torch.from_numpy(x), x.shape[-1:]),
        *(torch.from_numpy(p.gamma), torch.from_numpy(p.beta)),
        eps,
    )


@check(
    layer_norm,
    equation="eq-layer-norm",
    oracle="torch.nn.functional.layer_norm",
    cases=60,
)
def layer_norm_equals_torch(layer_norm, rng):
    x, p, given, eps = random_norm(rng)
    if longest():
        x, p = pairs_far_from_zero(rng), random_parameters(rng, 2)
    return difference(layer_norm(x, p, *given), torch_norm(x, p, eps))


layer_norm_equals_torch.visits(
    "tokens far from 0",
    lambda x: bool(np.any(np.abs(x.mean(axis=-1)) > 1e7 * x.std(axis=-1))),
)


@layer_norm_equals_torch.rejects(
    "Your variance divides by d_model − 1; layer normalisation divides by d_model."
)
def unbiased_variance(x, p, eps=1e-5):
    return (
        p.gamma
        * (x - x.mean(-1, keepdims=True))
        / np.sqrt(x.var(-1, ddof=1, keepdims=True) + eps)
        + p.beta
    )


@layer_norm_equals_torch.rejects(
    "Your ε stands outside the square root: √(σ² + ε), not √σ² + ε."
)
def eps_outside(x, p, eps=1e-5):
    return (
        p.gamma * (x - x.mean(-1, keepdims=True)) / (x.std(-1, keepdims=True) + eps)
        + p.beta
    )


@layer_norm_equals_torch.rejects(
    "You normalise over the tokens; each token is normalised by itself, over its d_model entries."
)
def over_the_tokens(x, p, eps=1e-5):
    return (
        p.gamma
        * (x - x.mean(-2, keepdims=True))
        / np.sqrt(x.var(-2, keepdims=True) + eps)
        + p.beta
    )


@layer_norm_equals_torch.rejects("You do not take the mean away: that is RMSNorm.")
def root_mean_square(x, p, eps=1e-5):
    return p.gamma * x / np.sqrt((x**2).mean(-1, keepdims=True) + eps) + p.beta


@layer_norm_equals_torch.rejects(
    "You divide by the length of the centred vector, as np.linalg.norm gives it; the deviation is that length divided by √d_model."
)
def divided_by_length(x, p, eps=1e-5):
    centred = x - x.mean(-1, keepdims=True)
    return p.gamma * centred / np.linalg.norm(centred, axis=-1, keepdims=True) + p.beta


@layer_norm_equals_torch.rejects(
    "You take mean and variance of the whole array; each token has its own, axis=-1."
)
def over_everything(x, p, eps=1e-5):
    return p.gamma * (x - x.mean()) / np.sqrt(x.var() + eps) + p.beta


@layer_norm_equals_torch.rejects("You forget β: the learnt shift is added last.")
def without_shift(x, p, eps=1e-5):
    return layer_norm(x, replace(p, beta=0 * p.beta), eps)


@layer_norm_equals_torch.rejects(
    "You forget γ: the learnt scale comes before the shift."
)
def without_scale(x, p, eps=1e-5):
    return layer_norm(x, replace(p, gamma=0 * p.gamma + 1), eps)


@layer_norm_equals_torch.rejects(
    "You add β before you multiply by γ: first the scale, then the shift."
)
def shifted_before_scaled(x, p, eps=1e-5):
    return layer_norm(x, replace(p, beta=p.gamma * p.beta), eps)


@layer_norm_equals_torch.rejects("You leave out ε: √(σ² + ε).")
def without_eps(x, p, eps=1e-5):
    return layer_norm(x, p, 0.0)


@layer_norm_equals_torch.rejects(
    "You forget γ and β: the learnt scale and shift come last."
)
def without_scale_and_shift(x, p, eps=1e-5):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps)


@layer_norm_equals_torch.rejects("You divide by the variance; wanted its square root.")
def divided_by_variance(x, p, eps=1e-5):
    return (
        p.gamma * (x - x.mean(-1, keepdims=True)) / (x.var(-1, keepdims=True) + eps)
        + p.beta
    )


@layer_norm_equals_torch.rejects(
    "Your variance is wrong for numbers that are far from 0: the mean of the squares minus the square of the mean cancels. Subtract the mean first, then square."
)
def variance_by_difference(x, p, eps=1e-5):
    mean = x.mean(axis=-1, keepdims=True)
    variance = (x**2).mean(axis=-1, keepdims=True) - mean**2
    with np.errstate(all="ignore"):
        return p.gamma * (x - mean) / np.sqrt(variance + eps) + p.beta


@check(
    add_norm,
    equation="eq-add-norm",
    axes={"x": "n d_model", "update": "n d_model", "return": "n d_model"},
    symbols={"x": "Z"},
    oracle="torch.nn.functional.layer_norm of the sum",
)
def add_norm_equals_torch(add_norm, rng):
    x, p, given, eps = random_norm(rng)
    update = rng.normal(size=x.shape)
    return difference(
        add_norm(x, update, p, *given),
        torch_norm(x + update, p, eps),
    )


@add_norm_equals_torch.rejects(
    "You normalise the update and add it after; the sum is what is normalised."
)
def norm_then_add(x, update, p, eps=1e-5):
    return x + layer_norm(update, p, eps)


@add_norm_equals_torch.rejects(
    "You forget the residual: what goes in must itself be added."
)
def no_residual(x, update, p, eps=1e-5):
    return layer_norm(update, p, eps)


@add_norm_equals_torch.rejects(
    "You forget the update: what the sublayer found is added to x before the sum is normalised."
)
def no_update(x, update, p, eps=1e-5):
    return layer_norm(x, p, eps)


@add_norm_equals_torch.rejects(
    "You add x once more after normalising: the sum is normalised, and that is all."
)
def added_twice(x, update, p, eps=1e-5):
    return x + layer_norm(x + update, p, eps)


@add_norm_equals_torch.rejects("You forget to normalise the sum.")
def no_norm(x, update, p, eps=1e-5):
    return x + update


@check(
    pre_norm, equation="eq-pre-norm", oracle="the same in PyTorch, around a linear map"
)
def pre_norm_equals_torch(pre_norm, rng):
    x, p, given, eps = random_norm(rng)
    W = rng.normal(size=(x.shape[-1], x.shape[-1]))
    wanted = torch.from_numpy(x) + torch_norm(x, p, eps) @ torch.from_numpy(W)
    return difference(pre_norm(x, lambda z: z @ W, p, *given), wanted)


@pre_norm_equals_torch.rejects("You normalise after adding: that is post-norm.")
def post_norm(x, sublayer, p, eps=1e-5):
    return add_norm(x, sublayer(x), p, eps)


@pre_norm_equals_torch.rejects("You forget to normalise what goes into the sublayer.")
def nothing_normalised(x, sublayer, p, eps=1e-5):
    return x + sublayer(x)


@pre_norm_equals_torch.rejects(
    "You forget the residual: x itself is added to what the sublayer found."
)
def without_residual(x, sublayer, p, eps=1e-5):
    return sublayer(layer_norm(x, p, eps))


@pre_norm_equals_torch.rejects(
    "You normalise what comes out of the sublayer; in pre-norm what goes in is normalised."
)
def update_normalised(x, sublayer, p, eps=1e-5):
    return x + layer_norm(sublayer(x), p, eps)


@pre_norm_equals_torch.rejects(
    "You add the normalised input; the residual path must carry x untouched."
)
def normalised_residual(x, sublayer, p, eps=1e-5):
    normed = layer_norm(x, p, eps)
    return normed + sublayer(normed)
