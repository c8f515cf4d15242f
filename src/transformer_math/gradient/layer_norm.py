"""The gradients of layer normalisation and of the residual around it."""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float

from transformer_math.block.layer_norm import residual
from transformer_math.contract import NonNegative, Pullback, twin

Tokens = Float[np.ndarray, "*rows d_model"]
Vector = Float[np.ndarray, " d_model"]


@twin
def layer_norm_vjp(
    x: Tokens, gamma: Vector, beta: Vector, eps: NonNegative = 1e-5
) -> tuple[Tokens, Pullback]:
    r"""Layer normalisation and its pullback to the tokens, the scale and the shift.

        g = gamma * dy,   dx = (g - mean(g) - xhat mean(g * xhat)) / sqrt(sigma^2 + eps),
        dgamma = sum_i dy_i * xhat_i,   dbeta = sum_i dy_i

    Means are over the entries of one token, sums over the tokens. Book: eq-layer-norm-vjp.
    Source: Ba, Kiros and Hinton (2016), arXiv:1607.06450.

    >>> y, pullback = layer_norm_vjp(np.array([[1.0, 3.0]]), np.ones(2), np.zeros(2), eps=3.0)
    >>> dx, dgamma, dbeta = pullback(np.array([[0.0, 1.0]]))
    >>> dx, dgamma, dbeta
    (array([[-0.1875,  0.1875]]), array([0. , 0.5]), array([0., 1.]))
    """
    normed = x - _mean_of_products(x, np.ones_like(gamma))
    root = np.sqrt(_mean_of_products(normed, normed) + eps)
    normed /= root

    def pullback(dy):
        g = gamma * dy
        dx = g - _mean_of_products(dy, gamma)
        dx -= normed * _mean_of_products(g, normed)
        dx /= root
        rows = tuple(range(dy.ndim - 1))
        return dx, (dy * normed).sum(axis=rows), dy.sum(axis=rows)

    return gamma * normed + beta, pullback


def _mean_of_products(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    # takes a quarter of the time of (x * y).mean(axis=-1, keepdims=True)
    return np.vecdot(x, y)[..., None] / x.shape[-1]


@twin
def residual_vjp(x: Tokens, update: Tokens) -> tuple[Tokens, Pullback]:
    r"""A residual and its pullback: the gradient goes both ways, whole.

        dx = dy,   dupdate = dy

    Book: eq-residual-vjp. Source: He et al. (2016), arXiv:1512.03385.

    >>> residual_vjp(np.array([1.0]), update=np.array([2.0]))[1](np.array([5.0]))
    (array([5.]), array([5.]))
    """
    return residual(x, update), lambda dy: (dy, dy)


@twin
def add_norm_vjp(
    x: Tokens, update: Tokens, gamma: Vector, beta: Vector, eps: NonNegative = 1e-5
) -> tuple[Tokens, Pullback]:
    r"""Post-norm and its pullback: back through the normalisation first, then both ways, whole.

    Book: eq-add-norm-vjp.

    >>> y, pullback = add_norm_vjp(np.array([[1.0, 0.0]]), np.array([[0.0, 3.0]]), np.ones(2), np.zeros(2), eps=3.0)
    >>> dx, dupdate, dgamma, dbeta = pullback(np.array([[0.0, 1.0]]))
    >>> dx, dupdate
    (array([[-0.1875,  0.1875]]), array([[-0.1875,  0.1875]]))
    """
    y, pullback_of_norm = layer_norm_vjp(residual(x, update), gamma, beta, eps)

    def pullback(dy):
        dx, dgamma, dbeta = pullback_of_norm(dy)
        return dx, dx, dgamma, dbeta

    return y, pullback


@twin
def pre_norm_vjp(
    x: Tokens,
    sublayer_vjp: Callable[[Tokens], tuple[Tokens, Pullback]],
    gamma: Vector,
    beta: Vector,
    eps: NonNegative = 1e-5,
) -> tuple[Tokens, Pullback]:
    r"""Pre-norm and its pullback: one way passes the gradient untouched, the other goes through sublayer and norm.

    The sublayer is given by its twin; what its pullback returns beyond the gradient of its input, comes last.
    Book: eq-pre-norm-vjp. Source: Xiong et al. (2020), arXiv:2002.04745.

    >>> ten_times = lambda x: (10 * x, lambda dy: (10 * dy,))
    >>> y, pullback = pre_norm_vjp(np.array([[1.0, 3.0]]), ten_times, np.ones(2), np.zeros(2), eps=3.0)
    >>> pullback(np.array([[0.0, 1.0]]))[0]
    array([[-1.875,  2.875]])
    """
    normed, pullback_of_norm = layer_norm_vjp(x, gamma, beta, eps)
    update, pullback_of_sublayer = sublayer_vjp(normed)

    def pullback(dy):
        dnormed, *rest = pullback_of_sublayer(dy)
        dx, dgamma, dbeta = pullback_of_norm(dnormed)
        return dy + dx, dgamma, dbeta, *rest

    return residual(x, update), pullback
