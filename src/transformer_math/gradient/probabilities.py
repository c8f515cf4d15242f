"""The gradient of the last step: logits."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Pullback, twin
from transformer_math.gradient.projections import project_vjp


@twin
def logits_vjp(
    Z: Float[np.ndarray, "... d_model"],
    W_out: Float[np.ndarray, "d_model V"],
    b_out: Float[np.ndarray, " V"] | float = 0.0,
) -> tuple[Float[np.ndarray, "... V"], Pullback]:
    r"""Logits and their pullback: a projection like the others.

    Book: eq-logits-vjp.

    >>> logits, pullback = logits_vjp(np.array([[1.0, 2.0]]), W_out=np.eye(2), b_out=np.zeros(2))
    >>> dZ, dW_out, db_out = pullback(np.array([[1.0, 10.0]]))
    >>> dW_out
    array([[ 1., 10.],
           [ 2., 20.]])
    """
    return project_vjp(Z, W_out, b_out)
