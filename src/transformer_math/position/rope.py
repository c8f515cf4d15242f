"""Rotary position embedding: queries and keys are turned by their positions, and scores see only the difference."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Positive, contract, requires
from transformer_math.position.sinusoidal import Positions, frequencies
from transformer_math.shapes import HeadVectors

_even = requires(
    lambda x: x.shape[-1] % 2 == 0,
    "x has shape {x.shape}; wanted an even d_k, since dimensions turn in pairs. Fix: the next even d_k.",
)


@contract
@requires(
    lambda x, angles: x.shape[-1] == 2 * angles.shape[-1],
    "x has shape {x.shape} and angles {angles.shape}; wanted one angle for each pair. Fix: half as many angles as dimensions.",
)
def rotate_pairs(
    x: Float[np.ndarray, "*rows d_k"], angles: Float[np.ndarray, "*#rows half"]
) -> Float[np.ndarray, "*rows d_k"]:
    r"""Turn each pair of neighbouring dimensions counterclockwise by its own angle (radians).

        [x'_2r; x'_{2r+1}] = R(a_r) [x_2r; x_{2r+1}]
        R(a) = [cos a, -sin a; sin a, cos a]

    The result has the precision of x. Book: eq-rotation.

    >>> rotate_pairs(np.array([1.0, 0.0]), angles=np.array([np.pi / 2])).round(9)
    array([0., 1.])
    """
    even, odd = x[..., 0::2], x[..., 1::2]
    cos = np.cos(angles).astype(x.dtype)
    sin = np.sin(angles).astype(x.dtype)
    turned = np.stack([even * cos - odd * sin, even * sin + odd * cos], axis=-1)
    return turned.reshape(x.shape)


@contract
@_even
def rope(x: HeadVectors, positions: Positions, base: Positive = 10000.0) -> HeadVectors:
    r"""Turn each pair of a query or key by its position times the frequency of the pair.

        x'_pos = R_pos x_pos
        R_pos = [R(pos ω_0); ⋱; R(pos ω_{d_k/2-1})]
        ω_r = b^(-2r/d_k)
        b = 10000

    Neighbouring dimensions (2i, 2i+1) make a pair. Raises ValueError where there is not one position per row, and for
    an odd d_k. The result has the precision of x. Book: eq-rope, eq-rope-relative. Source: Su et al. (2021), arXiv:2104.09864.

    >>> rope(np.array([[1.0, 0.0], [1.0, 0.0]]), positions=np.array([0.0, 1.0])).round(3)
    array([[1.   , 0.   ],
           [0.54 , 0.841]])
    """
    return rotate_pairs(x, positions[:, None] * frequencies(x.shape[-1], base))


@contract
@_even
def rope_half_split(
    x: HeadVectors, positions: Positions, base: Positive = 10000.0
) -> HeadVectors:
    r"""The same rotation with dimension i paired with i + d_k/2, as GPT-NeoX and the Hugging Face models store it.

        [x'_r; x'_{r + d_k/2}] = R(pos ω_r) [x_r; x_{r + d_k/2}]
        r = 0, …, d_k/2 - 1, ω_r = b^(-2r/d_k)

    Book: eq-rope-half-split. Source: Black et al. (2022), arXiv:2204.06745.

    >>> rope_half_split(np.array([[1.0, 0.0]]), positions=np.array([1.0])).round(3)
    array([[0.54 , 0.841]])
    """
    angles = positions[:, None] * frequencies(x.shape[-1], base)
    first, second = np.split(x, 2, axis=-1)
    cos = np.cos(angles).astype(x.dtype)
    sin = np.sin(angles).astype(x.dtype)
    return np.concatenate(
        [first * cos - second * sin, first * sin + second * cos], axis=-1
    )
