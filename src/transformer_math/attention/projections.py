"""Linear projections: queries, keys and values for each head, and the four terms of which a score is the sum."""

import numpy as np
from jaxtyping import Float

from transformer_math.attention.scaled_dot_product import scores
from transformer_math.errors import require, require_axis


def project(
    Z: Float[np.ndarray, "... n d_in"],
    W: Float[np.ndarray, "d_in d_out"],
    b: Float[np.ndarray, " d_out"] | float = 0.0,
) -> Float[np.ndarray, "... n d_out"]:
    r"""Multiply every token's vector by the same matrix, and add the same bias.

        Q = Z W^Q + b^Q,   and K and V likewise

    Rows are tokens, so W stands on the right and has shape (d_in, d_out); PyTorch stores its transpose.
    Raises ValueError where the sizes do not meet. Book: eq-projection. Source: Vaswani et al. (2017), section 3.2.2.

    >>> project(np.array([[1.0, 2.0]]), W=np.array([[1.0, 0.0], [0.0, 10.0]]))
    array([[ 1., 20.]])
    """
    require_axis(
        "Z",
        Z,
        -1,
        W.shape[0],
        "W needs as many rows as Z has columns; PyTorch's weights need a .T",
    )
    require(
        np.shape(b) in ((), W.shape[1:]),
        f"b has shape {np.shape(b)}; wanted {W.shape[1:]}. Fix: one bias per column of W.",
    )
    return Z @ W + b


def split_heads(
    x: Float[np.ndarray, "... n d_all"], n_heads: int
) -> Float[np.ndarray, "... n_heads n d_k"]:
    r"""Cut each token's projected vector into one piece per head, and give the heads an axis of their own.

        Q_h = columns h d_k, ..., (h+1) d_k - 1 of Q

    Raises ValueError where the width does not divide by the number of heads. Book: eq-split-heads.

    >>> split_heads(np.array([[1.0, 2.0, 3.0, 4.0]]), n_heads=2)
    array([[[1., 2.]],
    <BLANKLINE>
           [[3., 4.]]])
    """
    *batch, n, width = x.shape
    require(
        n_heads >= 1 and width % n_heads == 0,
        f"x has {width} columns for {n_heads} heads; wanted a multiple. Fix: n_heads a divisor of {width}, or another d_model.",
    )
    return np.swapaxes(x.reshape(*batch, n, n_heads, width // n_heads), -3, -2)


def score_terms(
    X: Float[np.ndarray, "n d_model"],
    P: Float[np.ndarray, "n d_model"],
    W_Q: Float[np.ndarray, "d_model d_k"],
    W_K: Float[np.ndarray, "d_model d_k"],
) -> Float[np.ndarray, "4 n n"]:
    r"""Take a score apart: content and position of the query, each with content and position of the key.

        S_ij = (x_i W^Q (x_j W^K)^T + x_i W^Q (p_j W^K)^T + p_i W^Q (x_j W^K)^T + p_i W^Q (p_j W^K)^T) / sqrt(d_k)

    The four matrices come in this order: content-content, content-position, position-content, position-position.
    Their sum is the whole score matrix of Z = X + P. Book: eq-score-terms. Source: Dai et al. (2019), arXiv:1901.02860.

    >>> one = np.ones((1, 1))
    >>> score_terms(2 * one, 3 * one, one, one).ravel()
    array([4., 6., 6., 9.])
    """
    require(
        X.shape == P.shape,
        f"X has shape {X.shape} and P {P.shape}; wanted the same. Fix: one encoding per token.",
    )
    return np.stack(
        [scores(query @ W_Q, key @ W_K) for query in (X, P) for key in (X, P)]
    )
