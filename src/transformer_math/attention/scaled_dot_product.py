"""Scaled dot-product attention: score, scale, mask, softmax, weighted sum."""

import math
from typing import Annotated

import numpy as np
from jaxtyping import Float

from transformer_math.attention.masks import apply_mask
from transformer_math.attention.softmax import softmax
from transformer_math.contract import Finite, NonNegative, Size, contract, requires
from transformer_math.shapes import Mask


@contract
def scores(
    Q: Float[np.ndarray, "... n d_k"], K: Float[np.ndarray, "... m d_k"]
) -> Annotated[Float[np.ndarray, "... n m"], Finite]:
    r"""Compare every query with every key.

        S = (Q Kᵀ)/√d_k ∈ R^(n × m)

    Raises ValueError where queries and keys have different sizes, and for products that leave the range of floating
    point. Book: eq-scores.
    Source: Vaswani et al. (2017), section 3.2.1, arXiv:1706.03762.

    >>> scores(Q=np.array([[1.0, 0.0, 0.0, 1.0]]), K=np.array([[2.0, 0.0, 0.0, 2.0], [0.0, 7.0, 0.0, 0.0]]))
    array([[2., 0.]])
    """
    scaled = Q / math.sqrt(Q.shape[-1])  # n d_k divisions, not n m on the scores
    return scaled @ K.mT


@contract
def attention(
    Q: Float[np.ndarray, "*batch n d_k"],
    K: Float[np.ndarray, "*batch m d_k"],
    V: Float[np.ndarray, "*batch m d_v"],
    mask: Mask | None = None,
) -> tuple[Float[np.ndarray, "*batch n d_v"], Float[np.ndarray, "*batch n m"]]:
    r"""Give each query the average of the values, weighted by how well their keys match it.

        A = softmax((Q Kᵀ)/√d_k) ∈ R^(n × m)
        attention(Q, K, V) = O = A V ∈ R^(n × d_v)

    Returns the output O and the weights A. A query that may attend to nothing gets an output of zeros.
    Raises ValueError for NaN, and for shapes that do not meet. Book: eq-attention, eq-past-alone.
    Source: Vaswani et al. (2017), section 3.2.1, arXiv:1706.03762.

    >>> output, weights = attention(Q=np.zeros((1, 2)), K=np.ones((2, 2)), V=np.array([[0.0], [10.0]]))
    >>> output, weights
    (array([[5.]]), array([[0.5, 0.5]]))
    """
    S = scores(Q, K)
    if mask is not None:
        S = apply_mask(S, mask)
    A = softmax(S)
    return A @ V, A


@contract
@requires(
    lambda d_k, variance: d_k < 1e300 and math.isfinite(d_k * variance * variance),
    "d_k is {d_k} and variance {variance}: d_k variance² is beyond float64. Fix: divide the entries by their spread.",
)
def dot_product_variance(d_k: Size, variance: NonNegative = 1.0) -> float:
    r"""The variance of q . k when the 2 d_k entries are independent with mean 0 and the same variance.

        Var[q · k] = d_k σ⁴

    Book: eq-score-variance. Source: Vaswani et al. (2017), footnote 4, arXiv:1706.03762.

    >>> dot_product_variance(64)
    64.0
    """
    return d_k * variance**2
