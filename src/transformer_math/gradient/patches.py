"""The gradient of a vision transformer's input: to the picture, the patch embedding, the class token and the positions."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Pullback, Size, requires_as, twin
from transformer_math.modalities.patches import patchify, unpatchify, vit_input


@twin
@requires_as(vit_input)
def vit_input_vjp(
    X: Float[np.ndarray, "... H W C"],
    patch_size: Size,
    E: Float[np.ndarray, "d_patch d_model"],
    x_class: Float[np.ndarray, " d_model"],
    P: Float[np.ndarray, "tokens d_model"],
) -> tuple[Float[np.ndarray, "... tokens d_model"], Pullback]:
    r"""Class token and patches at their places, and the pullback: E, the class token and the positions served every picture.

        dP = dZ
        dx^class = dZ_0
        dE_kj = Σ_{i=0}^(n-1) T_ik dZ_{i+1, j}
        dT_ik = Σ_j dZ_{i+1, j} E_kj
        i = 0, …, n - 1

    Book: eq-vit-input-vjp.

    >>> Z, pullback = vit_input_vjp(np.array([[[2.0]]]), 1, np.ones((1, 1)), np.zeros(1), np.zeros((2, 1)))
    >>> [gradient.tolist() for gradient in pullback(np.array([[10.0], [1.0]]))]
    [[[[1.0]]], [[2.0]], [10.0], [[10.0], [1.0]]]
    """

    def pullback(dZ):
        T, embedded = patchify(X, patch_size), dZ[..., 1:, :]
        dX = unpatchify(embedded @ E.T, patch_size, *X.shape[-3:-1])
        dE = T.reshape(-1, len(E)).T @ embedded.reshape(-1, E.shape[1])
        dP = dZ.reshape(-1, *P.shape).sum(axis=0)
        return dX, dE, dP[0], dP

    return vit_input(X, patch_size, E, x_class, P), pullback
