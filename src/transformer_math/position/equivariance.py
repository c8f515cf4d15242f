"""Order, and what is left of it: permutations of tokens, of masks, and the bag that has none."""

import numpy as np
from jaxtyping import Bool, Float, Int

from transformer_math.attention.scaled_dot_product import attention
from transformer_math.contract import Size, contract, requires

Order = Int[np.ndarray, " n"]  # row i of the result is row order[i]

_permutes = requires(
    lambda order: np.array_equal(np.sort(order), np.arange(len(order))),
    "order is {order}; wanted each of 0, ..., n - 1 once. Fix: np.argsort of any n different numbers, or rng.permutation(n).",
)


@contract
@_permutes
def permutation_matrix(order: Order) -> Float[np.ndarray, "n n"]:
    r"""The matrix that puts rows into another order: row i of the result is row `order[i]` of what it meets.

        Π_ij = δ_{o_i j}

    Raises ValueError where `order` is no permutation. Book: eq-permutation-matrix.

    >>> permutation_matrix(np.array([2, 0, 1])) @ np.array([[10.0], [11.0], [12.0]])
    array([[12.],
           [10.],
           [11.]])
    """
    return np.eye(len(order))[order]


@contract
@_permutes
def permuted_attention(
    Q: Float[np.ndarray, "*batch n d_k"],
    K: Float[np.ndarray, "*batch n d_k"],
    V: Float[np.ndarray, "*batch n d_v"],
    order: Order,
) -> Float[np.ndarray, "*batch n d_v"]:
    r"""What attention gives to the same tokens in another order: its outputs, in that order.

        O' = attention(Π Q, Π K, Π V) = Π attention(Q, K, V)

    Book: eq-equivariance. Source: Lee et al. (2019), section 3, arXiv:1810.00825.

    >>> X = np.array([[0.0], [np.log(3)]])
    >>> permuted_attention(X, X, X, np.array([1, 0])).round(2)
    array([[0.85],
           [0.55]])
    """
    moved = (x[..., order, :] for x in (Q, K, V))
    return attention(*moved)[0]


@contract
@_permutes
@requires(
    lambda order, mask: len(order) == len(mask),
    "order has {order.shape} entries and mask {mask.shape}. Fix: a mask of the same tokens, n × n.",
)
def permute_mask(
    mask: Bool[np.ndarray, "n n"], order: Order
) -> Bool[np.ndarray, "n n"]:
    r"""Let the same tokens see each other as before, after they have changed places.

        M'_ij = M_{o_i o_j}

    Queries and keys move, so rows and columns do. Raises ValueError where `order` is no permutation. Book: eq-permuted-mask.

    >>> permute_mask(np.tri(3, dtype=bool), np.array([2, 0, 1])).astype(int)
    array([[1, 1, 1],
           [0, 1, 0],
           [0, 1, 1]])
    """
    return mask[np.ix_(order, order)]


@contract
@requires(
    lambda ids, vocab_size: ids.min() >= 0 and ids.max() < vocab_size,
    "ids hold {ids}, but vocab_size is {vocab_size}; wanted ids in 0..vocab_size - 1. Fix: the text's own vocabulary.",
)
def bag_of_words(
    ids: Int[np.ndarray, " n"], vocab_size: Size
) -> Int[np.ndarray, " vocab_size"]:
    r"""Count how often each token of the vocabulary occurs: all of a text but its order.

        c_v = Σ_{i=0}^(n-1) δ_{v t_i}
        v = 0, …, V - 1

    Raises ValueError for an id outside the vocabulary. Book: eq-bag-of-words.
    Source: Harris (1954), Distributional structure.

    >>> bag_of_words(np.array([2, 0, 2]), vocab_size=4)
    array([1, 0, 2, 0])
    """
    return np.bincount(ids, minlength=vocab_size)
