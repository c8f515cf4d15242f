"""Scaled dot-product attention: score, scale, mask, softmax, weighted sum."""

import numpy as np
from jaxtyping import Bool, Float, Int

from transformer_math.attention.softmax import softmax_in_place
from transformer_math.errors import require, require_axis, require_finite

Mask = Bool[np.ndarray, "*#rows m"]


def scores(
    Q: Float[np.ndarray, "... n d_k"], K: Float[np.ndarray, "... m d_k"]
) -> Float[np.ndarray, "... n m"]:
    r"""Compare every query with every key.

        S = Q K^T / sqrt(d_k)

    Raises ValueError where queries and keys have different sizes. Book: eq-scores.
    Source: Vaswani et al. (2017), section 3.2.1, arXiv:1706.03762.

    >>> scores(Q=np.array([[1.0, 0.0, 0.0, 1.0]]), K=np.array([[2.0, 0.0, 0.0, 2.0], [0.0, 7.0, 0.0, 0.0]]))
    array([[2., 0.]])
    """
    require_axis("K", K, -1, Q.shape[-1], "project queries and keys to the same d_k")
    scaled = Q / np.sqrt(
        Q.dtype.type(Q.shape[-1])
    )  # n d_k divisions here instead of n m on the scores
    return scaled @ np.swapaxes(K, -1, -2)


def apply_mask(
    S: Float[np.ndarray, "*rows m"], mask: Mask
) -> Float[np.ndarray, "*rows m"]:
    r"""Forbid what the mask forbids: where it is False, the score becomes -inf.

        S_ij <- S_ij if M_ij else -inf

    Raises ValueError for a mask that is not boolean or does not fit. Book: eq-mask.

    >>> apply_mask(np.array([[1.0, 2.0]]), mask=np.array([[True, False]]))
    array([[  1., -inf]])
    """
    require(
        mask.dtype == bool,
        f"the mask has dtype {mask.dtype}; wanted bool, True where attention is allowed. Fix: mask.astype(bool), or mask == 0 "
        "for a mask of 0 and -inf that was made to be added.",
    )
    fits = mask.ndim <= S.ndim and all(
        m in (1, s) for m, s in zip(mask.shape[::-1], S.shape[::-1])
    )
    require(
        fits,
        f"the mask has shape {mask.shape}, the scores {S.shape}. Fix: one entry for each query and key.",
    )
    return np.where(mask, S, S.dtype.type(-np.inf))


def causal_mask(n: int) -> Bool[np.ndarray, "n n"]:
    r"""Let each position see itself and what came before.

        M_ij = (j <= i)

    Book: eq-causal-mask. Source: Vaswani et al. (2017), section 3.2.3, arXiv:1706.03762.

    >>> causal_mask(3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 1, 1]])
    """
    require(
        n >= 1,
        f"n is {n}; wanted at least one position. Fix: pass the number of tokens.",
    )
    return np.tri(n, dtype=bool)


def padding_mask(
    lengths: Int[np.ndarray, " batch"], n: int
) -> Bool[np.ndarray, "batch 1 n"]:
    r"""Let every query of a sequence see that sequence's own tokens, and none of the padding behind them.

        M_bij = (j < length_b)

    Raises ValueError for a length outside 0..n. Book: eq-padding-mask.

    >>> padding_mask(np.array([2, 3]), n=3).astype(int).tolist()
    [[[1, 1, 0]], [[1, 1, 1]]]
    """
    inside = bool(np.all((lengths >= 0) & (lengths <= n)))
    require(
        inside,
        f"the lengths are {lengths.tolist()}; wanted 0..{n}. Fix: pad to the longest sequence, n = max(lengths).",
    )
    return np.arange(n) < lengths[:, None, None]


def attention(
    Q: Float[np.ndarray, "... n d_k"],
    K: Float[np.ndarray, "... m d_k"],
    V: Float[np.ndarray, "... m d_v"],
    mask: Mask | None = None,
) -> tuple[Float[np.ndarray, "... n d_v"], Float[np.ndarray, "... n m"]]:
    r"""Give each query the average of the values, weighted by how well their keys match it.

        A = softmax(Q K^T / sqrt(d_k)),   O = A V

    Returns the output O and the weights A. A query that may attend to nothing gets an output of zeros.
    Raises ValueError for NaN, and for shapes that do not meet. Book: eq-attention.
    Source: Vaswani et al. (2017), section 3.2.1, arXiv:1706.03762.

    >>> output, weights = attention(Q=np.zeros((1, 2)), K=np.ones((2, 2)), V=np.array([[0.0], [10.0]]))
    >>> output, weights
    (array([[5.]]), array([[0.5, 0.5]]))
    """
    for name, array in (("Q", Q), ("K", K), ("V", V)):
        require_finite(name, array)
    require_axis("V", V, -2, K.shape[-2], "one value for each key")
    S = scores(Q, K)
    if mask is not None:
        S = apply_mask(S, mask)
    A = softmax_in_place(S)  # a second array of this size would take much of the time
    return A @ V, A


def dot_product_variance(d_k: int, variance: float = 1.0) -> float:
    r"""The variance of q . k when the 2 d_k entries are independent with mean 0 and the same variance.

        Var[q . k] = d_k sigma^4,   so   Var[q . k / sqrt(d_k)] = sigma^4

    Book: eq-score-variance. Source: Vaswani et al. (2017), footnote 4, arXiv:1706.03762.

    >>> dot_product_variance(64)
    64.0
    """
    require(
        d_k >= 1, f"d_k is {d_k}; wanted at least 1. Fix: pass the size of a query."
    )
    require(
        variance >= 0,
        f"the variance is {variance}; wanted a number >= 0. Fix: pass the square of the deviation.",
    )
    return d_k * float(variance) ** 2
