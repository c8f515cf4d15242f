"""Residual connections and layer normalisation: what keeps a deep stack of layers calm."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from transformer_math.contract import NonNegative, contract
from transformer_math.scaling import scale_free
from transformer_math.shapes import TokenRows


@contract
@dataclass(frozen=True)
class NormParameters:
    """The scale and the shift of a layer normalisation, one number of each for every dimension of a token.

    Raises ValueError where they differ in size.
    """

    gamma: Float[np.ndarray, " d_model"]
    beta: Float[np.ndarray, " d_model"]


@contract
@scale_free
def layer_norm(
    x: TokenRows, parameters: NormParameters, eps: NonNegative = 1e-5
) -> TokenRows:
    r"""Give each token's vector mean 0 and variance 1, then a scale and a shift of the model's own choice.

        LayerNorm(x) = γ ⊙ (x - μ)/√(σ² + ε) + β
        μ = 1/d Σ_{j=0}^(d-1) x_j
        σ² = 1/d Σ_{j=0}^(d-1) (x_j - μ)²
        ε = 10⁻⁵

    mu and sigma^2 are taken over the d_model entries of one token; sigma^2 divides by d_model, not by d_model - 1.
    Raises ValueError where the parameters have another size than a token, and for eps < 0. Book: eq-layer-norm.
    Source: Ba, Kiros and Hinton (2016), arXiv:1607.06450.

    >>> layer_norm(np.array([1.0, 3.0]), NormParameters(np.ones(2), np.zeros(2)), eps=0.0)
    array([-1.,  1.])
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    p = parameters
    return p.gamma * centred / np.sqrt(variance + eps) + p.beta


@contract
def residual(x: TokenRows, update: TokenRows) -> TokenRows:
    """Add what a sublayer found to what went in.

    Raises ValueError where the two shapes differ. Source: He et al. (2016), arXiv:1512.03385.

    >>> residual(np.array([1.0, 2.0]), update=np.array([0.0, 0.5]))
    array([1. , 2.5])
    """
    return x + update


@contract
def add_norm(
    x: TokenRows, update: TokenRows, parameters: NormParameters, eps: NonNegative = 1e-5
) -> TokenRows:
    r"""Add what a sublayer found to what went in, then normalise: the post-norm of the original Transformer.

        Z' = LayerNorm(Z + O')

    Raises ValueError where the two shapes differ. Book: eq-add-norm.
    Source: Vaswani et al. (2017), section 3.1, arXiv:1706.03762; He et al. (2016), arXiv:1512.03385.

    >>> add_norm(np.array([1.0, 0.0]), np.array([0.0, 3.0]), NormParameters(np.ones(2), np.zeros(2)), eps=0.0)
    array([-1.,  1.])
    """
    return layer_norm(residual(x, update), parameters, eps)


@contract
def pre_norm(
    x: TokenRows,
    sublayer: Callable[[TokenRows], TokenRows],
    parameters: NormParameters,
    eps: NonNegative = 1e-5,
) -> TokenRows:
    r"""Normalise what goes into a sublayer, and add what comes out to the untouched input.

        Z' = Z + f(LayerNorm(Z))

    Book: eq-pre-norm. Source: Xiong et al. (2020), arXiv:2002.04745.

    >>> pre_norm(np.array([1.0, 3.0]), lambda x: 10 * x, NormParameters(np.ones(2), np.zeros(2)), eps=0.0)
    array([-9., 13.])
    """
    return residual(x, sublayer(layer_norm(x, parameters, eps)))
