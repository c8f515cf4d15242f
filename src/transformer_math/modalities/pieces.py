"""Pieces of signals: how many there are, what their codes cost, and how near to the signal comes what they give back."""

import math

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import (
    NumberOrInfinity,
    Positive,
    Size,
    contract,
    requires,
)
from transformer_math.scaling import length

Axes = Int[np.ndarray, " axes"]


@contract
@requires(
    lambda sizes, piece, stride: min(sizes.min(), piece.min(), stride.min()) >= 1,
    "sizes, piece and stride hold {sizes}, {piece} and {stride}; wanted 1 or more on each. Fix: leave out what stays whole.",
)
@requires(
    lambda sizes, piece, stride: bool(
        (piece <= sizes).all() and not ((sizes - piece) % stride).any()
    ),
    "a piece of {piece} that moves by {stride} does not come out at the end of {sizes}: something would be left over. "
    "Fix: another piece or stride, or crop the signal.",
)
def count_pieces(sizes: Axes, piece: Axes, stride: Axes) -> int:
    r"""How many pieces a signal gives: on every axis the first one, and one more for each step to the end.

        n = Π_a ((N_a - p_a)/s_a + 1)

    `sizes` is the size of the signal on each axis that is cut (seconds, rows, columns …), `piece` that of a piece, `stride`
    how far it moves; where stride and piece are equal, no two pieces share anything.
    Book: eq-count-pieces.

    >>> count_pieces(np.array([96, 96]), piece=np.array([16, 16]), stride=np.array([16, 16]))
    36
    """
    return math.prod(((sizes - piece) // stride + 1).tolist())


@contract
def bit_rate(n_codes: Size, seconds: Positive, codebook_size: Size) -> float:
    r"""What a second of a signal costs as codes, in bits: each code is one of K, so it takes log₂ K of them.

        R = n/τ log_2 K

    Book: eq-bit-rate. Source: Hartley (1928), *Transmission of information*.

    >>> bit_rate(100, seconds=2.0, codebook_size=256)
    400.0
    """
    return n_codes / seconds * math.log2(codebook_size)


@contract
@requires(
    lambda x, y: bool(x.any()),
    "x is 0 everywhere: a signal without energy has no ratio to noise. Fix: another signal.",
)
def signal_to_noise(
    x: Float[np.ndarray, " numbers"], y: Float[np.ndarray, " numbers"]
) -> NumberOrInfinity:
    r"""How much larger a signal is than what is wrong in its copy, in decibels: 10 more for every factor of ten; ∞ if nothing is.

        r = 10 log_10 (‖ x ‖²)/(‖ x - y ‖²)

    Book: eq-signal-to-noise.

    >>> round(signal_to_noise(np.array([3.0, 4.0]), np.array([3.0, 3.5])), 6)
    20.0
    """
    scale = np.float64(max(np.abs(x).max(), np.abs(y).max()))
    signal, noise = length(x / scale), length(x / scale - y / scale)
    with np.errstate(divide="ignore"):
        return 20 * float(np.log10(signal) - np.log10(noise))
