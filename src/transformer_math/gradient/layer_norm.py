"""The gradients of layer normalisation and of the residual around it."""

from collections.abc import Callable
from typing import Any

import numpy as np

from transformer_math.block.layer_norm import NormParameters, residual
from transformer_math.contract import NonNegative, Pullback, twin
from transformer_math.gradient._means import mean_of_products
from transformer_math.scaling import scale_free_vjp
from transformer_math.shapes import TokenRows

SublayerTwin = Callable[
    [TokenRows],
    tuple[TokenRows, Callable[[TokenRows], tuple[TokenRows, *tuple[Any, ...]]]],
]


@twin
@scale_free_vjp
def layer_norm_vjp(
    x: TokenRows, parameters: NormParameters, eps: NonNegative = 1e-5
) -> tuple[TokenRows, Pullback]:
    r"""Layer normalisation and its pullback to the tokens, the scale and the shift.

        LayerNorm*(x; dy) = dx
        dx_ij = 1/s_i (g_ij - 1/d Σ_{k=0}^(d-1) g_ik - z_ij 1/d Σ_{k=0}^(d-1) g_ik z_ik)
        g_ij = γ_j dy_ij
        dγ_j = Σ_i dy_ij z_ij
        dβ_j = Σ_i dy_ij
        z_ij = 1/s_i (x_ij - μ_i)
        s_i = √(1/d Σ_{k=0}^(d-1) (x_ik - μ_i)² + ε)
        μ_i = 1/d Σ_{k=0}^(d-1) x_ik

    Means are over the entries of one token, sums over the tokens. Book: eq-layer-norm-vjp.
    Source: Ba, Kiros and Hinton (2016), arXiv:1607.06450.

    >>> p = NormParameters(np.ones(2), np.zeros(2))
    >>> y, pullback = layer_norm_vjp(np.array([[1.0, 3.0]]), p, eps=3.0)
    >>> pullback(np.array([[0.0, 1.0]]))
    (array([[-0.1875,  0.1875]]), NormParameters(gamma=array([0. , 0.5]), beta=array([0., 1.])))
    """
    p = parameters
    normed = x - mean_of_products(x, np.ones_like(p.gamma))
    root = np.sqrt(mean_of_products(normed, normed) + eps)
    normed /= root

    def pullback(dy):
        g = p.gamma * dy
        dx = g - mean_of_products(dy, p.gamma)
        dx -= normed * mean_of_products(g, normed)
        dx /= root
        rows = tuple(range(dy.ndim - 1))
        return dx, NormParameters((dy * normed).sum(axis=rows), dy.sum(axis=rows))

    return p.gamma * normed + p.beta, pullback


@twin
def residual_vjp(x: TokenRows, update: TokenRows) -> tuple[TokenRows, Pullback]:
    r"""A residual and its pullback: the gradient goes both ways, whole.

        dx = dy, du = dy

    Book: eq-residual-vjp. Source: He et al. (2016), arXiv:1512.03385.

    >>> residual_vjp(np.array([1.0]), update=np.array([2.0]))[1](np.array([5.0]))
    (array([5.]), array([5.]))
    """
    return residual(x, update), lambda dy: (dy, dy)


@twin
def add_norm_vjp(
    x: TokenRows, update: TokenRows, parameters: NormParameters, eps: NonNegative = 1e-5
) -> tuple[TokenRows, Pullback]:
    r"""Post-norm and its pullback: back through the normalisation first, then both ways, whole.

        dO' = LayerNorm*(Z + O'; dZ')
        dZ = dO'

    Book: eq-add-norm-vjp.

    >>> p = NormParameters(np.ones(2), np.zeros(2))
    >>> y, pullback = add_norm_vjp(np.array([[1.0, 0.0]]), np.array([[0.0, 3.0]]), p, eps=3.0)
    >>> dx, dupdate, dparameters = pullback(np.array([[0.0, 1.0]]))
    >>> dx, dupdate
    (array([[-0.1875,  0.1875]]), array([[-0.1875,  0.1875]]))
    """
    y, pullback_of_norm = layer_norm_vjp(residual(x, update), parameters, eps)

    def pullback(dy):
        dx, dparameters = pullback_of_norm(dy)
        return dx, dx, dparameters

    return y, pullback


@twin
def pre_norm_vjp(
    x: TokenRows,
    sublayer_vjp: SublayerTwin,
    parameters: NormParameters,
    eps: NonNegative = 1e-5,
) -> tuple[TokenRows, Pullback]:
    r"""Pre-norm and its pullback: one way passes the gradient untouched, the other goes through sublayer and norm.

        dZ = dZ' + LayerNorm*(Z; Sublayer*(LayerNorm(Z); dZ'))

    The sublayer is given by its twin; what its pullback returns beyond the gradient of its input, comes last.
    Book: eq-pre-norm-vjp. Source: Xiong et al. (2020), arXiv:2002.04745.

    >>> ten_times = lambda x: (10 * x, lambda dy: (10 * dy,))
    >>> p = NormParameters(np.ones(2), np.zeros(2))
    >>> y, pullback = pre_norm_vjp(np.array([[1.0, 3.0]]), ten_times, p, eps=3.0)
    >>> pullback(np.array([[0.0, 1.0]]))[0]
    array([[-1.875,  2.875]])
    """
    normed, pullback_of_norm = layer_norm_vjp(x, parameters, eps)
    update, pullback_of_sublayer = sublayer_vjp(normed)

    def pullback(dy):
        dnormed, *rest = pullback_of_sublayer(dy)
        dx, dparameters = pullback_of_norm(dnormed)
        return dy + dx, dparameters, *rest

    return residual(x, update), pullback
