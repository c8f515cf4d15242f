"""Checks of the pullbacks of what draws with codes."""

import numpy as np
import torch

from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.modalities.vqgan import (
    answers,
    convolved,
    grid_and_kernel,
    pooled,
    two_features,
)
from transformer_math.checks.sampling import batch, size, sometimes
from transformer_math.gradient.vqgan import (
    convolve_vjp,
    discriminator_loss_vjp,
    energies_vjp,
    generator_loss_vjp,
    perceptual_loss_vjp,
)

NAMES = ("X", "K", "b")

convolution_as_autograd, convolution_as_differences = check_gradient(
    convolve_vjp,
    equation="eq-convolve-vjp",
    symbols={"return": "Y"},
    function=convolved,
    draw=grid_and_kernel,
    wrt=NAMES,
)
reject_careless_inputs(convolution_as_autograd, NAMES)


@rejects_pullback(
    convolution_as_autograd,
    "You convolve the gradient with the kernel as it stands: what was read from above has to go back there, so the kernel is turned around.",
)
def kernel_not_turned(dY, X, K, b):
    _, dK, db = convolve_vjp(X, K, b)[1](dY)
    swapped = K.swapaxes(2, 3).copy()
    dX = convolve_vjp(dY, swapped, np.zeros(K.shape[2]))[0]
    return dX, dK, db


@rejects_pullback(
    convolution_as_autograd,
    "The gradient of your kernel is turned around.",
)
def gradient_turned(dY, X, K, b):
    dX, dK, db = convolve_vjp(X, K, b)[1](dY)
    return dX, dK[::-1, ::-1].copy(), db


@rejects_pullback(
    convolution_as_autograd,
    "You take the mean over the grids and their cells: kernel and bias served all of them, so their gradients add up.",
)
def mean_over_cells(dY, X, K, b):
    dX, dK, db = convolve_vjp(X, K, b)[1](dY)
    cells = dY[..., 0].size
    return dX, dK / cells, db / cells


def answers_and_eps(rng):
    """Answers, a square, and how far the root stays from 0."""
    Y, P = answers(rng)
    given, _ = sometimes(rng, float(rng.choice([1e-2, 0.1, 2.0])), 1e-4)
    return Y, P, *given


energies_as_autograd, energies_as_differences = check_gradient(
    energies_vjp,
    equation="eq-energies-vjp",
    symbols={"patch_size": "p", "eps": "varepsilon", "return": "E"},
    function=pooled,
    draw=answers_and_eps,
    wrt=("Y",),
)


@rejects_pullback(
    energies_as_autograd,
    "You forget the root: its slope is 1 / (2 E), and it makes a weak edge matter as much as a strong one.",
)
def root_forgotten(dE, Y, patch_size, eps):
    E, pullback = energies_vjp(Y, patch_size, eps)
    return pullback(2 * E * dE)


@rejects_pullback(
    energies_as_autograd,
    "You do not divide by p²: each square is a mean of p² answers.",
)
def mean_forgotten(dE, Y, patch_size, eps):
    (dY,) = energies_vjp(Y, patch_size, eps)[1](dE)
    return (dY * patch_size**2,)


@rejects_pullback(
    energies_as_autograd,
    "Every answer gets the same in your version; the square's slope is twice the answer, sign and all.",
)
def same_for_all(dE, Y, patch_size, eps):
    (dY,) = energies_vjp(Y, patch_size, eps)[1](dE)
    return (np.abs(dY),)


perceptual_as_autograd, perceptual_as_differences = check_gradient(
    perceptual_loss_vjp,
    equation="eq-perceptual-loss-vjp",
    symbols={"E_hat": "E'", "return": "mathcal:L^per"},
    function=lambda E, E_hat: (E - E_hat).square().mean(),
    draw=two_features,
)
reject_careless_inputs(perceptual_as_autograd, ("E", "E_hat"))


@rejects_pullback(
    perceptual_as_autograd,
    "You do not divide by how many features there are: the loss is their mean.",
)
def not_divided(dL, E, E_hat):
    return tuple(E.size * g for g in perceptual_loss_vjp(E, E_hat)[1](dL))


def scores_off_the_border(rng):
    """Scores that are not on the very border, where the slope jumps."""
    return tuple(rng.normal(size=(*batch(rng), size(rng))) * 2 for _ in range(2))


discriminator_as_autograd, discriminator_as_differences = check_gradient(
    discriminator_loss_vjp,
    equation="eq-discriminator-loss-vjp",
    symbols={"S_hat": "S'", "return": "mathcal:L^dis"},
    function=lambda S, S_hat: (
        (torch.relu(1 - S).mean() + torch.relu(1 + S_hat).mean()) / 2
    ),
    draw=scores_off_the_border,
)
reject_careless_inputs(discriminator_as_autograd, ("S", "S_hat"))


@rejects_pullback(
    discriminator_as_autograd,
    "You push scores that are on their side already: beyond 1 and −1 the hinge is flat.",
)
def pushed_on(dL, S, S_hat):
    return np.full_like(S, -dL / (2 * S.size)), np.full_like(
        S_hat, dL / (2 * S_hat.size)
    )


@rejects_pullback(
    discriminator_as_autograd,
    "Your border lies at 0: real patches are pushed until they come to 1, drawn ones to −1.",
)
def border_at_zero(dL, S, S_hat):
    return np.where(S < 0, -dL / (2 * S.size), 0), np.where(
        S_hat > 0, dL / (2 * S_hat.size), 0
    )


generator_as_autograd, generator_as_differences = check_gradient(
    generator_loss_vjp,
    equation="eq-generator-loss-vjp",
    symbols={"S_hat": "S'", "return": "mathcal:L^gan"},
    function=lambda S_hat: -S_hat.mean(),
    draw=lambda rng: (rng.normal(size=(*batch(rng), size(rng))),),
)


@rejects_pullback(
    generator_as_autograd,
    "You do not divide by how many patches there are: the loss is their mean.",
)
def pushed_by_all(dL, S_hat):
    return (np.full_like(S_hat, -dL),)
