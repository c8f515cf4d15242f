"""The gradients of the activations and of the position-wise feed-forward network."""

import math
from collections.abc import Callable

import numpy as np

from transformer_math.block.erf import erf
from transformer_math.block.feed_forward import FeedForwardParameters
from transformer_math.contract import Pullback, twin
from transformer_math.gradient.projections import project_vjp
from transformer_math.shapes import AnyTokens, Numbers

ActivationTwin = Callable[
    [Numbers], tuple[Numbers, Callable[[Numbers], tuple[Numbers]]]
]


@twin
def relu_vjp(x: Numbers) -> tuple[Numbers, Pullback]:
    r"""ReLU and its pullback: what was positive passes, the rest is stopped.

        dx = dy [x > 0]

    At 0, where there is no slope, it is taken as 0, as PyTorch does. Book: eq-relu-vjp.

    >>> relu_vjp(np.array([-1.0, 2.0]))[1](np.array([5.0, 5.0]))
    (array([0., 5.]),)
    """
    y = np.maximum(x, 0)
    return y, lambda dy: (dy * (y > 0),)


@twin
def gelu_vjp(x: Numbers) -> tuple[Numbers, Pullback]:
    r"""GELU and its pullback, by the product rule; the slope of Phi is the bell curve.

        dx = dy (Φ(x) + x/√(2π) exp(-1/2 x²))

    Book: eq-gelu-vjp. Source: Hendrycks and Gimpel (2016), arXiv:1606.08415.

    >>> gelu_vjp(np.array([0.0]))[1](np.array([2.0]))
    (array([1.]),)
    """
    Phi = (1 + erf(x / math.sqrt(2))) / 2

    def pullback(dy):
        bell = np.exp(-x * x / 2) / math.sqrt(2 * math.pi)
        return (dy * (Phi + x * bell),)

    return x * Phi, pullback


@twin
def gelu_tanh_vjp(x: Numbers) -> tuple[Numbers, Pullback]:
    r"""GELU by a hyperbolic tangent, and its pullback.

        dx = dy ((1 + τ)/2 + x/2 (1 - τ²) √(2/π) (1 + 3 · 0.044715 x²))
        τ = tanh(√(2/π) (x + 0.044715 x³))

    Book: eq-gelu-tanh-vjp. Source: Hendrycks and Gimpel (2016), arXiv:1606.08415.

    >>> gelu_tanh_vjp(np.array([0.0]))[1](np.array([2.0]))
    (array([1.]),)
    """
    c = math.sqrt(2 / math.pi)
    near = np.clip(x, -10, 10)  # farther out tanh is 1 or -1 to the last digit
    t = np.tanh(c * (near + 0.044715 * near**3))

    def pullback(dy):
        slope = (1 - t * t) * c * (1 + 3 * 0.044715 * near * near)
        return (dy * ((1 + t) / 2 + x / 2 * slope),)

    return x / 2 * (1 + t), pullback


@twin
def feed_forward_vjp(
    x: AnyTokens,
    parameters: FeedForwardParameters,
    activation_vjp: ActivationTwin = relu_vjp,
) -> tuple[AnyTokens, Pullback]:
    r"""The feed-forward network and its pullback: two projections and the activation between them, last one first.

        FFN*(X; dY) = dX
        dH_ij = (dY W_2ᵀ)_ij [(X W_1 + b_1)_ij > 0]
        dX = dH W_1ᵀ
        dW_1 = Xᵀ dH
        db_1 = Σ_i dH_i
        dW_2 = relu(X W_1 + b_1)ᵀ dY
        db_2 = Σ_i dY_i

    Book: eq-feed-forward-vjp. Source: Vaswani et al. (2017), section 3.3, arXiv:1706.03762.

    >>> parameters = FeedForwardParameters(np.eye(2), np.zeros(2), np.eye(2), np.ones(2))
    >>> y, pullback = feed_forward_vjp(np.array([[-5.0, 2.0]]), parameters)
    >>> pullback(np.array([[1.0, 1.0]]))[0]
    array([[0., 1.]])
    """
    p = parameters
    wide, pullback_1 = project_vjp(x, p.W_1, p.b_1)
    hidden, pullback_of_activation = activation_vjp(wide)
    y, pullback_2 = project_vjp(hidden, p.W_2, p.b_2)

    def pullback(dy):
        dhidden, dW_2, db_2 = pullback_2(dy)
        (dwide,) = pullback_of_activation(dhidden)
        dx, dW_1, db_1 = pullback_1(dwide)
        return dx, FeedForwardParameters(dW_1, db_1, dW_2, db_2)

    return y, pullback
