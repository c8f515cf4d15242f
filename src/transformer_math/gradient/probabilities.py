"""The gradients of the last step: logits, and the probabilities and logarithms that are made of them."""

from typing import Annotated

import numpy as np
from jaxtyping import Float

from transformer_math.contract import OrMinusInfinity, Pullback, requires_as, twin
from transformer_math.gradient.projections import project_vjp
from transformer_math.gradient.softmax import softmax_vjp
from transformer_math.output.probabilities import (
    Temperature,
    log_softmax,
    probabilities,
)


@twin
def logits_vjp(
    Z: Float[np.ndarray, "... d_model"],
    W_out: Float[np.ndarray, "d_model V"],
    b_out: Float[np.ndarray, " V"] | float = 0.0,
) -> tuple[Float[np.ndarray, "... V"], Pullback]:
    r"""Logits and their pullback: a projection like the others.

        dZ_out = dlogits (W^out)ᵀ
        dW^out = Z_outᵀ dlogits
        db^out = Σ_i dlogits_i

    Book: eq-logits-vjp.

    >>> logits, pullback = logits_vjp(np.array([[1.0, 2.0]]), W_out=np.eye(2), b_out=np.zeros(2))
    >>> dZ, dW_out, db_out = pullback(np.array([[1.0, 10.0]]))
    >>> dW_out
    array([[ 1., 10.],
           [ 2., 20.]])
    """
    return project_vjp(Z, W_out, b_out)


@twin
@requires_as(probabilities)
def probabilities_vjp(
    logits: Annotated[Float[np.ndarray, "... V"], OrMinusInfinity],
    temperature: Temperature = 1.0,
) -> tuple[Float[np.ndarray, "... V"], Pullback]:
    r"""Probabilities and their pullback to the logits: softmax's, divided by the temperature as the logits were.

        dlogits_iv = 1/T p_iv (dp_iv - Σ_u p_iu dp_iu)

    Book: eq-temperature-vjp.

    >>> p, pullback = probabilities_vjp(np.zeros((1, 2)), temperature=0.5)
    >>> pullback(np.array([[1.0, 0.0]]))
    (array([[ 0.5, -0.5]]),)
    """
    p, pullback_of_softmax = softmax_vjp(logits / temperature)

    def pullback(dp):
        (dscaled,) = pullback_of_softmax(dp)
        return (dscaled / temperature,)

    return p, pullback


@twin
def log_softmax_vjp(
    x: Annotated[Float[np.ndarray, "... V"], OrMinusInfinity],
) -> tuple[Annotated[Float[np.ndarray, "... V"], OrMinusInfinity], Pullback]:
    r"""The logarithm of softmax and its pullback: each gets its own gradient, less its share of their sum.

        dx_j = dl_j - p_j Σ_k dl_k
        p = softmax(x)

    Book: eq-log-softmax-vjp.

    >>> log_p, pullback = log_softmax_vjp(np.zeros((1, 2)))
    >>> pullback(np.array([[1.0, 0.0]]))
    (array([[ 0.5, -0.5]]),)
    """
    log_p = log_softmax(x)

    def pullback(dlog_p):
        total = dlog_p.sum(axis=-1, keepdims=True)
        return (dlog_p - np.exp(log_p) * total,)

    return log_p, pullback
