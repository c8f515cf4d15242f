"""The position-wise feed-forward network: every token by itself goes through the same two layers."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from transformer_math.attention.projections import project
from transformer_math.block.erf import erf
from transformer_math.contract import contract
from transformer_math.shapes import AnyTokens, Numbers


@contract
@dataclass(frozen=True)
class FeedForwardParameters:
    """Two matrices and their biases: W_1 (d_model, d_ff), b_1 (d_ff), W_2 (d_ff, d_model), b_2 (d_model)."""

    W_1: Float[np.ndarray, "d_model d_ff"]
    b_1: Float[np.ndarray, " d_ff"]
    W_2: Float[np.ndarray, "d_ff d_model"]
    b_2: Float[np.ndarray, " d_model"]


@contract
def relu(x: Numbers) -> Numbers:
    r"""Keep what is positive, drop the rest.

        relu(x) = max(0, x)

    Book: eq-relu. Source: Fukushima (1969); Nair and Hinton (2010).

    >>> relu(np.array([-1.0, 2.0]))
    array([0., 2.])
    """
    return np.maximum(x, 0)


@contract
def gelu(x: Numbers) -> Numbers:
    r"""Weigh each number by the chance that a standard normal variable lies below it.

        gelu(x) = x Φ(x) = x/2 (1 + erf x/√2)

    Book: eq-gelu. Source: Hendrycks and Gimpel (2016), arXiv:1606.08415.

    >>> gelu(np.array([-1.0, 0.0, 1.0])).round(3)
    array([-0.159,  0.   ,  0.841])
    """
    return x / 2 * (1 + erf(x / math.sqrt(2)))


@contract
def gelu_tanh(x: Numbers) -> Numbers:
    r"""GELU by a hyperbolic tangent, close to it and long the faster one; GPT-2 was trained with this.

        gelu(x) ≈ x/2 (1 + tanh u)
        u = √(2/π) (x + 0.044715 x³)

    Book: eq-gelu-tanh. Source: Hendrycks and Gimpel (2016), arXiv:1606.08415.

    >>> gelu_tanh(np.array([-1.0, 0.0, 1.0])).round(3)
    array([-0.159,  0.   ,  0.841])
    """
    return x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


@contract
def feed_forward(
    x: AnyTokens,
    parameters: FeedForwardParameters,
    activation: Callable[[Numbers], Numbers] = relu,
) -> AnyTokens:
    r"""Widen each token's vector, bend it, and bring it back to its size; no token sees another.

        FFN(x) = max(0, x W_1 + b_1) W_2 + b_2

    Book: eq-feed-forward. Source: Vaswani et al. (2017), section 3.3, arXiv:1706.03762.

    >>> parameters = FeedForwardParameters(np.eye(2), np.zeros(2), np.eye(2), np.ones(2))
    >>> feed_forward(np.array([[-5.0, 2.0]]), parameters)
    array([[1., 3.]])
    """
    hidden = activation(project(x, parameters.W_1, parameters.b_1))
    return project(hidden, parameters.W_2, parameters.b_2)
