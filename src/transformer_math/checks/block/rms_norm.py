"""Checks of RMSNorm."""

import numpy as np
import torch

from transformer_math.block.layer_norm import NormParameters, layer_norm
from transformer_math.block.rms_norm import rms_norm
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import or_edge, size, sometimes, tokens


@check(
    rms_norm,
    equation="eq-rms-norm",
    axes={"x": "d_model", "return": "d_model"},
    oracle="torch.nn.functional.rms_norm",
    cases=60,
)
def rms_norm_equals_torch(rms_norm, rng):
    d_model = size(rng, mostly=2)
    x, gamma = tokens(rng, d_model), rng.normal(size=d_model)
    given, eps = sometimes(
        rng, or_edge(rng, 0.0, float(10 ** rng.uniform(-6, 0))), 1e-5
    )
    wanted = torch.nn.functional.rms_norm(
        torch.from_numpy(x), (d_model,), torch.from_numpy(gamma), eps
    )
    return difference(rms_norm(x, gamma, *given), wanted)


@rms_norm_equals_torch.rejects(
    "You take the mean away: that is layer normalisation. RMSNorm leaves it."
)
def centred(x, gamma, eps=1e-5):
    return layer_norm(x, NormParameters(gamma, np.zeros_like(gamma)), eps)


@rms_norm_equals_torch.rejects(
    "You divide by the standard deviation; wanted the root of the mean square, from which no mean was taken."
)
def by_deviation(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt(x.var(axis=-1, keepdims=True) + eps)


@rms_norm_equals_torch.rejects(
    "Your ε stands outside the square root: √(mean of x² + ε)."
)
def eps_outside(x, gamma, eps=1e-5):
    return gamma * x / (np.sqrt((x**2).mean(axis=-1, keepdims=True)) + eps)


@rms_norm_equals_torch.rejects("You leave out ε: √(mean of x² + ε).")
def without_eps(x, gamma, eps=1e-5):
    return rms_norm(x, gamma, 0.0)


@rms_norm_equals_torch.rejects(
    "You divide by the length of the vector; the root of the mean square is that length divided by √d_model."
)
def by_length(x, gamma, eps=1e-5):
    return gamma * x / np.linalg.norm(x, axis=-1, keepdims=True)


@rms_norm_equals_torch.rejects(
    "You normalise over the tokens; each token is normalised by itself, over its d_model entries."
)
def over_the_tokens(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt((x**2).mean(axis=-2, keepdims=True) + eps)


@rms_norm_equals_torch.rejects("You divide by the mean square; wanted its root.")
def root_forgotten(x, gamma, eps=1e-5):
    return gamma * x / ((x**2).mean(axis=-1, keepdims=True) + eps)


@rms_norm_equals_torch.rejects("You forget γ: the learnt scale comes last.")
def without_scale(x, gamma, eps=1e-5):
    return rms_norm(x, np.ones_like(gamma), eps)


@rms_norm_equals_torch.rejects(
    "You divide by the length of the vector: take the mean of the squares, not their sum."
)
def sum_for_mean(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt((x**2).sum(axis=-1, keepdims=True) + eps)


@rms_norm_equals_torch.rejects(
    "You take the mean of absolute values; wanted the root of the mean of squares."
)
def absolute_values(x, gamma, eps=1e-5):
    return gamma * x / (np.abs(x).mean(axis=-1, keepdims=True) + eps)


@rms_norm_equals_torch.rejects("You square the mean; wanted the mean of the squares.")
def square_of_the_mean(x, gamma, eps=1e-5):
    return gamma * x / np.sqrt(x.mean(axis=-1, keepdims=True) ** 2 + eps)


@rms_norm_equals_torch.rejects("You multiply by the root; wanted a division.")
def multiplied_by_the_root(x, gamma, eps=1e-5):
    return gamma * x * np.sqrt((x**2).mean(axis=-1, keepdims=True) + eps)


@rms_norm_equals_torch.rejects("You divide by γ as well: the learnt scale multiplies.")
def divided_by_the_scale(x, gamma, eps=1e-5):
    return rms_norm(x, 1 / gamma, eps)


@rms_norm_equals_torch.rejects(
    "You scale by 1 + γ, as some models keep it; here γ itself is the scale."
)
def one_plus_the_scale(x, gamma, eps=1e-5):
    return rms_norm(x, 1 + gamma, eps)


@rms_norm_equals_torch.rejects(
    "You add ε to the length, outside the root; wanted √(mean of x² + ε)."
)
def eps_beside_the_length(x, gamma, eps=1e-5):
    root = x.shape[-1] ** 0.5
    return gamma * x * root / (np.linalg.norm(x, axis=-1, keepdims=True) + eps)


@rms_norm_equals_torch.rejects(
    "You add ε to the sum of the squares; it is added to their mean, so to the sum d ε."
)
def eps_beside_the_sum(x, gamma, eps=1e-5):
    return rms_norm(x, gamma, eps / x.shape[-1])
