"""Masks: which query may see which key. True where attention is allowed."""

import numpy as np
from jaxtyping import Bool, Int

from transformer_math.contract import Size, contract, requires
from transformer_math.shapes import Mask, MaskedScores


@contract
def apply_mask(S: MaskedScores, mask: Mask) -> MaskedScores:
    r"""Forbid what the mask forbids: where it is False, the score becomes -inf.

        S_ij ← {S_ij if M_ij; -∞ otherwise}

    The mask spreads over axes that it lacks, or that have size 1 in it. Raises ValueError for a mask that is not
    boolean or does not fit. Book: eq-mask.

    >>> apply_mask(np.array([[1.0, 2.0]]), mask=np.array([[True, False]]))
    array([[  1., -inf]])
    """
    return np.where(mask, S, -np.inf)


@contract
def causal_mask(n: Size) -> Bool[np.ndarray, "n n"]:
    r"""Let each position see itself and what came before.

        M_ij = (j ≤ i)

    Book: eq-causal-mask. Source: Vaswani et al. (2017), section 3.2.3, arXiv:1706.03762.

    >>> causal_mask(3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 1, 1]])
    """
    return np.tri(n, dtype=bool)


@contract
@requires(
    lambda lengths, n: lengths.min() >= 0 and lengths.max() <= n,
    "the lengths are {lengths}; wanted 0..{n}. Fix: pad to the longest sequence, n = max(lengths).",
)
def padding_mask(
    lengths: Int[np.ndarray, " batch"], n: Size
) -> Bool[np.ndarray, "batch 1 1 n"]:
    r"""Let every query of a sequence see that sequence's own tokens, and none of the padding after them.

        M_bhij = (j < length_b)

    It is the same for every head h and every query i, whose axes have size 1: it is made for scores
    (batch, heads, n, n). Raises ValueError for a length outside 0..n. Book: eq-padding-mask.

    >>> padding_mask(np.array([2, 3]), n=3).astype(int).tolist()
    [[[[1, 1, 0]]], [[[1, 1, 1]]]]
    """
    return np.arange(n) < lengths[:, None, None, None]


@contract
def causal_padding_mask(
    lengths: Int[np.ndarray, " batch"], n: Size
) -> Bool[np.ndarray, "batch 1 n n"]:
    r"""Both at once: each position sees itself and what came before, and none of the padding.

        M_bhij = (j ≤ i) (j < length_b)

    The product of two conditions is 1 where both hold. The array is made for scores (batch, heads, n, n), and is the
    same for every head. Raises ValueError for a length outside 0..n. Book: eq-causal-padding-mask.

    >>> causal_padding_mask(np.array([2]), n=3).astype(int)
    array([[[[1, 0, 0],
             [1, 1, 0],
             [1, 1, 0]]]])
    """
    return causal_mask(n) & padding_mask(lengths, n)


@contract
def additive_mask(
    mask: Bool[np.ndarray, "*batch n m"],
) -> MaskedScores:
    r"""The same mask in the form that is added to the scores.

        B_ij = {0 if M_ij; -∞ otherwise}

    Single precision holds both numbers exactly, and added to scores it widens none. Book: eq-additive-mask.

    >>> additive_mask(np.array([[True, False]]))
    array([[  0., -inf]], dtype=float32)
    """
    return np.where(mask, np.float32(0), np.float32(-np.inf))


@contract
def sliding_window_mask(n: Size, window: Size) -> Bool[np.ndarray, "n n"]:
    r"""Let each position see itself and the `window` - 1 positions before it.

        M_ij = (i - w < j ≤ i)

    Book: eq-sliding-window-mask. Source: Beltagy et al. (2020), section 3.1, arXiv:2004.05150.

    >>> sliding_window_mask(4, window=2).astype(int)
    array([[1, 0, 0, 0],
           [1, 1, 0, 0],
           [0, 1, 1, 0],
           [0, 0, 1, 1]])
    """
    return np.tri(n, dtype=bool) & ~np.tri(n, k=-window, dtype=bool)


@contract
@requires(
    lambda n, prefix: prefix <= n,
    "prefix is {prefix}, but there are only {n} positions. Fix: prefix <= n.",
)
def prefix_mask(n: Size, prefix: Size) -> Bool[np.ndarray, "n n"]:
    r"""Let the first `prefix` positions see each other in both directions, and later ones all that came before.

        M_ij = (j ≤ max(i, p - 1))

    Raises ValueError for a prefix longer than the sequence. Book: eq-prefix-mask.
    Source: Raffel et al. (2020), section 3.2.1, arXiv:1910.10683.

    >>> prefix_mask(4, prefix=2).astype(int)
    array([[1, 1, 0, 0],
           [1, 1, 0, 0],
           [1, 1, 1, 0],
           [1, 1, 1, 1]])
    """
    position = np.arange(n)
    return position <= np.maximum(position, prefix - 1)[:, None]
