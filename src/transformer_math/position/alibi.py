"""Attention with linear biases: from each score a penalty is taken that grows with the distance, in every head at its own rate."""

import math
from typing import Annotated

import numpy as np
from jaxtyping import Float

from transformer_math.attention.masks import apply_mask
from transformer_math.attention.scaled_dot_product import scores
from transformer_math.attention.softmax import softmax
from transformer_math.contract import Fraction, Holds, Size, contract
from transformer_math.shapes import SelfMask

Slopes = Float[np.ndarray, " n_heads"]
Falling = Annotated[
    Slopes,
    Holds(
        lambda slopes: slopes.min() > 0,
        "all above 0: what is further away is to count less",
        "alibi_slopes(n_heads)",
    ),
]


@contract
def alibi_slopes(n_heads: Size) -> Slopes:
    r"""How steeply each head's penalty grows: halving powers of two, the gaps of a coarser row filled by a finer one.

        m_h = {2^(-8 (h + 1) / p) if h < p; 2^(-4 (2 (h - p) + 1) / p) otherwise}
        h = 0, …, H - 1

    p is the largest power of two that is at most H. Book: eq-alibi-slopes.
    Source: Press et al. (2022), section 3, arXiv:2108.12409, and the code released with it for other numbers of heads.

    >>> alibi_slopes(4)
    array([0.25      , 0.0625    , 0.015625  , 0.00390625])
    >>> alibi_slopes(3)
    array([0.0625    , 0.00390625, 0.25      ])
    """
    p = 1 << (n_heads.bit_length() - 1)
    row = 2.0 ** (-8 * np.arange(1, p + 1) / p)
    between = 2.0 ** (-4 * np.arange(1, 2 * (n_heads - p), 2) / p)
    return np.concatenate([row, between])


@contract
def alibi_bias(n: Size, slopes: Falling) -> Float[np.ndarray, "n_heads n n"]:
    r"""What is added to the scores of each head: nothing on the diagonal, the slope less for each place further away.

        B_hij = -m_h |i - j|

    It is the same before and after the query; where only the past is seen, a causal mask hides the other half.
    The result has the precision of the slopes. Book: eq-alibi-bias. Source: Press et al. (2022), section 3, arXiv:2108.12409.

    >>> alibi_bias(3, np.array([0.5]))
    array([[[-0. , -0.5, -1. ],
            [-0.5, -0. , -0.5],
            [-1. , -0.5, -0. ]]])
    """
    place = np.arange(n, dtype=slopes.dtype)
    return -slopes[:, None, None] * np.abs(place[:, None] - place)


@contract
def alibi_attention(
    Q: Float[np.ndarray, "*batch n_heads n d_k"],
    K: Float[np.ndarray, "*batch n_heads n d_k"],
    V: Float[np.ndarray, "*batch n_heads n d_v"],
    slopes: Slopes,
    mask: SelfMask | None = None,
) -> tuple[
    Float[np.ndarray, "*batch n_heads n d_v"], Float[np.ndarray, "*batch n_heads n n"]
]:
    r"""Attention of several heads whose scores fall with the distance, before the softmax and after the division by √d_k.

        B_hij = -m_h |i - j|
        i = 0, …, n - 1
        j = 0, …, n - 1
        A_h = softmax((Q_h K_hᵀ)/√d_k + B_h)
        O_h = A_h V_h

    Returns the outputs and the weights of all heads. Book: eq-alibi-attention.
    Source: Press et al. (2022), section 3, arXiv:2108.12409.

    >>> zeros, V = np.zeros((1, 2, 1)), np.array([[[0.0], [3.0]]])
    >>> alibi_attention(zeros, zeros, V, slopes=np.array([np.log(2)]))[0].round(9)
    array([[[1.],
            [2.]]])
    """
    S = scores(Q, K) + alibi_bias(Q.shape[-2], slopes)
    A = softmax(S if mask is None else apply_mask(S, mask))
    return A @ V, A


@contract
def alibi_span(slopes: Falling, share: Fraction = 0.9) -> Slopes:
    r"""How many of the nearest tokens hold that share of a head's weight, where all contents are alike and the past is long.

        w = -(ln (1 - c))/m

    Book: eq-alibi-span.

    >>> alibi_span(np.array([0.5, 0.25]), share=0.9).round(1)
    array([4.6, 9.2])
    """
    return -math.log(1 - share) / slopes
