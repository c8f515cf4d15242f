"""GloVe: word vectors whose dot products are the logarithms of how often two words stand near each other."""

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import Positive, Size, contract, requires, requires_as
from transformer_math.embedding.word_vectors import count_neighbours
from transformer_math.scaling import scale_invariant

CountTable = Float[np.ndarray, "n m"]

_no_negative_counts = requires(
    lambda X: (X >= 0).all(),
    "X holds a negative count. Fix: pass counts, 0 or more.",
)


@contract
@requires_as(count_neighbours)
def cooccurrences(
    ids: Int[np.ndarray, " n"], vocab_size: Size, window: Size
) -> Float[np.ndarray, "V V"]:
    r"""Count how often token u has token v at most `window` places away, each time divided by the distance.

        X_uv = Σ_i Σ_{j: 0 < |i - j| ≤ w} ([t_i = u] [t_j = v])/(|i - j|)

    An id of -1 stands for a word outside the vocabulary: it takes up its place and is not counted. Raises ValueError for
    other ids outside 0..vocab_size - 1. Book: eq-cooccurrences. Source: Pennington, Socher and Manning (2014), section 4.2.

    >>> cooccurrences(np.array([0, 1, 0, -1, 1]), vocab_size=2, window=2)
    array([[1. , 2.5],
           [2.5, 0. ]])
    """
    pairs = np.zeros(vocab_size**2)
    for distance in range(1, min(window + 1, len(ids))):
        left, right = ids[:-distance], ids[distance:]
        known = (left >= 0) & (right >= 0)
        cells = left[known] * np.int64(vocab_size) + right[known]
        pairs += np.bincount(cells, minlength=len(pairs)) / distance
    X = pairs.reshape(vocab_size, vocab_size)
    return X + X.T


@contract
@_no_negative_counts
@scale_invariant
def context_probabilities(X: CountTable) -> CountTable:
    r"""Say how likely each word is among the neighbours of another: its share of the row's sum.

        ρ_ik = {X_ik/(Σ_{k'} X_{ik'}) if Σ_{k'} X_{ik'} > 0; 0 otherwise}

    A word without any neighbour gets a row of zeros. Raises ValueError for negative counts. Book: eq-context-probabilities.
    Source: Pennington, Socher and Manning (2014), section 3.

    >>> context_probabilities(np.array([[3.0, 1.0], [0.0, 0.0]]))
    array([[0.75, 0.25],
           [0.  , 0.  ]])
    """
    totals = X.sum(axis=1, keepdims=True)
    return np.divide(X, totals, out=np.zeros_like(X), where=totals > 0)


@contract
@_no_negative_counts
def glove_weights(
    X: CountTable, x_max: Positive = 100.0, alpha: Positive = 0.75
) -> CountTable:
    r"""Say how much each pair of words weighs in the loss: nothing where it never met, at most 1 where it met often.

        f(x) = {(x/x_max)^α if x < x_max; 1 otherwise}

    Raises ValueError for negative counts. Book: eq-glove-weights. Source: Pennington, Socher and Manning (2014), equation 9.

    >>> glove_weights(np.array([[0.0, 1.0, 16.0, 100.0]]), x_max=16.0)
    array([[0.   , 0.125, 1.   , 1.   ]])
    """
    return np.minimum(X / x_max, 1) ** alpha


@contract
@_no_negative_counts
def glove_loss(
    X: CountTable,
    W: Float[np.ndarray, "n d"],
    W_context: Float[np.ndarray, "m d"],
    b: Float[np.ndarray, " n"],
    b_context: Float[np.ndarray, " m"],
    x_max: Positive = 100.0,
    alpha: Positive = 0.75,
) -> float:
    r"""Measure how far dot products and biases are from the logarithms of the counts, each pair with its weight.

        L = Σ_i Σ_{j: X_ij > 0} f(X_ij) (w_i · w'_j + b_i + b'_j - ln X_ij)²

    Pairs that never met weigh nothing. Raises ValueError for negative counts. Book: eq-glove-loss.
    Source: Pennington, Socher and Manning (2014), equation 8.

    >>> W, b = np.array([[1.0], [2.0]]), np.zeros(2)
    >>> glove_loss(np.array([[0.0, 100.0], [1.0, 0.0]]), W, W, b, b) == float((2 - np.log(100)) ** 2 + 4 / 100**0.75)
    True
    """
    logarithms = np.log(np.where(X > 0, X, 1))
    errors = W @ W_context.T + b[:, None] + b_context - logarithms
    return float((glove_weights(X, x_max, alpha) * errors**2).sum())
