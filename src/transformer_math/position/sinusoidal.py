"""Sinusoidal positional encoding: each position is a set of clock hands that turn at different speeds."""

import numpy as np
from jaxtyping import Float

from transformer_math.errors import require

Positions = Float[np.ndarray, " n"]


def frequencies(d_model: int, base: float = 10000.0) -> Float[np.ndarray, " half"]:
    r"""The angle, in radians per position, by which each pair of dimensions turns.

        omega_i = base^(-2i / d_model),   i = 0, ..., d_model / 2 - 1

    Raises ValueError for an odd or non-positive d_model: sines and cosines come in pairs. Book: eq-frequencies.
    Source: Vaswani et al. (2017), section 3.5, arXiv:1706.03762.

    >>> frequencies(4)
    array([1.  , 0.01])
    """
    even = d_model > 0 and d_model % 2 == 0
    require(
        even,
        f"d_model is {d_model}; wanted a positive even number, a sine and a cosine per pair. Fix: {_even(d_model)}.",
    )
    require(
        base > 0,
        f"base is {base}; wanted a positive number. Fix: the usual base is 10000.",
    )
    return base ** (-np.arange(0, d_model, 2) / d_model)


def wavelengths(d_model: int, base: float = 10000.0) -> Float[np.ndarray, " half"]:
    r"""The number of positions after which each pair of dimensions repeats.

        lambda_i = 2 pi / omega_i = 2 pi base^(2i / d_model)

    Book: eq-wavelength.

    >>> wavelengths(4).round(2)
    array([  6.28, 628.32])
    """
    return 2 * np.pi / frequencies(d_model, base)


def sinusoidal_at(
    positions: Positions, d_model: int, base: float = 10000.0
) -> Float[np.ndarray, "n d_model"]:
    """Encode any real positions, whole or not: row r is the encoding of `positions[r]`.

    >>> sinusoidal_at(np.array([0.5]), d_model=2).round(3)
    array([[0.479, 0.878]])
    """
    angles = positions[:, None] * frequencies(d_model, base)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(
        len(positions), d_model
    )


def sinusoidal(
    n: int, d_model: int, base: float = 10000.0
) -> Float[np.ndarray, "n d_model"]:
    r"""Encode the positions 0, ..., n - 1: a sine and a cosine side by side for each frequency.

        P_{pos, 2i} = sin(pos omega_i),   P_{pos, 2i+1} = cos(pos omega_i)

    Raises ValueError for n < 1 and for an odd d_model. Book: eq-sinusoidal.
    Source: Vaswani et al. (2017), section 3.5, arXiv:1706.03762.

    >>> sinusoidal(2, d_model=4).round(3)
    array([[0.   , 1.   , 0.   , 1.   ],
           [0.841, 0.54 , 0.01 , 1.   ]])
    """
    require(
        n >= 1,
        f"n is {n}; wanted at least one position. Fix: pass the number of tokens.",
    )
    return sinusoidal_at(np.arange(n, dtype=float), d_model, base)


def add_position(
    X: Float[np.ndarray, "... n d_model"], P: Float[np.ndarray, "n d_model"]
) -> Float[np.ndarray, "... n d_model"]:
    r"""Add to each token's embedding the encoding of its place.

        Z^(0) = X + P

    Raises ValueError where the shapes differ: P must have a row for each token, and no more. Book: eq-add-position.

    >>> add_position(np.array([[0.5, 0.5]]), P=np.array([[0.0, 1.0]]))
    array([[0.5, 1.5]])
    """
    require(
        X.shape[-2:] == P.shape,
        f"X has shape {X.shape} and P {P.shape}; wanted the same n and d_model. Fix: P = sinusoidal(X.shape[-2], X.shape[-1]).",
    )
    return X + P


def shift_matrix(
    k: int | float, d_model: int, base: float = 10000.0
) -> Float[np.ndarray, "d_model d_model"]:
    r"""The one matrix that carries the encoding of every position to the encoding k places on.

        p_{pos+k} = M_k p_pos,   M_k = blockdiag_i [[cos k omega_i, sin k omega_i], [-sin k omega_i, cos k omega_i]]

    Book: eq-shift-matrix. Source: Vaswani et al. (2017), section 3.5, arXiv:1706.03762.

    >>> shift_matrix(1, d_model=2).round(2)
    array([[ 0.54,  0.84],
           [-0.84,  0.54]])
    """
    cos, sin = (
        np.cos(k * frequencies(d_model, base)),
        np.sin(k * frequencies(d_model, base)),
    )
    M = np.zeros((d_model, d_model))
    even, odd = np.arange(0, d_model, 2), np.arange(1, d_model, 2)
    M[even, even], M[even, odd] = cos, sin
    M[odd, even], M[odd, odd] = -sin, cos
    return M


def position_similarity(
    offset: Positions, d_model: int, base: float = 10000.0
) -> Positions:
    r"""The dot product of two positions' encodings, which depends on nothing but the distance between them.

        p_pos . p_{pos+k} = sum_i cos(k omega_i)

    Book: eq-position-similarity.

    >>> position_similarity(np.array([0.0, 1.0]), d_model=4).round(3)
    array([2.  , 1.54])
    """
    return np.cos(offset[:, None] * frequencies(d_model, base)).sum(axis=-1)


def _even(d_model: int) -> str:
    return f"use {d_model + 1}" if d_model > 0 else "use at least 2"
