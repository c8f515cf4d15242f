"""Checks of what parts add to logits: against PyTorch's normalisation of their sum, and its gradient with the divisor held."""

import numpy as np
import torch
from torch.nn.functional import layer_norm, linear

from transformer_math.block.layer_norm import NormParameters
from transformer_math.checks.block.layer_norm import random_parameters
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import size, sometimes
from transformer_math.trained.logit_parts import logit_parts


def with_divisor_held(R, gamma, E, eps):
    """Each part's inner product with the slope of the logits, where the standard deviation is no function of the sum."""
    x = R.sum(0)
    sigma = x.var(correction=0).add(eps).sqrt()

    def logits(x):
        return linear(gamma * (x - x.mean()) / sigma, E)

    return linear(R, torch.autograd.functional.jacobian(logits, x))


@check(
    logit_parts,
    equation="eq-logit-parts",
    symbols={"parts": "R", "return": "s"},
    oracle="torch.autograd with the divisor held; their sum: torch.nn.functional.layer_norm of the sum of all parts",
    cases=40,
)
def parts_sum_to_torch_logits(logit_parts, rng):
    n, V, d_model = size(rng, mostly=2), size(rng), size(rng, mostly=3)
    R = rng.normal(size=(n, d_model)) * 10 ** rng.uniform(-2, 1, size=(n, 1))
    p, E = random_parameters(rng, d_model), rng.normal(size=(V, d_model))
    given, eps = sometimes(rng, float(10 ** rng.uniform(-6, 1)), 1e-5)
    added = np.asarray(logit_parts(R, p, E, *given))
    x, matrix, gamma, beta = map(torch.from_numpy, (R, E, p.gamma, p.beta))
    of_sum = layer_norm(x.sum(0), (d_model,), gamma, beta, eps)
    return max(
        difference(added, with_divisor_held(x, gamma, matrix, eps)),
        difference(added.sum(axis=0) + E @ p.beta, linear(of_sum, matrix)),
    )


@parts_sum_to_torch_logits.rejects(
    "You divide each part by its own standard deviation; the norm has one divisor, that of the sum."
)
def own_divisors(parts, p, E, eps=1e-5):
    centred = parts - parts.mean(axis=1, keepdims=True)
    return (p.gamma * centred / np.sqrt(parts.var(axis=1, keepdims=True) + eps)) @ E.T


@parts_sum_to_torch_logits.rejects(
    "You add β to every part; it is added once, and is a part by itself."
)
def beta_each_time(parts, p, E, eps=1e-5):
    return logit_parts(parts, p, E, eps) + E @ p.beta


@parts_sum_to_torch_logits.rejects(
    "You leave the parts' means in; the norm takes each part's mean off, as it does with the sum's."
)
def means_left_in(parts, p, E, eps=1e-5):
    return p.gamma * parts / np.sqrt(parts.sum(axis=0).var() + eps) @ E.T


@parts_sum_to_torch_logits.rejects(
    "You take the mean of the sum off every part; each part has its own, and these add up to the sum's."
)
def mean_of_the_sum(parts, p, E, eps=1e-5):
    x = parts.sum(axis=0)
    return p.gamma * (parts - x.mean()) / np.sqrt(x.var() + eps) @ E.T


@parts_sum_to_torch_logits.rejects("You forget γ, the scale of the norm.")
def without_gamma(parts, p, E, eps=1e-5):
    return logit_parts(parts, NormParameters(np.ones_like(p.gamma), p.beta), E, eps)


@parts_sum_to_torch_logits.rejects(
    "Your variance is the mean of the parts' variances; the norm has that of their sum."
)
def mean_variance(parts, p, E, eps=1e-5):
    centred = parts - parts.mean(axis=1, keepdims=True)
    return p.gamma * centred / np.sqrt(parts.var(axis=1).mean() + eps) @ E.T


@parts_sum_to_torch_logits.rejects(
    "Your ε stands outside the square root: √(σ² + ε), not √σ² + ε."
)
def eps_outside(parts, p, E, eps=1e-5):
    centred = parts - parts.mean(axis=1, keepdims=True)
    return p.gamma * centred / (parts.sum(axis=0).std() + eps) @ E.T


@parts_sum_to_torch_logits.rejects(
    "Your variance divides by d_model − 1; layer normalisation divides by d_model."
)
def unbiased_variance(parts, p, E, eps=1e-5):
    centred = parts - parts.mean(axis=1, keepdims=True)
    return p.gamma * centred / np.sqrt(parts.sum(axis=0).var(ddof=1) + eps) @ E.T
