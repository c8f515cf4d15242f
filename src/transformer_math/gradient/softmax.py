"""The gradient of softmax: its Jacobian times a vector, without the Jacobian."""

from typing import Annotated

from transformer_math.attention.softmax import softmax
from transformer_math.contract import OrMinusInfinity, Pullback, twin
from transformer_math.shapes import Rows


@twin
def softmax_vjp(x: Annotated[Rows, OrMinusInfinity]) -> tuple[Rows, Pullback]:
    r"""Softmax and its pullback: each score's gradient is its weight times how far its gradient lies above the average.

        softmax*(s; da) = ds
        ds_j = a_j (da_j - Σ_k a_k da_k)
        a = softmax(s)

    The Jacobian of a row has m^2 entries; this needs m. Raises ValueError as `softmax` does. Book: eq-softmax-vjp.
    Source: Bridle (1990).

    >>> import numpy as np
    >>> weights, pullback = softmax_vjp(np.zeros((1, 2)))
    >>> pullback(np.array([[1.0, 0.0]]))
    (array([[ 0.25, -0.25]]),)
    """
    A = softmax(x)

    def pullback(dA):
        return (A * (dA - (A * dA).sum(axis=-1, keepdims=True)),)

    return A, pullback
