"""Patches: a picture cut into squares, each of which is a token. Vision transformers read pictures so."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Size, contract, requires
from transformer_math.position.sinusoidal import sinusoidal

_cut_evenly = requires(
    lambda X, patch_size: not any(side % patch_size for side in X.shape[-3:-1]),
    lambda X, patch_size: (
        f"X has {X.shape[-3]} rows and {X.shape[-2]} columns of pixels, which patches of {patch_size} do not divide: "
        "something would be left over. Fix: another patch_size, or crop or scale the picture."
    ),
)


@contract
@_cut_evenly
def patchify(
    X: Float[np.ndarray, "... H W C"], patch_size: Size
) -> Float[np.ndarray, "... n d_patch"]:
    r"""Cut a picture into squares, row by row, and write each as one vector: its pixels row by row, with their channels.

        T_rsabc = X_{rp + a, sp + b, c}
        r = 0, …, h - 1
        s = 0, …, w - 1
        a = 0, …, p - 1
        b = 0, …, p - 1
        c = 0, …, C - 1

    Book: eq-patchify. Source: Dosovitskiy et al. (2021), section 3.1, arXiv:2010.11929.

    >>> patchify(np.arange(8.0).reshape(2, 4, 1), patch_size=2)
    array([[0., 1., 4., 5.],
           [2., 3., 6., 7.]])
    """
    *lead, H, W, C = X.shape
    P = patch_size
    squares = X.reshape(*lead, H // P, P, W // P, P, C).swapaxes(-4, -3)
    return squares.reshape(*lead, (H // P) * (W // P), P * P * C)


@contract
@requires(
    lambda height, width, patch_size: not (height % patch_size or width % patch_size),
    "a picture of {height} by {width} pixels has no whole number of patches of {patch_size}. "
    "Fix: the size of the picture that was cut.",
)
@requires(
    lambda T, patch_size, height, width: (
        T.shape[-2] * patch_size**2 == height * width
        and T.shape[-1] % patch_size**2 == 0
    ),
    "T has shape {T.shape}; that is no picture of {height} by {width} pixels in patches of {patch_size}. "
    "Fix: the patch_size and the size of the picture that was cut.",
)
def unpatchify(
    T: Float[np.ndarray, "... n d_patch"], patch_size: Size, height: Size, width: Size
) -> Float[np.ndarray, "... height width C"]:
    r"""Put the squares together again: the inverse of `patchify`.

        X_yxc = Σ_{r=0}^(h-1) Σ_{s=0}^(w-1) Σ_{a=0}^(p-1) Σ_{b=0}^(p-1) δ_{y, rp + a} δ_{x, sp + b} T_rsabc
        y = 0, …, H - 1
        x = 0, …, W - 1
        c = 0, …, C - 1

    Book: eq-unpatchify.

    >>> X = np.arange(24.0).reshape(2, 4, 3)
    >>> np.array_equal(unpatchify(patchify(X, 2), 2, height=2, width=4), X)
    True
    """
    lead, P = T.shape[:-2], patch_size
    squares = T.reshape(*lead, height // P, width // P, P, P, -1).swapaxes(-4, -3)
    return squares.reshape(*lead, height, width, T.shape[-1] // P**2)


@contract
@_cut_evenly
@requires(
    lambda X, E, patch_size: len(E) == patch_size**2 * X.shape[-1],
    lambda X, E, patch_size: (
        f"E has {len(E)} rows; wanted one for each number of a patch: patch_size² times {X.shape[-1]} channels. "
        "Fix: another E or patch_size."
    ),
)
@requires(
    lambda X, P, patch_size: len(P) == 1 + X.shape[-3] * X.shape[-2] // patch_size**2,
    "P has {P.shape[0]} rows; wanted one for each patch and one for the class token. Fix: positions for this number of patches.",
)
def vit_input(
    X: Float[np.ndarray, "... H W C"],
    patch_size: Size,
    E: Float[np.ndarray, "d_patch d_model"],
    x_class: Float[np.ndarray, " d_model"],
    P: Float[np.ndarray, "tokens d_model"],
) -> Float[np.ndarray, "... tokens d_model"]:
    r"""What the first layer of a vision transformer reads: a class token and the embedded patches, with their positions.

        Z = [x^class; T E] + P

    Book: eq-vit-input. Source: Dosovitskiy et al. (2021), equation 1, arXiv:2010.11929.

    >>> X = np.array([[[0.5], [2.0]]])
    >>> vit_input(X, 1, E=np.array([[1.0]]), x_class=np.array([7.0]), P=np.zeros((3, 1)))
    array([[7. ],
           [0.5],
           [2. ]])
    """
    embedded = patchify(X, patch_size) @ E
    first = np.broadcast_to(x_class, (*X.shape[:-3], 1, len(x_class)))
    return np.concatenate([first, embedded], axis=-2) + P


@contract
@requires(
    lambda d_model: d_model % 4 == 0,
    "d_model is {d_model}; wanted a multiple of 4: half for rows, half for columns, each of sines and cosines. "
    "Fix: another d_model.",
)
def grid_positions(
    rows: Size, columns: Size, d_model: Size
) -> Float[np.ndarray, "n d_model"]:
    r"""Positions in the plane: the first half of a vector says in which row a patch stands, the second in which column.

        G_rsj = {S_rj if j < d_model / 2; S_{s, j - d_model/2} otherwise}
        r = 0, …, h - 1
        s = 0, …, w - 1
        j = 0, …, d_model - 1

    Book: eq-grid-positions. Source: Chen, Xie and He (2021), arXiv:2104.02057.

    >>> grid_positions(1, 2, 4).round(2)
    array([[0.  , 1.  , 0.  , 1.  ],
           [0.  , 1.  , 0.84, 0.54]])
    """
    row, column = np.divmod(np.arange(rows * columns), columns)
    of_row, of_column = (sinusoidal(k, d_model // 2) for k in (rows, columns))
    return np.concatenate([of_row[row], of_column[column]], axis=1)
