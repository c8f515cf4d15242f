"""Checks of the projection's pullback."""

import numpy as np
import torch

from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.sampling import size, sometimes, tokens
from transformer_math.gradient.projections import project_vjp


def tokens_matrix_bias(rng):
    Z, d_out = tokens(rng, size(rng)), size(rng)
    bias = [rng.normal(size=d_out), float(rng.normal())][rng.integers(2)]
    given, _ = sometimes(rng, bias, 0.0)
    return (Z, rng.normal(size=(Z.shape[-1], d_out)), *given)


project_as_autograd, project_as_differences = check_gradient(
    project_vjp,
    equation="eq-projection-vjp",
    axes={"Z": "n d_in", "return": "n d_out"},
    symbols={"b": "b^Q", "return": "Q"},
    function=lambda Z, W, b: torch.einsum("...i,io->...o", Z, W) + b,
    draw=tokens_matrix_bias,
)
reject_careless_inputs(project_as_autograd, ("Z", "W"))


def flat(x):
    return x.reshape(-1, x.shape[-1])


def bias_gradient(gradient, b):
    return flat(gradient).sum(axis=0) if np.ndim(b) else float(gradient.sum())


@rejects_pullback(
    project_as_autograd,
    "Your bias gets the mean over the tokens; it was added to each of them, so it gets the sum.",
)
def mean_for_the_bias(gradient, Z, W, b):
    dW = flat(Z).T @ flat(gradient)
    return (
        gradient @ W.T,
        dW,
        bias_gradient(gradient, b) / (gradient.size // W.shape[1]),
    )


@rejects_pullback(
    project_as_autograd,
    "Your matrix gets the mean over the tokens; every token went through it, so their gradients add up.",
)
def mean_for_the_matrix(gradient, Z, W, b):
    dW = flat(Z).T @ flat(gradient) / len(flat(Z))
    return gradient @ W.T, dW, bias_gradient(gradient, b)


@rejects_pullback(
    project_as_autograd,
    "Your matrix hears of the first sequence of the batch alone: all leading axes are summed.",
)
def first_sequence_only(gradient, Z, W, b):
    first = (0,) * (Z.ndim - 2)
    rows, dQ = np.atleast_2d(Z[first], gradient[first])
    return gradient @ W.T, rows.T @ dQ, bias_gradient(gradient, b)


@rejects_pullback(
    project_as_differences,
    "The gradient of the tokens is not multiplied by the matrix: dZ = dQ Wᵀ.",
)
def ones_for_the_matrix(gradient, Z, W, b):
    dZ = gradient @ np.ones_like(W).T
    return dZ, flat(Z).T @ flat(gradient), bias_gradient(gradient, b)


@rejects_pullback(
    project_as_differences,
    "The gradient of the bias is missing in your version: it is the sum over the tokens.",
)
def bias_forgotten(gradient, Z, W, b):
    return gradient @ W.T, flat(Z).T @ flat(gradient), 0 * bias_gradient(gradient, b)
