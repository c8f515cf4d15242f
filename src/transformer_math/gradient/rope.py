"""The gradients of rotations: what was turned on the way there is turned back. Positions and angles are given, and take nothing."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Positive, Pullback, twin
from transformer_math.position.rope import rope, rope_half_split, rotate_pairs
from transformer_math.position.sinusoidal import Positions
from transformer_math.shapes import HeadVectors


@twin
def rotate_pairs_vjp(
    x: Float[np.ndarray, "*rows d_k"], angles: Float[np.ndarray, "*#rows half"]
) -> tuple[Float[np.ndarray, "*rows d_k"], Pullback]:
    r"""Rotated pairs and their pullback: a rotation's transpose turns the other way.

        [dx_2r; dx_{2r+1}] = R(-a_r) [dx'_2r; dx'_{2r+1}]

    Book: eq-rotation-vjp.

    >>> rotate_pairs_vjp(np.array([1.0, 0.0]), np.array([np.pi / 2]))[1](np.array([0.0, 1.0]))[0].round(9)
    array([1., 0.])
    """
    return rotate_pairs(x, angles), lambda dy: (rotate_pairs(dy, -angles),)


@twin
def rope_vjp(
    x: HeadVectors, positions: Positions, base: Positive = 10000.0
) -> tuple[HeadVectors, Pullback]:
    r"""Rotated queries or keys and their pullback: turned back by the same positions.

        dx_pos = R_posᵀ dx'_pos

    Book: eq-rope-vjp. Source: Su et al. (2021), arXiv:2104.09864.

    >>> rope_vjp(np.array([[1.0, 0.0]]), np.array([2.0]))[1](np.array([[1.0, 0.0]]))[0].round(3)
    array([[-0.416, -0.909]])
    """
    return rope(x, positions, base), lambda dy: (rope(dy, -positions, base),)


@twin
def rope_half_split_vjp(
    x: HeadVectors, positions: Positions, base: Positive = 10000.0
) -> tuple[HeadVectors, Pullback]:
    r"""The same in the other layout, whose pairs stand d_k/2 apart.

        [dx_r; dx_{r + d_k/2}] = R(-pos ω_r) [dx'_r; dx'_{r + d_k/2}]
        r = 0, …, d_k/2 - 1, ω_r = b^(-2r/d_k)

    Book: eq-rope-half-split-vjp. Source: Black et al. (2022), arXiv:2204.06745.

    >>> rope_half_split_vjp(np.array([[1.0, 0.0]]), np.array([2.0]))[1](np.array([[1.0, 0.0]]))[0].round(3)
    array([[-0.416, -0.909]])
    """

    def pullback(dy):
        return (rope_half_split(dy, -positions, base),)

    return rope_half_split(x, positions, base), pullback
