"""Checks of the logits' pullback."""

import torch

from transformer_math.checks.gradient.projections import (
    bias_gradient,
    flat,
    tokens_matrix_bias,
)
from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.gradient.probabilities import logits_vjp

logits_as_autograd, logits_as_differences = check_gradient(
    logits_vjp,
    equation="eq-logits-vjp",
    function=lambda Z, W, b: torch.nn.functional.linear(Z, W.T) + b,
    draw=tokens_matrix_bias,
)
reject_careless_inputs(logits_as_autograd, ("Z", "W_out"))


@rejects_pullback(
    logits_as_autograd,
    "Your W_out gets the mean over the positions; all went through it, so their gradients add up.",
)
def mean_over_positions(dlogits, Z, W, b):
    dW = flat(Z).T @ flat(dlogits) / len(flat(Z))
    return dlogits @ W.T, dW, bias_gradient(dlogits, b)


@rejects_pullback(
    logits_as_differences,
    "The gradient of the bias is missing in your version: it is the sum over the positions.",
)
def logits_bias_forgotten(dlogits, Z, W, b):
    return dlogits @ W.T, flat(Z).T @ flat(dlogits), 0 * bias_gradient(dlogits, b)
