"""The gradient of dropout: what was dropped moves nothing, so nothing comes back to it."""

import numpy as np
from jaxtyping import Bool, Float

from transformer_math.contract import Fraction, Pullback, twin


@twin
def dropout_vjp(
    x: Float[np.ndarray, "*shape"], kept: Bool[np.ndarray, "*shape"], p: Fraction
) -> tuple[Float[np.ndarray, "*shape"], Pullback]:
    r"""Dropout and its pullback: the same mask and the same factor as on the way there.

        dx = (M ⊙ dy)/(1 - p)

    Book: eq-dropout-vjp. Source: Srivastava et al. (2014), JMLR 15, section 5.1.

    >>> dropout_vjp(np.ones(3), np.array([True, False, True]), p=0.5)[1](np.array([1.0, 2.0, 3.0]))
    (array([2., 0., 6.]),)
    """
    factor = (kept / (1 - p)).astype(x.dtype)
    return x * factor, lambda dy: (dy * factor,)
