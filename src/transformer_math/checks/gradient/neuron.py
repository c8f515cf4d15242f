"""Checks of the pullback of one neuron's loss."""

import numpy as np

from transformer_math.checks.block.neuron import one_neuron, torch_loss
from transformer_math.checks.gradients import check_gradient, rejects_pullback
from transformer_math.gradient.neuron import neuron_loss_vjp

loss_of_neuron_as_autograd, _ = check_gradient(
    neuron_loss_vjp,
    equation="eq-neuron-vjp",
    symbols={"return": "mathcal:L"},
    function=torch_loss,
    draw=one_neuron,
    wrt=("x", "w", "b"),
)


def probability(x, w, b):
    return (1 + np.tanh((w @ x + b) / 2)) / 2


@rejects_pullback(
    loss_of_neuron_as_autograd,
    "You multiply by the slope of the logistic function once more, p (1 − p): the loss has cancelled it.",
)
def slope_of_a_square(g, x, w, b, t):
    p = probability(x, w, b)
    dz = g * (p - t) * p * (1 - p)
    return dz * w, dz * x, dz


@rejects_pullback(
    loss_of_neuron_as_autograd,
    "x and w are exchanged: what the neuron read gets w as its factor, and the weights get x.",
)
def factors_exchanged(g, x, w, b, t):
    dz = g * (probability(x, w, b) - t)
    return dz * x, dz * w, dz


@rejects_pullback(
    loss_of_neuron_as_autograd,
    "You return the logistic function's slope alone: the loss has a slope of its own, in front.",
)
def without_the_loss(g, x, w, b, t):
    p = probability(x, w, b)
    dz = g * p * (1 - p)
    return dz * w, dz * x, dz


@rejects_pullback(
    loss_of_neuron_as_autograd,
    "The gradient that arrives is ignored in your version: it multiplies.",
)
def arriving_gradient_ignored(g, x, w, b, t):
    dz = probability(x, w, b) - t
    return dz * w, dz * x, dz
