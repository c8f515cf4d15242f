"""Linear projections: queries, keys and values for each head, and the four terms of which a score is the sum."""

import numpy as np
from jaxtyping import Float

from transformer_math.attention.scaled_dot_product import scores
from transformer_math.contract import Size, contract, requires


@contract
def project(
    Z: Float[np.ndarray, "... d_in"],
    W: Float[np.ndarray, "d_in d_out"],
    b: Float[np.ndarray, " d_out"] | float = 0.0,
) -> Float[np.ndarray, "... d_out"]:
    r"""Multiply every token's vector by the same matrix, and add the same bias.

        Q = Z W^Q + b^Q
        K = Z W^K + b^K
        V = Z W^V + b^V

    Rows are tokens, so W stands on the right and has shape (d_in, d_out); PyTorch stores its transpose.
    Raises ValueError where the sizes do not meet. Book: eq-projection. Source: Vaswani et al. (2017), section 3.2.2.

    >>> project(np.array([[1.0, 2.0]]), W=np.array([[1.0, 0.0], [0.0, 10.0]]))
    array([[ 1., 20.]])
    """
    return Z @ W + b


@contract
@requires(
    lambda x, n_heads: x.shape[-1] % n_heads == 0,
    "x has shape {x.shape}, whose last axis does not divide into {n_heads} heads. Fix: another n_heads, or another d_model.",
)
def split_heads(
    x: Float[np.ndarray, "... n d_all"], n_heads: Size
) -> Float[np.ndarray, "... n_heads n d_k"]:
    r"""Cut each token's projected vector into one piece per head, and give the heads an axis of their own.

        (Q_h)_ic = Q_{i, h d_k + c}
        h = 0, …, H - 1
        c = 0, …, d_k - 1

    Raises ValueError where the width does not divide by the number of heads. Book: eq-split-heads.

    >>> split_heads(np.array([[1.0, 2.0, 3.0, 4.0]]), n_heads=2)
    array([[[1., 2.]],
    <BLANKLINE>
           [[3., 4.]]])
    """
    *batch, n, width = x.shape
    return np.swapaxes(x.reshape(*batch, n, n_heads, width // n_heads), -3, -2)


@contract
def score_terms(
    X: Float[np.ndarray, "n d_model"],
    P: Float[np.ndarray, "n d_model"],
    W_Q: Float[np.ndarray, "d_model d_k"],
    W_K: Float[np.ndarray, "d_model d_k"],
) -> Float[np.ndarray, "4 n n"]:
    r"""Take a score apart: content and position of the query, each with content and position of the key.

        S_ij = 1/√d_k [x_i W^Q (x_j W^K)ᵀ + x_i W^Q (p_j W^K)ᵀ + p_i W^Q (x_j W^K)ᵀ + p_i W^Q (p_j W^K)ᵀ]

    The four matrices come in this order: content-content, content-position, position-content, position-position.
    Their sum is the whole score matrix of Z = X + P. Book: eq-score-terms. Source: Dai et al. (2019), arXiv:1901.02860.

    >>> one = np.ones((1, 1))
    >>> score_terms(2 * one, 3 * one, one, one).ravel()
    array([4., 6., 6., 9.])
    """
    return np.stack(
        [scores(query @ W_Q, key @ W_K) for query in (X, P) for key in (X, P)]
    )
