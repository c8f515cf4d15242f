"""Checks of the pullbacks of swish and of the gated network."""

import numpy as np
import torch

from transformer_math.block.swiglu import SwiGLUParameters, swish
from transformer_math.checks.gradient.feed_forward import numbers
from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.sampling import size, tokens
from transformer_math.gradient.swiglu import swiglu_vjp, swish_vjp

swish_as_autograd, swish_as_differences = check_gradient(
    swish_vjp,
    equation="eq-swish-vjp",
    symbols={"return": "y"},
    function=torch.nn.functional.silu,
    draw=numbers,
    cases=12,
)


def logistic(x):
    return (1 + np.tanh(x / 2)) / 2


@rejects_pullback(
    swish_as_autograd,
    "The second term of the product rule is missing: x times the slope of the logistic function.",
)
def logistic_alone(dy, x):
    return (dy * logistic(x),)


@rejects_pullback(
    swish_as_autograd,
    "The slope of the logistic function is not multiplied by x: the product rule gives s + x·s(1 − s).",
)
def slope_without_x(dy, x):
    s = logistic(x)
    return (dy * (s + s * (1 - s)),)


@rejects_pullback(
    swish_as_differences,
    "The slope of the logistic function is s(1 − s); your factor 1 − s is missing.",
)
def slope_of_an_exponential(dy, x):
    s = logistic(x)
    return (dy * (s + x * s),)


@rejects_pullback(
    swish_as_differences,
    "You multiply by swish(x) itself; wanted its slope.",
)
def value_for_slope(dy, x):
    return (dy * swish(x),)


def network_case(rng):
    x, d_g = tokens(rng, size(rng)), size(rng)
    d_model = x.shape[-1]
    shapes = ((d_model, d_g), (d_model, d_g), (d_g, d_model))
    return x, SwiGLUParameters(*(rng.normal(size=shape) for shape in shapes))


network_as_autograd, network_as_differences = check_gradient(
    swiglu_vjp,
    equation="eq-swiglu-vjp",
    axes={"x": "n d_model", "return": "n d_model"},
    symbols={"x": "X", "return": "Y"},
    function=lambda x, p: (torch.nn.functional.silu(x @ p.W_g) * (x @ p.W_1)) @ p.W_2,
    draw=network_case,
    cases=12,
)
reject_careless_inputs(network_as_autograd, ("x", "parameters"))


def gradients(dy, x, p, of_gate=None, of_content=None, join=np.add):
    """The gradients by hand, with other ways for the two factors, or to join what they send to the tokens."""
    x_rows, dY = (rows.reshape(-1, x.shape[-1]) for rows in (x, dy))
    G, U, dH = x_rows @ p.W_g, x_rows @ p.W_1, dY @ p.W_2.T
    dG = swish_vjp(G)[1](dH * U)[0] if of_gate is None else of_gate(dH, G, U)
    dU = dH * swish(G) if of_content is None else of_content(dH, G, U)
    dx = join(dG @ p.W_g.T, dU @ p.W_1.T).reshape(x.shape)
    hidden = swish(G) * U
    return dx, SwiGLUParameters(x_rows.T @ dG, x_rows.T @ dU, hidden.T @ dY)


@rejects_pullback(
    network_as_autograd,
    "The slope of swish is missing: the gate went through swish, and so does its gradient.",
)
def swish_skipped(dy, x, p):
    return gradients(dy, x, p, of_gate=lambda dH, G, U: dH * U)


@rejects_pullback(
    network_as_autograd,
    "Your gate is not multiplied by the content: in a product each factor gets what arrives, times the other one.",
)
def gate_without_content(dy, x, p):
    return gradients(dy, x, p, of_gate=lambda dH, G, U: swish_vjp(G)[1](dH)[0])


@rejects_pullback(
    network_as_autograd,
    "Your content is multiplied by the gate before swish; what it met is swish of the gate.",
)
def content_by_bare_gate(dy, x, p):
    return gradients(dy, x, p, of_content=lambda dH, G, U: dH * G)


@rejects_pullback(
    network_as_differences,
    "The token hears of its content alone: it made the gate too, so it gets the sum of both gradients.",
)
def content_alone(dy, x, p):
    return gradients(dy, x, p, join=lambda of_gate, of_content: of_content)


@rejects_pullback(
    network_as_differences,
    "The token hears of its gate alone: it made the content too, so it gets the sum of both gradients.",
)
def gate_alone(dy, x, p):
    return gradients(dy, x, p, join=lambda of_gate, of_content: of_gate)
