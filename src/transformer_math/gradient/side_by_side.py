"""The gradient of CLIP's loss: each picture is drawn to its own text and pushed from the others, and each text likewise."""

import numpy as np
from jaxtyping import Float

from transformer_math.attention.softmax import softmax
from transformer_math.contract import Positive, Pullback, requires_as, twin
from transformer_math.modalities.side_by_side import clip_loss


@twin
@requires_as(clip_loss)
def clip_loss_vjp(
    U: Float[np.ndarray, "n d"],
    V: Float[np.ndarray, "n d"],
    temperature: Positive = 0.07,
) -> tuple[float, Pullback]:
    r"""CLIP's loss and its pullback to pictures and texts: twice p - y, along the rows and along the columns.

        S = 1/τ U Vᵀ
        dS_ij = dL/(2n) (softmax(S)_ij + softmax(Sᵀ)_ji - 2 δ_ij)
        dU = 1/τ dS V
        dV = 1/τ dSᵀ U

    Book: eq-clip-loss-vjp.

    >>> _, pullback = clip_loss_vjp(np.eye(2), np.eye(2), temperature=1.0)
    >>> pullback(1.0)[0].round(3)
    array([[-0.134,  0.134],
           [ 0.134, -0.134]])
    """
    S = U @ V.T / temperature

    def pullback(gradient):
        pulls = softmax(S) + softmax(S.T).T - 2 * np.eye(len(S), dtype=S.dtype)
        dS = gradient / (2 * len(S)) * pulls / temperature
        return dS @ V, dS.T @ U

    return clip_loss(U, V, temperature), pullback
