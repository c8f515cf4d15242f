"""Softmax: from any real scores to weights that are positive and sum to one; and what it does to gradients."""

import numpy as np
from jaxtyping import Float

from transformer_math.errors import require

Rows = Float[np.ndarray, "*rows m"]


def softmax(x: Rows) -> Rows:
    r"""Turn each row of scores into weights.

        softmax(x)_j = exp(x_j - max x) / sum_k exp(x_k - max x)

    Taking the largest score away changes nothing in the quotient and keeps exp from overflowing. A score of -inf gets
    weight 0; a row of nothing but -inf gets weights 0 throughout, since there is nothing to choose from.
    Raises ValueError for NaN and +inf. Book: eq-softmax. Source: Boltzmann (1868); Bridle (1990).

    >>> softmax(np.log(np.array([1.0, 2.0, 5.0])))
    array([0.125, 0.25 , 0.625])
    """
    return softmax_in_place(x.astype(np.result_type(x, np.float32)))


def softmax_in_place(x: Rows) -> Rows:
    """The same, written over the scores: for large scores that nobody needs any more."""
    best = x.argmax(axis=-1, keepdims=True)
    top = np.take_along_axis(x, best, axis=-1)  # takes half the time of x.max
    require(
        bool(np.all(top < np.inf)),
        "the scores hold NaN or +inf; wanted finite numbers or -inf. Fix: look at what made them.",
    )
    x -= np.maximum(top, np.finfo(x.dtype).min)  # -inf - -inf would be NaN
    np.exp(x, out=x)
    x /= np.maximum(x.sum(axis=-1, keepdims=True), 1)  # 0 in a row of -inf, else >= 1
    return x


def softmax_jacobian(
    weights: Float[np.ndarray, "... m"],
) -> Float[np.ndarray, "... m m"]:
    r"""How each weight answers to each score, from the weights themselves.

        d a_i / d s_j = a_i (delta_ij - a_j)

    Book: eq-softmax-jacobian. Source: Bridle (1990).

    >>> softmax_jacobian(np.array([0.5, 0.5]))
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    """
    outer = weights[..., :, None] * weights[..., None, :]
    return weights[..., None] * np.eye(weights.shape[-1]) - outer


def entropy(weights: Float[np.ndarray, "... m"]) -> Float[np.ndarray, "..."]:
    r"""How spread out each row of weights is, in bits: 0 for one certain choice, log2 m for m equal ones.

        H(a) = -sum_j a_j log2 a_j,   where 0 log2 0 = 0

    Raises ValueError for negative weights. Book: eq-entropy. Source: Shannon (1948).

    >>> entropy(np.array([[0.5, 0.5, 0.0, 0.0]]))
    array([1.])
    """
    require(
        bool(np.all(weights >= 0)),
        "the weights hold NaN or a negative number; wanted probabilities. Fix: softmax the scores.",
    )
    logs = np.log2(weights, out=np.zeros_like(weights), where=weights > 0)
    return 0.0 - (weights * logs).sum(axis=-1)
