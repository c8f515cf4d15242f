"""Sinusoidal positional encoding: each position is a set of clock hands that turn at different speeds."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import EvenSize, Number, Positive, Size, contract

Positions = Float[np.ndarray, " n"]


@contract
def frequencies(
    d_model: EvenSize, base: Positive = 10000.0
) -> Float[np.ndarray, " half"]:
    r"""The angle, in radians per position, by which each pair of dimensions turns.

        ω_i = b^(-2i/d_model)
        i = 0, 1, …, d_model/2 - 1, b = 10000

    Raises ValueError for an odd or non-positive d_model: sines and cosines come in pairs. Book: eq-frequencies.
    Source: Vaswani et al. (2017), section 3.5, arXiv:1706.03762.

    >>> frequencies(4)
    array([1.  , 0.01])
    """
    return base ** (-np.arange(0, d_model, 2) / d_model)


@contract
def wavelengths(
    d_model: EvenSize, base: Positive = 10000.0
) -> Float[np.ndarray, " half"]:
    r"""The number of positions after which each pair of dimensions repeats.

        λ_i = (2π)/ω_i = 2π b^(2i/d_model)

    Book: eq-wavelength.

    >>> wavelengths(4).round(2)
    array([  6.28, 628.32])
    """
    return 2 * np.pi / frequencies(d_model, base)


@contract
def sinusoidal_at(
    positions: Positions, d_model: EvenSize, base: Positive = 10000.0
) -> Float[np.ndarray, "n d_model"]:
    """Encode any real positions, whole or not: row r is the encoding of `positions[r]`, in their precision.

    >>> sinusoidal_at(np.array([0.5]), d_model=2).round(3)
    array([[0.479, 0.878]])
    """
    angles = positions[:, None] * frequencies(d_model, base)
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return pairs.reshape(len(positions), d_model).astype(positions.dtype, copy=False)


@contract
def sinusoidal(
    n: Size, d_model: EvenSize, base: Positive = 10000.0
) -> Float[np.ndarray, "n d_model"]:
    r"""Encode the positions 0, ..., n - 1: a sine and a cosine side by side for each frequency.

        P_{pos, 2i} = sin(pos ω_i)
        P_{pos, 2i+1} = cos(pos ω_i)
        pos = 0, 1, …, n - 1

    Raises ValueError for n < 1 and for an odd d_model. Book: eq-sinusoidal.
    Source: Vaswani et al. (2017), section 3.5, arXiv:1706.03762.

    >>> sinusoidal(2, d_model=4).round(3)
    array([[0.   , 1.   , 0.   , 1.   ],
           [0.841, 0.54 , 0.01 , 1.   ]])
    """
    return sinusoidal_at(np.arange(n, dtype=float), d_model, base)


@contract
def add_position(
    X: Float[np.ndarray, "... n d_model"], P: Float[np.ndarray, "n d_model"]
) -> Float[np.ndarray, "... n d_model"]:
    r"""Add to each token's embedding the encoding of its place.

        Z^(0) = X + P
        X, P, Z^(0) ∈ R^(n × d_model)

    Raises ValueError where the shapes differ: P must have a row for each token, and no more. Book: eq-add-position.

    >>> add_position(np.array([[0.5, 0.5]]), P=np.array([[0.0, 1.0]]))
    array([[0.5, 1.5]])
    """
    return X + P


@contract
def shift_matrix(
    k: Number, d_model: EvenSize, base: Positive = 10000.0
) -> Float[np.ndarray, "d_model d_model"]:
    r"""The one matrix that carries the encoding of every position to the encoding k places on.

        p_{pos + k} = M_k p_pos
        M_k = [B(k ω_0); ⋱; B(k ω_{d_model/2-1})]
        B(a) = [cos a, sin a; -sin a, cos a]

    Book: eq-shift-matrix. Source: Vaswani et al. (2017), section 3.5, arXiv:1706.03762.

    >>> shift_matrix(1, d_model=2).round(2)
    array([[ 0.54,  0.84],
           [-0.84,  0.54]])
    """
    angles = k * frequencies(d_model, base)
    even = np.arange(0, d_model, 2)
    M = np.zeros((d_model, d_model))
    M[even, even] = np.cos(angles)
    M[even, even + 1] = np.sin(angles)
    M[even + 1, even] = -np.sin(angles)
    M[even + 1, even + 1] = np.cos(angles)
    return M


@contract
def position_similarity(
    offset: Positions, d_model: EvenSize, base: Positive = 10000.0
) -> Positions:
    r"""The dot product of two positions' encodings, which depends on nothing but the distance between them.

        p_pos · p_{pos + k} = Σ_{i=0}^(d_model/2 - 1) cos(k ω_i)

    Book: eq-position-similarity.

    >>> position_similarity(np.array([0.0, 1.0]), d_model=4).round(3)
    array([2.  , 1.54])
    """
    cosines = np.cos(offset[:, None] * frequencies(d_model, base))
    return cosines.sum(axis=-1).astype(offset.dtype, copy=False)
