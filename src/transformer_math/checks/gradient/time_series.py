"""Checks of the pullbacks of the masked projection and of the dilated convolution."""

import numpy as np

from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.modalities.time_series import (
    series_and_kernel,
    series_and_projection,
    torch_convolution,
    torch_masked,
)
from transformer_math.gradient.time_series import (
    dilated_convolution_vjp,
    masked_projection_vjp,
)
from transformer_math.modalities.time_series import dilated_convolution

NAMES = ("X", "W", "b")

projection_as_autograd, projection_as_differences = check_gradient(
    masked_projection_vjp,
    equation="eq-masked-projection-vjp",
    symbols={"W": "W", "keep": "m", "return": "H"},
    function=torch_masked,
    draw=series_and_projection,
    wrt=NAMES,
)
reject_careless_inputs(projection_as_autograd, NAMES, matrices=("W",))


@rejects_pullback(
    projection_as_autograd,
    "Hidden moments send gradients back in your version: nothing of them was seen.",
)
def hidden_ones_too(dH, X, W, b, keep):
    return masked_projection_vjp(X, W, b, np.ones_like(keep))[1](dH)


@rejects_pullback(
    projection_as_autograd,
    "The bias learns from hidden moments in your version: it was hidden with them.",
)
def bias_from_all(dH, X, W, b, keep):
    dX, dW, _ = masked_projection_vjp(X, W, b, keep)[1](dH)
    return dX, dW, dH.reshape(-1, len(b)).sum(axis=0)


@rejects_pullback(
    projection_as_differences,
    "Your mask is turned over on the way back.",
)
def turned_over_back(dH, X, W, b, keep):
    return masked_projection_vjp(X, W, b, ~keep)[1](dH)


convolution_as_autograd, convolution_as_differences = check_gradient(
    dilated_convolution_vjp,
    equation="eq-dilated-convolution-vjp",
    symbols={"W": "W", "dilation": "r", "return": "Y"},
    function=torch_convolution,
    draw=series_and_kernel,
    wrt=NAMES,
)
reject_careless_inputs(convolution_as_autograd, NAMES, matrices=("W",))


def gradients(dY, X, W, b, dilation):
    """What the pullback gives."""
    return dilated_convolution_vjp(X, W, b, dilation)[1](dY)


@rejects_pullback(
    convolution_as_autograd,
    "On the way back you read in the same direction: what moment t read on its left, sends its gradient to the left, so the kernel is turned over.",
)
def kernel_not_turned(dY, X, W, b, dilation):
    _, dW, db = gradients(dY, X, W, b, dilation)
    back = W.swapaxes(1, 2)
    return dilated_convolution(dY, back, np.zeros(W.shape[1]), dilation), dW, db


@rejects_pullback(
    convolution_as_autograd,
    "Your kernel’s gradient is turned over: tap 0 met the earliest moment.",
)
def taps_turned(dY, X, W, b, dilation):
    dX, dW, db = gradients(dY, X, W, b, dilation)
    return dX, dW[::-1], db


@rejects_pullback(
    convolution_as_differences,
    "You forget the dilation on the way back.",
)
def dilation_forgotten(dY, X, W, b, dilation):
    return gradients(dY, X, W, b, 1)
