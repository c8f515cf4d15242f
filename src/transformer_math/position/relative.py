"""Relative positions: a learnt vector for each offset, added to keys and values inside attention."""

import math

import numpy as np
from jaxtyping import Float, Int

from transformer_math.attention.masks import apply_mask
from transformer_math.attention.softmax import softmax
from transformer_math.contract import Size, Whole, contract, requires, requires_as
from transformer_math.shapes import Mask


@contract
@requires(
    lambda limit: limit >= 0,
    "limit is {limit}; wanted at least 0, the largest distance that has a row of its own. Fix: limit = 16.",
)
def clipped_offsets(n: Size, limit: Whole) -> Int[np.ndarray, "n n"]:
    r"""Which row of a table of 2k + 1 vectors belongs to a query and a key: that of their offset, clipped.

        D_ij = k + max(-k, min(k, j - i))

    Book: eq-clipped-offsets. Source: Shaw et al. (2018), section 3.2, arXiv:1803.02155.

    >>> clipped_offsets(3, limit=1)
    array([[1, 2, 2],
           [0, 1, 2],
           [0, 0, 1]])
    """
    place = np.arange(n)
    return limit + np.clip(place - place[:, None], -limit, limit)


@contract
@requires(
    lambda a_K: len(a_K) % 2 == 1,
    "a_K has shape {a_K.shape}; wanted an odd number of rows, one for each offset -k, ..., 0, ..., k. Fix: 2k + 1 rows.",
)
def relative_scores(
    Q: Float[np.ndarray, "... n d_k"],
    K: Float[np.ndarray, "... n d_k"],
    a_K: Float[np.ndarray, "rows d_k"],
) -> Float[np.ndarray, "... n n"]:
    r"""Compare every query with every key, to which the vector of their offset has been added.

        S_ij = (Q_i (K_j + a^K_{D_ij})ᵀ)/√d_k

    Book: eq-relative-scores. Source: Shaw et al. (2018), equation 4, arXiv:1803.02155.

    >>> relative_scores(Q=np.ones((2, 1)), K=np.array([[5.0], [7.0]]), a_K=np.array([[-1.0], [0.0], [1.0]]))
    array([[5., 8.],
           [4., 7.]])
    """
    D = clipped_offsets(Q.shape[-2], len(a_K) // 2)
    pair_keys = K[..., None, :, :] + a_K[D]  # a key for every pair of places
    return np.einsum("...id,...ijd->...ij", Q, pair_keys) / math.sqrt(Q.shape[-1])


@contract
@requires(
    lambda a_K: len(a_K) % 2 == 1,
    "a_K has shape {a_K.shape}; wanted an odd number of rows, one for each offset -k, ..., 0, ..., k. Fix: 2k + 1 rows.",
)
def relative_attention(
    Q: Float[np.ndarray, "*batch n d_k"],
    K: Float[np.ndarray, "*batch n d_k"],
    V: Float[np.ndarray, "*batch n d_v"],
    a_K: Float[np.ndarray, "rows d_k"],
    a_V: Float[np.ndarray, "rows d_v"],
    mask: Mask | None = None,
) -> tuple[Float[np.ndarray, "*batch n d_v"], Float[np.ndarray, "*batch n n"]]:
    r"""Attention whose keys and values know how far they stand from the query.

        S_ij = (Q_i (K_j + a^K_{D_ij})ᵀ)/√d_k
        A = softmax(S)
        O_i = Σ_j A_ij (V_j + a^V_{D_ij})

    Returns the output O and the weights A. The tables serve every sequence and head of the batch; a query that may attend
    to nothing gets zeros. Book: eq-relative-attention. Source: Shaw et al. (2018), equations 3 and 4, arXiv:1803.02155.

    >>> table = np.array([[-1.0], [0.0], [1.0]])
    >>> O, A = relative_attention(*np.zeros((3, 2, 1)), a_K=table, a_V=table)
    >>> O
    array([[ 0.5],
           [-0.5]])
    """
    S = relative_scores(Q, K, a_K)
    A = softmax(S if mask is None else apply_mask(S, mask))
    D = clipped_offsets(Q.shape[-2], len(a_V) // 2)
    return np.einsum("...ij,...ijd->...id", A, V[..., None, :, :] + a_V[D]), A


@contract
@requires(
    lambda R: R.shape[-1] == 2 * R.shape[-2] - 1,
    "R has shape {R.shape}; wanted n rows and 2n - 1 columns, one for each offset from -(n - 1) to n - 1. Fix: all offsets.",
)
def skew(R: Float[np.ndarray, "... n offsets"]) -> Float[np.ndarray, "... n n"]:
    r"""From a column for each offset to a column for each key: every row is shifted by its own place.

        skew(R)_ij = R_{i, n - 1 + j - i}
        j = 0, …, n - 1

    A column of zeros makes the rows longer by one; read in rows that are shorter by one, each starts one entry later
    than the last, and no entry is looked up. Book: eq-skew. Source: Huang et al. (2018), arXiv:1809.04281.

    >>> skew(np.array([[-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0]]))
    array([[ 0.,  1.],
           [-1.,  0.]])
    """
    *lead, n, offsets = R.shape
    padded = np.concatenate([R, np.zeros((*lead, n, 1), R.dtype)], axis=-1)
    flat = padded.reshape(*lead, n * (offsets + 1))[..., n - 1 : -1]
    return flat.reshape(*lead, n, offsets)[..., :n]


@contract
def unskew(
    A: Float[np.ndarray, "... n n"],
) -> Float[np.ndarray, "... n offsets"]:
    r"""From a column for each key back to a column for each offset, with zeros where no key stands.

        unskew(A)_ir = {A_{i, i + r - n + 1} if 0 ≤ i + r - n + 1 < n; 0 otherwise}
        r = 0, …, 2n - 2

    Book: eq-unskew. Source: Huang et al. (2018), arXiv:1809.04281.

    >>> unskew(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([[0., 1., 2.],
           [3., 4., 0.]])
    """
    *lead, n, _ = A.shape
    wide = np.zeros((*lead, n, 2 * n - 1), A.dtype)
    wide[..., :n] = A
    flat = np.zeros((*lead, 2 * n * n), A.dtype)
    flat[..., n - 1 : 2 * n * n - 1] = wide.reshape(*lead, -1)
    return flat.reshape(*lead, n, 2 * n)[..., :-1]


@contract
@requires_as(relative_attention)
def relative_attention_by_shift(
    Q: Float[np.ndarray, "*batch n d_k"],
    K: Float[np.ndarray, "*batch n d_k"],
    V: Float[np.ndarray, "*batch n d_v"],
    a_K: Float[np.ndarray, "rows d_k"],
    a_V: Float[np.ndarray, "rows d_v"],
    mask: Mask | None = None,
) -> tuple[Float[np.ndarray, "*batch n d_v"], Float[np.ndarray, "*batch n n"]]:
    r"""The same output and weights by matrix products and shifts: no array has a vector for each pair of places.

        b^K_r = a^K_{k + max(-k, min(k, r - n + 1))}, r = 0, …, 2n - 2
        b^V_r = a^V_{k + max(-k, min(k, r - n + 1))}, r = 0, …, 2n - 2
        A = softmax((Q Kᵀ + skew(Q (b^K)ᵀ))/√d_k)
        O = A V + unskew(A) b^V

    Book: eq-relative-attention-by-shift. Source: Huang et al. (2018), arXiv:1809.04281.

    >>> table = np.array([[-1.0], [0.0], [1.0]])
    >>> relative_attention_by_shift(*np.zeros((3, 2, 1)), a_K=table, a_V=table)[0]
    array([[ 0.5],
           [-0.5]])
    """
    n, k = Q.shape[-2], len(a_K) // 2
    r = k + np.clip(np.arange(1 - n, n), -k, k)  # the row of each offset
    S = (Q @ K.mT + skew(Q @ a_K[r].T)) / math.sqrt(Q.shape[-1])
    A = softmax(S if mask is None else apply_mask(S, mask))
    return A @ V + unskew(A) @ a_V[r], A
