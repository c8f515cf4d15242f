"""The gradient of a linear projection: to the tokens, to the matrix, to the bias."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Pullback, twin


@twin
def project_vjp(
    Z: Float[np.ndarray, "... d_in"],
    W: Float[np.ndarray, "d_in d_out"],
    b: Float[np.ndarray, " d_out"] | float = 0.0,
) -> tuple[Float[np.ndarray, "... d_out"], Pullback]:
    r"""A projection and its pullback: the matrix and the bias gather from all tokens, since all went through them.

        dZ = dQ (W^Q)ᵀ
        dW^Q = Zᵀ dQ
        db^Q = Σ_i dQ_i

    A bias that is one number gets one number. Book: eq-projection-vjp.

    >>> Q, pullback = project_vjp(np.array([[1.0, 2.0]]), W=np.array([[3.0], [4.0]]), b=np.zeros(1))
    >>> dZ, dW, db = pullback(np.array([[10.0]]))
    >>> dZ, dW, db
    (array([[30., 40.]]), array([[10.],
           [20.]]), array([10.]))
    """
    rows = Z.reshape(-1, Z.shape[-1])  # all tokens of all sequences: one product
    Q = rows @ W
    Q += b

    def pullback(gradient):
        flat = gradient.reshape(-1, gradient.shape[-1])
        db = flat.sum(axis=0) if isinstance(b, np.ndarray) else float(flat.sum())
        return (flat @ W.T).reshape(Z.shape), rows.T @ flat, db

    return Q.reshape(*Z.shape[:-1], W.shape[1]), pullback
