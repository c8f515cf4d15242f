"""Residual connections and layer normalisation: what keeps a deep stack of layers calm."""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float

from transformer_math.contract import NonNegative, contract

Tokens = Float[np.ndarray, "*rows d_model"]
Vector = Float[np.ndarray, " d_model"]


@contract
def layer_norm(
    x: Tokens, gamma: Vector, beta: Vector, eps: NonNegative = 1e-5
) -> Tokens:
    r"""Give each token's vector mean 0 and variance 1, then a scale and a shift of the model's own choice.

        LayerNorm(x) = gamma * (x - mu) / sqrt(sigma^2 + eps) + beta

    mu and sigma^2 are taken over the d_model entries of one token; sigma^2 divides by d_model, not by d_model - 1.
    Raises ValueError where gamma or beta has another size than a token, and for eps < 0. Book: eq-layer-norm.
    Source: Ba, Kiros and Hinton (2016), arXiv:1607.06450.

    >>> layer_norm(np.array([1.0, 3.0]), gamma=np.ones(2), beta=np.zeros(2), eps=0.0)
    array([-1.,  1.])
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(variance + eps) + beta


@contract
def residual(x: Tokens, update: Tokens) -> Tokens:
    """Add what a sublayer found to what went in.

    Raises ValueError where the two shapes differ. Source: He et al. (2016), arXiv:1512.03385.

    >>> residual(np.array([1.0, 2.0]), update=np.array([0.0, 0.5]))
    array([1. , 2.5])
    """
    return x + update


@contract
def add_norm(
    x: Tokens, update: Tokens, gamma: Vector, beta: Vector, eps: NonNegative = 1e-5
) -> Tokens:
    r"""Add what a sublayer found to what went in, then normalise: the post-norm of the original Transformer.

        Z' = LayerNorm(Z + O')

    Raises ValueError where the two shapes differ. Book: eq-add-norm.
    Source: Vaswani et al. (2017), section 3.1, arXiv:1706.03762; He et al. (2016), arXiv:1512.03385.

    >>> add_norm(np.array([1.0, 0.0]), np.array([0.0, 3.0]), gamma=np.ones(2), beta=np.zeros(2), eps=0.0)
    array([-1.,  1.])
    """
    return layer_norm(residual(x, update), gamma, beta, eps)


@contract
def pre_norm(
    x: Tokens,
    sublayer: Callable[[Tokens], Tokens],
    gamma: Vector,
    beta: Vector,
    eps: NonNegative = 1e-5,
) -> Tokens:
    r"""Normalise what goes into a sublayer, and add what comes out to the untouched input.

        Z' = Z + f(LayerNorm(Z))

    Book: eq-pre-norm. Source: Xiong et al. (2020), arXiv:2002.04745.

    >>> pre_norm(np.array([1.0, 3.0]), lambda x: 10 * x, gamma=np.ones(2), beta=np.zeros(2), eps=0.0)
    array([-9., 13.])
    """
    return residual(x, sublayer(layer_norm(x, gamma, beta, eps)))
