"""Tubelets: a film cut into small blocks of space and time, each of which is a token; with one frame each they are patches."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Size, contract, requires

_cut_evenly = requires(
    lambda X, length, patch_size: (
        X.shape[-4] % length == 0
        and not any(side % patch_size for side in X.shape[-3:-1])
    ),
    lambda X, length, patch_size: (
        f"X has {X.shape[-4]} frames of {X.shape[-3]} by {X.shape[-2]} pixels, which tubelets of {length} frames and "
        f"{patch_size} by {patch_size} pixels do not divide: something would be left over. "
        "Fix: another length or patch_size, or cut the film."
    ),
)


@contract
@_cut_evenly
def tubelets(
    X: Float[np.ndarray, "... F H W C"], length: Size, patch_size: Size
) -> Float[np.ndarray, "... n d_tubelet"]:
    r"""Cut a film into blocks of `length` frames and p by p pixels, time after time and row by row, and write each as a vector.

        T_krsuabc = X_{kτ + u, rp + a, sp + b, c}
        k = 0, …, m - 1
        r = 0, …, h - 1
        s = 0, …, w - 1
        u = 0, …, τ - 1
        a = 0, …, p - 1
        b = 0, …, p - 1
        c = 0, …, C - 1

    Book: eq-tubelets. Source: Arnab et al. (2021), section 3.2, arXiv:2103.15691.

    >>> tubelets(np.arange(4.0).reshape(2, 1, 2, 1), length=2, patch_size=1)
    array([[0., 2.],
           [1., 3.]])
    """
    *lead, F, H, W, C = X.shape
    L, P = length, patch_size
    blocks = X.reshape(*lead, F // L, L, H // P, P, W // P, P, C)
    first, last = (-7, -5, -3), (-6, -4, -2)  # which block, and where in it
    blocks = np.moveaxis(blocks, (*first, *last), range(-7, -1))
    return blocks.reshape(*lead, -1, L * P * P * C)


@contract
@requires(
    lambda length, patch_size, frames, height, width: (
        not (frames % length or height % patch_size or width % patch_size)
    ),
    "a film of {frames} frames of {height} by {width} pixels has no whole number of tubelets of {length} frames and "
    "{patch_size} by {patch_size} pixels. Fix: the size of the film that was cut.",
)
@requires(
    lambda T, length, patch_size, frames, height, width: (
        T.shape[-2] * length * patch_size**2 == frames * height * width
        and T.shape[-1] % (length * patch_size**2) == 0
    ),
    "T has shape {T.shape}; that is no film of {frames} frames of {height} by {width} pixels in such tubelets. "
    "Fix: the length, the patch_size and the size of the film that was cut.",
)
def untubelets(
    T: Float[np.ndarray, "... n d_tubelet"],
    length: Size,
    patch_size: Size,
    frames: Size,
    height: Size,
    width: Size,
) -> Float[np.ndarray, "... frames height width C"]:
    r"""Put the blocks together again: the inverse of `tubelets`.

        Y_kuyxc = Σ_{r=0}^(h-1) Σ_{s=0}^(w-1) Σ_{a=0}^(p-1) Σ_{b=0}^(p-1) δ_{y, rp + a} δ_{x, sp + b}
            T_krsuabc
        X_fyxc = Σ_{k=0}^(m-1) Σ_{u=0}^(τ-1) δ_{f, kτ + u} Y_kuyxc
        k = 0, …, m - 1
        u = 0, …, τ - 1
        f = 0, …, F - 1
        y = 0, …, H - 1
        x = 0, …, W - 1
        c = 0, …, C - 1

    Book: eq-untubelets.

    >>> X = np.arange(24.0).reshape(2, 2, 2, 3)
    >>> np.array_equal(untubelets(tubelets(X, 2, 1), 2, 1, frames=2, height=2, width=2), X)
    True
    """
    lead, L, P = T.shape[:-2], length, patch_size
    blocks = T.reshape(*lead, frames // L, height // P, width // P, L, P, P, -1)
    first, last = (-7, -5, -3), (-6, -4, -2)
    blocks = np.moveaxis(blocks, range(-7, -1), (*first, *last))
    return blocks.reshape(*lead, frames, height, width, T.shape[-1] // (L * P * P))


@contract
@_cut_evenly
@requires(
    lambda X, E, length, patch_size: len(E) == length * patch_size**2 * X.shape[-1],
    lambda X, E, length, patch_size: (
        f"E has {len(E)} rows; wanted one for each number of a tubelet: length times patch_size² times {X.shape[-1]} "
        "channels. Fix: another E, length or patch_size."
    ),
)
@requires(
    lambda X, P_space, patch_size: (
        len(P_space) == 1 + X.shape[-3] * X.shape[-2] // patch_size**2
    ),
    "P_space has {P_space.shape[0]} rows; wanted one for the class token and one for each place in a frame. "
    "Fix: positions for this number of places.",
)
@requires(
    lambda X, P_time, length: len(P_time) == X.shape[-4] // length,
    "P_time has {P_time.shape[0]} rows; wanted one for each time. Fix: positions for this number of times.",
)
def video_input(
    X: Float[np.ndarray, "... F H W C"],
    length: Size,
    patch_size: Size,
    E: Float[np.ndarray, "d_tubelet d_model"],
    x_class: Float[np.ndarray, " d_model"],
    P_space: Float[np.ndarray, "places d_model"],
    P_time: Float[np.ndarray, "times d_model"],
) -> Float[np.ndarray, "... tokens d_model"]:
    r"""What the first layer reads of a film: a class token and the embedded tubelets, each told its place and its time.

        z^class = x^class + S_0
        Z_ki = T_ki E + S_{i+1} + U_k
        k = 0, …, m - 1
        i = 0, …, N - 1

    Book: eq-video-input. Source: Bertasius, Wang and Torresani (2021), section 3, arXiv:2102.05095.

    >>> X, E = np.array([[[[0.5]]], [[[2.0]]]]), np.array([[1.0]])
    >>> video_input(X, 1, 1, E, np.array([7.0]), P_space=np.array([[0.0], [10.0]]), P_time=np.array([[0.0], [100.0]]))
    array([[  7. ],
           [ 10.5],
           [112. ]])
    """
    embedded = tubelets(X, length, patch_size) @ E
    places = (P_time[:, None] + P_space[1:]).reshape(-1, P_time.shape[-1])
    first = np.broadcast_to(x_class, (*X.shape[:-4], 1, len(x_class)))
    return np.concatenate([first + P_space[0], embedded + places], axis=-2)
