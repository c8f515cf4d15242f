"""The gradient of learned positions: every row collects from all sequences that were long enough to reach it."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Pullback, requires_as, twin
from transformer_math.position.learned import add_learned_position


@twin
@requires_as(add_learned_position)
def add_learned_position_vjp(
    X: Float[np.ndarray, "... n d_model"], P: Float[np.ndarray, "L d_model"]
) -> tuple[Float[np.ndarray, "... n d_model"], Pullback]:
    r"""Embeddings at learned places, and the pullback: a row gets the sum over the sequences, and zero if none reached it.

        dX_bij = dZ_bij
        dP_kj = Σ_b Σ_{i=0}^(n-1) δ_ki dZ_bij
        k = 0, …, L - 1

    Book: eq-learned-position-vjp.

    >>> Z, pullback = add_learned_position_vjp(np.zeros((2, 1, 1)), P=np.ones((2, 1)))
    >>> pullback(np.array([[[10.0]], [[5.0]]]))[1]
    array([[15.],
           [ 0.]])
    """

    def pullback(dZ):
        dP = np.zeros_like(P)
        dP[: dZ.shape[-2]] = dZ.reshape(-1, *dZ.shape[-2:]).sum(axis=0)
        return dZ, dP

    return add_learned_position(X, P), pullback
