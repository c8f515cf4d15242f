"""Checks of the pullback of RMSNorm."""

import numpy as np
import torch

from transformer_math.checks.gradient.layer_norm import mean
from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.sampling import or_edge, size, sometimes, tokens
from transformer_math.checks.wrong import ignoring
from transformer_math.gradient.rms_norm import rms_norm_vjp


def norm_case(rng):
    d_model = size(rng, mostly=2)
    x, gamma = tokens(rng, d_model), rng.normal(size=d_model)
    given, _ = sometimes(rng, or_edge(rng, 0.0, float(10 ** rng.uniform(-6, 0))), 1e-5)
    return (x, gamma, *given)


norm_as_autograd, norm_as_differences = check_gradient(
    rms_norm_vjp,
    equation="eq-rms-norm-vjp",
    axes={"x": "n d_model", "return": "n d_model"},
    symbols={"return": "y"},
    function=lambda x, gamma, eps=1e-5: torch.nn.functional.rms_norm(
        x, gamma.shape, gamma, eps
    ),
    draw=norm_case,
    wrt=("x", "gamma"),
    cases=12,
)
reject_careless_inputs(norm_as_autograd, ("x", "gamma"))
norm_as_autograd.rejects(
    "You ignore ε: it stands under the root, on the way back too."
)(ignoring(rms_norm_vjp, "eps"))


def gradients(dy, x, gamma, eps, of_x=None, of_gamma=None):
    """The two gradients, with other ways to make each of g (or dy), z and the root."""
    root = np.sqrt(mean(x**2) + eps)
    z, g = x / root, gamma * dy
    dx = (g - z * mean(g * z)) / root if of_x is None else of_x(g, z, root)
    each = dy * z if of_gamma is None else of_gamma(dy, z)
    return dx, each.reshape(-1, len(gamma)).sum(axis=0)


@rejects_pullback(
    norm_as_autograd,
    "You treat the root as a constant: it depends on every entry, so z times the mean of g·z is subtracted.",
)
def root_held_constant(dy, x, gamma, eps):
    return gradients(dy, x, gamma, eps, lambda g, z, root: g / root)


@rejects_pullback(
    norm_as_autograd,
    "You subtract the mean of g: that is LayerNorm, which takes the mean of x away. RMSNorm leaves it.",
)
def mean_subtracted(dy, x, gamma, eps):
    return gradients(
        dy, x, gamma, eps, lambda g, z, root: (g - mean(g) - z * mean(g * z)) / root
    )


@rejects_pullback(
    norm_as_autograd,
    "You do not divide by the root: what was divided on the way there is divided on the way back.",
)
def root_forgotten(dy, x, gamma, eps):
    return gradients(dy, x, gamma, eps, lambda g, z, root: g - z * mean(g * z))


@rejects_pullback(
    norm_as_autograd,
    "γ is missing in the gradient of x: it multiplies dy first.",
)
def scale_forgotten(dy, x, gamma, eps):
    dx, _ = gradients(dy, x, np.ones_like(gamma), eps)
    return dx, gradients(dy, x, gamma, eps)[1]


@rejects_pullback(
    norm_as_differences,
    "The gradient of γ is multiplied by x itself; wanted the normalised z, which γ met.",
)
def scale_by_raw_tokens(dy, x, gamma, eps):
    return gradients(dy, x, gamma, eps, of_gamma=lambda dy, z: dy * x)


@rejects_pullback(
    norm_as_differences,
    "γ gets the mean over the tokens; it served every token, so it gets the sum.",
)
def mean_over_tokens(dy, x, gamma, eps):
    rows = dy.size // dy.shape[-1]
    return gradients(dy, x, gamma, eps, of_gamma=lambda dy, z: dy * z / rows)


@rejects_pullback(
    norm_as_autograd,
    "Your second term is too large by d: r holds a mean of squares, so its slope in x_j is −r³ x_j / d.",
)
def sum_for_mean(dy, x, gamma, eps):
    def of_x(g, z, root):
        return (g - z * (g * z).sum(axis=-1, keepdims=True)) / root

    return gradients(dy, x, gamma, eps, of_x)


@rejects_pullback(
    norm_as_autograd,
    "You add the second term; r falls as x grows: its slope is −r³ x_j / d, with a minus.",
)
def second_term_added(dy, x, gamma, eps):
    return gradients(dy, x, gamma, eps, lambda g, z, root: (g + z * mean(g * z)) / root)


@rejects_pullback(
    norm_as_autograd,
    "The power of r is wrong: the slope of r = s^(−½) in s is −½ s^(−3/2), which is −r³ / 2.",
)
def power_of_one(dy, x, gamma, eps):
    return gradients(
        dy, x, gamma, eps, lambda g, z, root: g / root - z * mean(g * z) * root
    )


@rejects_pullback(
    norm_as_autograd,
    "γ gets γ dy z in your version; it met z alone: dγ is the sum of dy z, without γ.",
)
def scale_of_itself(dy, x, gamma, eps):
    return gradients(dy, x, gamma, eps, of_gamma=lambda dy, z: gamma * dy * z)
