"""Checks of RMSNorm."""

import numpy as np
import torch

from transformer_math.block.layer_norm import layer_norm
from transformer_math.block.rms_norm import rms_norm
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import size, sometimes, tokens


@check(
    rms_norm, equation="eq-rms-norm", oracle="torch.nn.functional.rms_norm", cases=60
)
def rms_norm_equals_torch(rms_norm, rng):
    d_model = size(rng, at_least=2)
    x, gamma = tokens(rng, size(rng), d_model), rng.normal(size=d_model)
    given, eps = sometimes(rng, float(10 ** rng.uniform(-6, 0)), 1e-5)
    wanted = torch.nn.functional.rms_norm(
        torch.from_numpy(x), (d_model,), torch.from_numpy(gamma), eps
    )
    return difference(rms_norm(x, gamma, *given), wanted)


@rms_norm_equals_torch.rejects(
    "You take the mean away: that is layer normalisation. RMSNorm leaves it."
)
def centred(x, gamma, eps=1e-5):
    return layer_norm(x, gamma, np.zeros_like(gamma), eps)


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
