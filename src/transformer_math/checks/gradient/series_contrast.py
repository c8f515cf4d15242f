"""Checks of the pullbacks of TS2Vec's loss."""

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.modalities.series_contrast import (
    batch_of_views,
    torch_contrast,
    torch_dual,
    torch_halved,
    torch_hierarchical,
    two_views,
    without_diagonal,
)
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import few, size, small_batch, sometimes
from transformer_math.gradient.series_contrast import (
    contrast_vjp,
    dual_contrast_vjp,
    halve_time_vjp,
    hierarchical_contrast_vjp,
)

VIEWS = ("R", "S")

contrast_as_autograd, contrast_as_differences = check_gradient(
    contrast_vjp,
    equation="eq-contrast-vjp",
    symbols={"return": "mathcal:L"},
    function=torch_contrast,
    draw=two_views,
    wrt=VIEWS,
)
reject_careless_inputs(contrast_as_autograd, VIEWS)


def pulled(dL, R, S, symmetric=True, itself=False, partner=True):
    """The gradients by hand, with a part that may be left out."""
    each = dL / R[..., 0].size
    with_S, with_R = (R @ np.swapaxes(Q, -1, -2) for Q in (S, R))
    with_R = with_R if itself else without_diagonal(with_R)
    shares = np.exp(np.concatenate([with_S, with_R], axis=-1))
    shares /= shares.sum(axis=-1, keepdims=True)
    A, B = np.split(shares, 2, axis=-1)
    B = B + np.swapaxes(B, -1, -2) if symmetric else B
    dR, dS = A @ S + B @ R - partner * S, np.swapaxes(A, -1, -2) @ R - partner * R
    return each * dR, each * dS


@rejects_pullback(
    contrast_as_autograd,
    "Each row stands in two places among the scores of R with R: as the one that looks, and as one that is looked at. The second is missing.",
)
def looked_at_forgotten(dL, R, S):
    return pulled(dL, R, S, symmetric=False)


@rejects_pullback(
    contrast_as_autograd,
    "Your shares count each row with itself.",
)
def shares_with_itself(dL, R, S):
    return pulled(dL, R, S, itself=True)


@rejects_pullback(
    contrast_as_differences,
    "Nothing draws a row to its partner in your version: the dot product with it is subtracted in the loss.",
)
def no_partner(dL, R, S):
    return pulled(dL, R, S, partner=False)


def views_and_weight(rng):
    """Two views of a few series, and the weight of the two contrasts."""
    given, _ = sometimes(rng, float(rng.choice([0.0, 0.3, 0.8, 1.0])), 0.5)
    return *batch_of_views(rng), *given


def check_weighted_contrast(target, equation, function):
    """Two checks of a contrast of two views whose parts α weighs, and what its pullback can get wrong."""
    as_autograd, as_differences = check_gradient(
        target,
        equation=equation,
        symbols={"return": "mathcal:L"},
        function=function,
        draw=views_and_weight,
        wrt=VIEWS,
        cases=25,
    )
    reject_careless_inputs(as_autograd, VIEWS)

    @rejects_pullback(
        as_autograd,
        "You exchange the weights: α weighs the contrast among series.",
    )
    def weights_exchanged(dL, R, S, alpha):
        return target(R, S, 1 - alpha)[1](dL)

    @rejects_pullback(as_autograd, "Your α is always one half.")
    def half_always(dL, R, S, alpha):
        return target(R, S)[1](dL)

    return as_autograd, as_differences


_, dual_as_differences = check_weighted_contrast(
    dual_contrast_vjp, "eq-dual-contrast-vjp", torch_dual
)
_, hierarchy_as_differences = check_weighted_contrast(
    hierarchical_contrast_vjp, "eq-hierarchical-contrast-vjp", torch_hierarchical
)


@rejects_pullback(
    dual_as_differences,
    "You pull back the contrast of moments alone: the series of the batch are told apart, too.",
)
def dual_of_moments(dL, R, S, alpha):
    return contrast_vjp(R, S)[1](dL * (1 - alpha))


@rejects_pullback(
    hierarchy_as_differences,
    "You pull back the finest level only: the coarser ones come from the same vectors, through the maxima.",
)
def finest_level_alone(dL, R, S, alpha):
    levels = 1 + int(np.log2(R.shape[1]))
    return dual_contrast_vjp(R, S, alpha)[1](dL / levels)


def moments(rng):
    """Vectors of two moments or more, after random batch axes."""
    return (rng.normal(size=(*small_batch(rng), size(rng, at_least=2), few(rng))),)


halves_as_autograd, halves_as_differences = check_gradient(
    halve_time_vjp,
    equation="eq-halve-time-vjp",
    symbols={"return": "H"},
    function=torch_halved,
    draw=moments,
)
halves_as_autograd.excuses("one moment has no neighbour", "n = 1")
halves_as_differences.excuses("one moment has no neighbour", "n = 1")


@check(
    halve_time_vjp,
    equation="eq-halve-time-vjp",
    symbols={"return": "H"},
    wrt=("R",),
    oracle="torch.autograd, with equal neighbours",
)
def halves_of_equal_neighbours(halve_time_vjp, rng):
    R = np.round(*moments(rng))
    R[..., 1, :] = R[..., 0, :]
    tensor = torch.tensor(R, requires_grad=True)
    halved = torch_halved(tensor)
    dH = rng.normal(size=halved.shape)
    halved.backward(torch.from_numpy(dH))
    return difference(halve_time_vjp(R)[1](dH)[0], tensor.grad)


halves_of_equal_neighbours.excuses("one moment has no neighbour", "n = 1")


@rejects_pullback(
    halves_of_equal_neighbours,
    "Of two equal neighbours both get the gradient in your version: wanted the first alone, as PyTorch's pooling gives it.",
)
def both_of_two_equal(dH, R):
    even = R.shape[-2] // 2 * 2
    first, second = R[..., 0:even:2, :], R[..., 1:even:2, :]
    return (to_pairs(dH, R, (first >= second, second >= first)),)


@rejects_pullback(
    halves_of_equal_neighbours,
    "Of two equal neighbours the second gets the gradient in your version: wanted the first, as PyTorch's pooling gives it.",
)
def second_of_two_equal(dH, R):
    even = R.shape[-2] // 2 * 2
    first, second = R[..., 0:even:2, :], R[..., 1:even:2, :]
    return (to_pairs(dH, R, (first > second, second >= first)),)


@rejects_pullback(
    halves_as_autograd,
    "Both numbers of a pair get the gradient in your version: only the larger one does.",
)
def to_both(dH, R):
    return (to_pairs(dH, R, np.ones(2)),)


@rejects_pullback(
    halves_as_differences,
    "The first number of each pair gets the gradient in your version: wanted the larger one.",
)
def to_the_first(dH, R):
    return (to_pairs(dH, R, np.array([1, 0])),)


def to_pairs(dH, R, shares):
    """To the numbers of each pair so much of the gradient."""
    dR, even = np.zeros_like(R), R.shape[-2] // 2 * 2
    for start, share in enumerate(shares):
        dR[..., start:even:2, :] = share * dH
    return dR
