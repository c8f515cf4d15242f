"""Checks of the pullback of one neuron's loss."""

import numpy as np

from transformer_math.checks.block.neuron import (
    loss_from,
    neurons,
    one_neuron,
    torch_loss,
)
from transformer_math.checks.compare import difference, worst
from transformer_math.checks.gradients import check_gradient, rejects_pullback
from transformer_math.checks.registry import check
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


@check(
    neuron_loss_vjp,
    equation="eq-neuron-vjp",
    oracle="torch.nn.functional.binary_cross_entropy_with_logits",
    cases=2,
    wrt=("x", "w", "b"),
    symbols={"return": "mathcal:L"},
)
def loss_of_a_sure_neuron_equals_torch(neuron_loss_vjp, rng):
    """The losses alone: where a neuron is sure, and in the smallest case."""
    return worst(
        difference(neuron_loss_vjp(*one)[0], torch_loss(*one)) for one in neurons(rng)
    )


@loss_of_a_sure_neuron_equals_torch.rejects(
    "Your loss is bounded, since you keep p away from 0 and 1: use ln(1 + e^z) − t z, by np.logaddexp(0, z)."
)
def value_of_a_clipped_probability(x, w, b, t):
    _, pullback = neuron_loss_vjp(x, w, b, t)
    p = np.clip(probability(x, w, b), 1e-15, 1 - 1e-15)
    return float(loss_from(p, t)), pullback


@loss_of_a_sure_neuron_equals_torch.rejects(
    "The e^(−z) of your loss is infinite where z is far below 0: use ln(1 + e^z) − t z, by np.logaddexp(0, z)."
)
def value_of_the_logarithm_of_a_sum(x, w, b, t):
    z = w @ x + b
    _, pullback = neuron_loss_vjp(x, w, b, t)
    with np.errstate(all="ignore"):
        return float(np.log1p(np.exp(-z)) + (1 - t) * z), pullback
