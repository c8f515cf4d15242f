"""The gradient of a film's input: to its pixels, the embedding, the class token, and the positions in space and time."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Pullback, Size, requires_as, twin
from transformer_math.modalities.tubelets import tubelets, untubelets, video_input


@twin
@requires_as(video_input)
def video_input_vjp(
    X: Float[np.ndarray, "... F H W C"],
    length: Size,
    patch_size: Size,
    E: Float[np.ndarray, "d_tubelet d_model"],
    x_class: Float[np.ndarray, " d_model"],
    P_space: Float[np.ndarray, "places d_model"],
    P_time: Float[np.ndarray, "times d_model"],
) -> tuple[Float[np.ndarray, "... tokens d_model"], Pullback]:
    r"""A film's tokens, and the pullback: a position in space served every time, a position in time every place.

        dx^class = dz^class
        dE_bj = Σ_{k=0}^(m-1) Σ_{i=0}^(N-1) T_kib dZ_kij
        dT_kib = Σ_j dZ_kij E_bj
        dS_rj = {dz^class_j if r = 0; Σ_{k=0}^(m-1) dZ_{k, r-1, j} otherwise}
        r = 0, …, N
        dU_kj = Σ_{i=0}^(N-1) dZ_kij

    Book: eq-video-input-vjp.

    >>> Z, pullback = video_input_vjp(np.ones((1, 1, 1, 1)), 1, 1, np.ones((1, 1)), np.zeros(1), np.zeros((2, 1)), np.zeros((1, 1)))
    >>> [gradient.tolist() for gradient in pullback(np.array([[10.0], [1.0]]))]
    [[[[[1.0]]]], [[1.0]], [10.0], [[10.0], [1.0]], [[1.0]]]
    """

    def pullback(dZ):
        T, embedded = tubelets(X, length, patch_size), dZ[..., 1:, :]
        dX = untubelets(embedded @ E.T, length, patch_size, *X.shape[-4:-1])
        dE = T.reshape(-1, len(E)).T @ embedded.reshape(-1, E.shape[1])
        dx = dZ[..., 0, :].reshape(-1, E.shape[1]).sum(axis=0)
        by_time = embedded.reshape(-1, len(P_time), len(P_space) - 1, E.shape[1])
        dP_space = np.concatenate([dx[None], by_time.sum(axis=(0, 1))])
        return dX, dE, dx, dP_space, by_time.sum(axis=(0, 2))

    return video_input(X, length, patch_size, E, x_class, P_space, P_time), pullback
