"""Residual connections and layer normalisation: what keeps a deep stack of layers calm."""

from collections.abc import Callable

import numpy as np
from jaxtyping import Float

from transformer_math.errors import require, require_axis

Tokens = Float[np.ndarray, "*rows d_model"]
Vector = Float[np.ndarray, " d_model"]


def layer_norm(x: Tokens, gamma: Vector, beta: Vector, eps: float = 1e-5) -> Tokens:
    r"""Give each token's vector mean 0 and variance 1, then a scale and a shift of the model's own choice.

        LayerNorm(x) = gamma * (x - mu) / sqrt(sigma^2 + eps) + beta

    mu and sigma^2 are taken over the d_model entries of one token; sigma^2 divides by d_model, not by d_model - 1.
    Raises ValueError where gamma or beta has another size than a token. Book: eq-layer-norm.
    Source: Ba, Kiros and Hinton (2016), arXiv:1607.06450.

    >>> layer_norm(np.array([1.0, 3.0]), gamma=np.ones(2), beta=np.zeros(2), eps=0.0)
    array([-1.,  1.])
    """
    require_axis("gamma", gamma, -1, x.shape[-1], "one scale per dimension of a token")
    require_axis("beta", beta, -1, x.shape[-1], "one shift per dimension of a token")
    require(eps >= 0, f"eps is {eps}; wanted a small number >= 0. Fix: PyTorch's 1e-5.")
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return gamma * centred / np.sqrt(variance + eps) + beta


def add_norm(
    x: Tokens, update: Tokens, gamma: Vector, beta: Vector, eps: float = 1e-5
) -> Tokens:
    r"""Add what a sublayer found to what went in, then normalise: the post-norm of the original Transformer.

        Z' = LayerNorm(Z + O')

    Raises ValueError where the two shapes differ. Book: eq-add-norm.
    Source: Vaswani et al. (2017), section 3.1, arXiv:1706.03762; He et al. (2016), arXiv:1512.03385.

    >>> add_norm(np.array([1.0, 0.0]), np.array([0.0, 3.0]), gamma=np.ones(2), beta=np.zeros(2), eps=0.0)
    array([-1.,  1.])
    """
    _require_same_shape(x, update)
    return layer_norm(x + update, gamma, beta, eps)


def pre_norm(
    x: Tokens,
    sublayer: Callable[[Tokens], Tokens],
    gamma: Vector,
    beta: Vector,
    eps: float = 1e-5,
) -> Tokens:
    r"""Normalise what goes into a sublayer, and add what comes out to the untouched input.

        Z' = Z + f(LayerNorm(Z))

    Book: eq-pre-norm. Source: Xiong et al. (2020), arXiv:2002.04745.

    >>> pre_norm(np.array([1.0, 3.0]), lambda x: 10 * x, gamma=np.ones(2), beta=np.zeros(2), eps=0.0)
    array([-9., 13.])
    """
    update = sublayer(layer_norm(x, gamma, beta, eps))
    _require_same_shape(x, update)
    return x + update


def _require_same_shape(x: np.ndarray, update: np.ndarray) -> None:
    same = x.shape == update.shape
    require(
        same,
        f"x has shape {x.shape}, the update {update.shape}; wanted the same. Fix: project back to d_model.",
    )
