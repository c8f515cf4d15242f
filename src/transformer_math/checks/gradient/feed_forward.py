"""Checks of the pullbacks of the activations and of the feed-forward network."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch

from transformer_math.block.feed_forward import FeedForwardParameters
from transformer_math.checks.compare import difference
from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import size, tokens
from transformer_math.checks.torch_gradients import ACTIVATIONS
from transformer_math.checks.wrong import reject_deafness_to_activation
from transformer_math.gradient.feed_forward import (
    feed_forward_vjp,
    gelu_tanh_vjp,
    gelu_vjp,
    relu_vjp,
)


def numbers(rng):
    return (tokens(rng, size(rng), size(rng)),)


def distribution(x):
    return np.vectorize(lambda z: (1 + math.erf(z / math.sqrt(2))) / 2)(x)


def bell(x):
    return np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)


relu_as_autograd, relu_as_differences = check_gradient(
    relu_vjp,
    equation="eq-relu-vjp",
    symbols={"return": "y"},
    function=torch.relu,
    draw=numbers,
)


@check(
    relu_vjp,
    equation="eq-relu-vjp",
    symbols={"return": "y"},
    wrt=("x",),
    oracle="torch.autograd, zeros among the numbers",
)
def relu_vjp_at_zero(relu_vjp, rng):
    (x,) = numbers(rng)
    x[rng.random(x.shape) < 0.3] = 0.0  # where a unit rests, there is no slope
    tensor = torch.tensor(x, requires_grad=True)
    dy = rng.normal(size=x.shape)
    torch.relu(tensor).backward(torch.from_numpy(dy))
    return difference(relu_vjp(x)[1](dy)[0], tensor.grad)


@rejects_pullback(
    relu_vjp_at_zero,
    "At 0 your slope is 1: there ReLU has none, and PyTorch takes 0.",
)
def slope_one_at_zero(dy, x):
    return (dy * (x >= 0),)


@rejects_pullback(
    relu_as_autograd,
    "Everything passes in your version: where x was negative, ReLU gave 0 whatever x was, so nothing comes back.",
)
def everything_passes(dy, x):
    return (np.array(dy),)


@rejects_pullback(
    relu_as_autograd,
    "You ask for the sign of the gradient; wanted that of x: ReLU stopped what was negative on the way there.",
)
def sign_of_the_gradient(dy, x):
    return (np.maximum(dy, 0),)


@rejects_pullback(
    relu_as_differences,
    "You multiply by ReLU(x); its slope is 1 where x is positive.",
)
def value_for_slope(dy, x):
    return (dy * np.maximum(x, 0),)


gelu_as_autograd, gelu_as_differences = check_gradient(
    gelu_vjp,
    equation="eq-gelu-vjp",
    symbols={"return": "y"},
    function=torch.nn.functional.gelu,
    draw=numbers,
)


@rejects_pullback(
    gelu_as_autograd,
    "The second term of the product rule is missing: x times the bell curve.",
)
def gelu_without_bell(dy, x):
    return (dy * distribution(x),)


@rejects_pullback(
    gelu_as_autograd,
    "The bell curve is not multiplied by x: the product rule gives Φ(x) + x·φ(x).",
)
def gelu_bell_alone(dy, x):
    return (dy * (distribution(x) + bell(x)),)


@rejects_pullback(
    gelu_as_differences,
    "Your bell curve lacks its factor 1/√(2π).",
)
def gelu_bell_too_high(dy, x):
    return (dy * (distribution(x) + x * np.exp(-(x**2) / 2)),)


gelu_tanh_as_autograd, gelu_tanh_as_differences = check_gradient(
    gelu_tanh_vjp,
    equation="eq-gelu-tanh-vjp",
    symbols={"return": "y"},
    function=ACTIVATIONS[gelu_tanh_vjp],
    draw=numbers,
)


def tanh_slope(dy, x, inner, power=2):
    c = math.sqrt(2 / math.pi)
    t = np.tanh(c * (x + 0.044715 * x**3))
    return (dy * ((1 + t) / 2 + x / 2 * (1 - t**power) * c * inner),)


@rejects_pullback(
    gelu_tanh_as_autograd,
    "You have the gradient of the exact GELU; wanted that of the formula with the hyperbolic tangent.",
)
def gradient_of_the_exact_one(dy, x):
    return (dy * (distribution(x) + x * bell(x)),)


@rejects_pullback(
    gelu_tanh_as_autograd,
    "The inner slope is missing: the argument of tanh is √(2/π)(x + 0.044715 x³), and its slope multiplies.",
)
def inner_slope_missing(dy, x):
    return tanh_slope(dy, x, 1 / math.sqrt(2 / math.pi))


@rejects_pullback(
    gelu_tanh_as_differences,
    "The slope of x³ is 3x²: your factor 3 is missing.",
)
def cube_without_three(dy, x):
    return tanh_slope(dy, x, 1 + 0.044715 * x**2)


@rejects_pullback(
    gelu_tanh_as_differences,
    "The slope of tanh is 1 − tanh², with a square.",
)
def square_of_tanh_missing(dy, x):
    return tanh_slope(dy, x, 1 + 3 * 0.044715 * x**2, power=1)


def random_network(rng, d_model, d_ff):
    shapes = ((d_model, d_ff), (d_ff,), (d_ff, d_model), (d_model,))
    return FeedForwardParameters(*(rng.normal(size=shape) for shape in shapes))


NAMES = ("W_1", "b_1", "W_2", "b_2")


def network_case(rng):
    x = tokens(rng, size(rng))
    parameters = random_network(rng, x.shape[-1], size(rng))
    activation = list(ACTIVATIONS)[rng.integers(len(ACTIVATIONS))]
    given = (activation,) if rng.random() < 0.6 else ()
    return (x, parameters, *given)


def torch_network(x, p, activation_vjp=relu_vjp):
    hidden = ACTIVATIONS[activation_vjp](x @ p.W_1 + p.b_1)
    return hidden @ p.W_2 + p.b_2


PRINTED: dict[str, Any] = {
    "equation": "eq-feed-forward-vjp",
    "wrt": ("x", "parameters"),
    "axes": {"x": "n d_model", "return": "n d_model"},
    "symbols": {"x": "X", "return": "Y"},
}
network_as_autograd, network_as_differences = check_gradient(
    feed_forward_vjp, **PRINTED, function=torch_network, draw=network_case
)
reject_careless_inputs(network_as_autograd, ("x", "parameters"))
reject_deafness_to_activation(network_as_autograd, "activation_vjp")


@check(
    feed_forward_vjp,
    **PRINTED,
    oracle="torch.autograd, with units that are exactly at 0",
)
def network_at_rest(feed_forward_vjp, rng):
    x = tokens(rng, size(rng), size(rng))
    p = random_network(rng, x.shape[-1], size(rng))
    x[..., rng.integers(x.shape[-2]), :] = 0.0  # a token of zeros leaves the biases,
    p.b_1[rng.random(p.b_1.shape) < 0.7] = 0.0  # and most of these are zero too
    X, *weights = (
        torch.tensor(one, requires_grad=True) for one in (x, p.W_1, p.b_1, p.W_2, p.b_2)
    )
    y = torch_network(X, SimpleNamespace(**dict(zip(NAMES, weights))))
    dy = rng.normal(size=y.shape)
    y.backward(torch.from_numpy(dy))
    wanted = FeedForwardParameters(*(one.grad.numpy() for one in weights))
    return difference(feed_forward_vjp(x, p)[1](dy), (X.grad, wanted))


@rejects_pullback(
    network_at_rest,
    "Where a unit is exactly at 0 your ReLU has the slope 1: there it has none, and PyTorch takes 0.",
)
def rests_with_a_slope(dy, x, p, activation_vjp):
    hidden = (x @ p.W_1 + p.b_1).reshape(-1, p.W_1.shape[1])
    slope = (hidden >= 0).astype(float)
    return pulled_back(dy, x, p, relu_vjp, through=lambda dhidden: (dhidden * slope,))


def pulled_back(dy, x, p, activation_vjp, through=None, hidden_for_W_2=None):
    """The network's gradients by hand, with another way through the activation, or another input of the second matrix."""
    flat = x.reshape(-1, x.shape[-1])
    hidden, activation = activation_vjp(flat @ p.W_1 + p.b_1)
    dy = dy.reshape(-1, dy.shape[-1])
    dhidden = dy @ p.W_2.T
    dwide = (through or activation)(dhidden)[0]
    W_2 = (hidden if hidden_for_W_2 is None else hidden_for_W_2(flat)).T @ dy
    return (dwide @ p.W_1.T).reshape(x.shape), FeedForwardParameters(
        flat.T @ dwide, dwide.sum(axis=0), W_2, dy.sum(axis=0)
    )


@rejects_pullback(
    network_as_autograd,
    "The activation is skipped on the way back: its slope belongs between the two projections.",
)
def activation_skipped(dy, x, p, activation_vjp):
    return pulled_back(dy, x, p, activation_vjp, through=lambda dhidden: (dhidden,))


@rejects_pullback(
    network_as_differences,
    "W_2 met the numbers after the activation; you multiply by those before it.",
)
def hidden_before_activation(dy, x, p, activation_vjp):
    return pulled_back(
        dy, x, p, activation_vjp, hidden_for_W_2=lambda flat: flat @ p.W_1 + p.b_1
    )
