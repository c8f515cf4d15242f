"""Softmax: from any real scores to weights that are positive and sum to one; and what it does to gradients."""

from typing import Annotated

import numpy as np
from jaxtyping import Float

from transformer_math.contract import (
    ATTENTION_WEIGHTS,
    OrMinusInfinity,
    contract,
    requires,
)
from transformer_math.shapes import Rows

Scores = Annotated[Rows, OrMinusInfinity]
_OVERFLOW = (
    "the scores hold NaN or +inf; wanted finite numbers or -inf. "
    "Fix: look at what made them; products of large numbers overflow."
)


@contract
@requires(lambda x: x.max() < np.inf, _OVERFLOW)
def softmax(x: Scores) -> Rows:
    r"""Turn each row of scores into weights.

        softmax(x)_j = (e^(x_j))/(Σ_k e^(x_k)) = (e^(x_j - max x))/(Σ_k e^(x_k - max x))

    Taking the largest score away changes nothing in the quotient and keeps exp from overflowing. A score of -inf gets
    weight 0; a row of nothing but -inf gets weights 0 throughout, since there is nothing to choose from.
    Raises ValueError for NaN and +inf. Book: eq-softmax. Source: Boltzmann (1868); Bridle (1990).

    >>> softmax(np.log(np.array([1.0, 2.0, 5.0])))
    array([0.125, 0.25 , 0.625])
    """
    lowest = np.finfo(x.dtype).min  # for a row of -inf: -inf - -inf would be NaN
    powers = np.exp(x - x.max(axis=-1, keepdims=True, initial=lowest))
    return powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1)  # 0, or >= 1


@contract
def softmax_jacobian(
    weights: Annotated[Float[np.ndarray, "... m"], ATTENTION_WEIGHTS],
) -> Float[np.ndarray, "... m m"]:
    r"""How each weight answers to each score, from the weights themselves.

        (∂ a_i)/(∂ s_j) = a_i (δ_ij - a_j)

    Book: eq-softmax-jacobian. Source: Bridle (1990).

    >>> softmax_jacobian(np.array([0.5, 0.5]))
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    """
    delta = np.eye(weights.shape[-1], dtype=weights.dtype)
    return weights[..., :, None] * (delta - weights[..., None, :])


@contract
def entropy(
    weights: Annotated[Float[np.ndarray, "... m"], ATTENTION_WEIGHTS],
) -> Float[np.ndarray, "..."] | np.floating:
    r"""How spread out each row of weights is, in bits: 0 for one certain choice, log2 m for m equal ones.

        H(a) = -Σ_j a_j log_2 a_j

    Raises ValueError for a row that adds up to neither 1 nor 0. Book: eq-entropy. Source: Shannon (1948).

    >>> entropy(np.array([[0.5, 0.5, 0.0, 0.0]]))
    array([1.])
    """
    logs = np.log2(weights, out=np.zeros_like(weights), where=weights > 0)
    return 0.0 - (weights * logs).sum(axis=-1)
