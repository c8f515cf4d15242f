"""Word2vec: vectors that learn by guessing neighbours. Skip-gram guesses them from a word, CBOW the word from them."""

import numpy as np
from jaxtyping import Float, Int

from transformer_math.attention.softmax import softmax
from transformer_math.contract import Size, contract, requires
from transformer_math.output.probabilities import log_softmax

_known_or_none = requires(
    lambda ids: ids.min() >= -1,
    lambda ids: (
        f"ids hold {ids.min()}; wanted the ids of words, or -1 for none. Fix: number the words with one vocabulary."
    ),
)


@contract
@_known_or_none
@requires(
    lambda ids, window: 2 * window * ids.nbytes <= np.iinfo(np.intp).max,
    "window is {window}; no array has room for so many places on both sides. Fix: at most len(ids) - 1, which is all of the text.",
)
def window_contexts(
    ids: Int[np.ndarray, " n"], window: Size
) -> Int[np.ndarray, "n both_sides"]:
    """For each place of a text the words at most `window` places to its left and to its right, without the one that stands there.

    Where the text has begun or ended, and for a word outside the vocabulary, stands -1.

    >>> window_contexts(np.array([5, 6, 7]), window=1)
    array([[-1,  6],
           [ 5,  7],
           [ 6, -1]])
    """
    padded = np.pad(ids, window, constant_values=-1)
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * window + 1)
    return np.delete(windows, window, axis=1)


@contract
@_known_or_none
def window_pairs(
    ids: Int[np.ndarray, " n"], window: Size
) -> Int[np.ndarray, "pairs 2"]:
    r"""The pairs from which skip-gram learns, row by row: a centre, and a word at most `window` places away.

        Σ_p [c_p = u] [o_p = v] = Σ_i Σ_{j: 0 < |i - j| ≤ w} [t_i = u] [t_j = v]

    An id of -1 stands for a word outside the vocabulary: it takes up its place and makes no pair. Book: eq-window-pairs.
    Source: Mikolov et al. (2013), arXiv:1301.3781.

    >>> window_pairs(np.array([5, 6, 7]), window=1)
    array([[5, 6],
           [6, 5],
           [6, 7],
           [7, 6]])
    """
    contexts = window_contexts(ids, min(window, len(ids)))
    rows, columns = np.nonzero((ids[:, None] >= 0) & (contexts >= 0))
    return np.stack([ids[rows], contexts[rows, columns]], axis=1)


@contract
@requires(
    lambda centres, E: centres.min() >= 0 and centres.max() < len(E),
    lambda centres, E: (
        f"centres run from {centres.min()} to {centres.max()}; wanted 0..{len(E) - 1}. "
        "Fix: number the words with one vocabulary."
    ),
)
def skip_gram(
    centres: Int[np.ndarray, "..."],
    E: Float[np.ndarray, "V d"],
    U: Float[np.ndarray, "V d"],
) -> Float[np.ndarray, "... V"]:
    r"""How probable each word of the vocabulary is as a neighbour of each centre.

        p_iv = (e^(E_{t_i} · U_v))/(Σ_{v'} e^(E_{t_i} · U_{v'}))

    E holds the vectors of words as centres, U those of words as neighbours. Book: eq-skip-gram.
    Source: Mikolov et al. (2013), arXiv:1310.4546.

    >>> skip_gram(np.array([0]), E=np.array([[1.0], [0.0]]), U=np.log([[3.0], [1.0]]))
    array([[0.75, 0.25]])
    """
    return softmax(E[centres] @ U.T)


@contract
@requires(
    lambda ids, E: ids.min() >= 0 and ids.max() < len(E),
    lambda ids, E: (
        f"ids run from {ids.min()} to {ids.max()}; wanted 0..{len(E) - 1}. Fix: number the words with one vocabulary."
    ),
)
def skip_gram_objective(
    ids: Int[np.ndarray, " n"],
    E: Float[np.ndarray, "V d"],
    U: Float[np.ndarray, "V d"],
    window: Size,
) -> float:
    r"""Skip-gram's loss on a text: how surprising its neighbours are, summed over each window, averaged over places.

        L = -1/n Σ_i Σ_{j: 0 < |i - j| ≤ w} ln p_{i t_j}
        p_iv = (e^(E_{t_i} · U_v))/(Σ_{v'} e^(E_{t_i} · U_{v'}))

    Book: eq-skip-gram-objective. Source: Mikolov et al. (2013), arXiv:1310.4546.

    >>> U = np.zeros((4, 1))
    >>> round(skip_gram_objective(np.array([0, 1]), U, U, window=1), 4)  # each has one neighbour: ln 4
    1.3863
    """
    centres, contexts = window_pairs(ids, window).T
    log_p = log_softmax(E @ U.T)
    return -float(log_p[centres, contexts].sum()) / len(ids)


@contract
@requires(
    lambda contexts, E: contexts.min() >= -1 and contexts.max() < len(E),
    lambda contexts, E: (
        f"contexts run from {contexts.min()} to {contexts.max()}; wanted -1..{len(E) - 1}. "
        "Fix: number the words with one vocabulary."
    ),
)
@requires(
    lambda contexts: (contexts >= 0).any(axis=-1).all(),
    "a place has no neighbour at all: there is nothing to average. Fix: leave that place out.",
)
def cbow_context(
    contexts: Int[np.ndarray, "... c"], E: Float[np.ndarray, "V d"]
) -> Float[np.ndarray, "... d"]:
    r"""The mean vector of the words around each place: what CBOW guesses the middle from.

        H_i = 1/c Σ_{j=0}^(c-1) E_{A_ij}

    -1 stands for no word and does not count. Book: eq-cbow. Source: Mikolov et al. (2013), arXiv:1301.3781.

    >>> cbow_context(np.array([[0, 1], [1, -1]]), E=np.array([[1.0, 0.0], [0.0, 4.0]]))
    array([[0.5, 2. ],
           [0. , 4. ]])
    """
    known = contexts >= 0
    shares = (known / known.sum(axis=-1, keepdims=True)).astype(E.dtype)
    return np.einsum("...c,...cd->...d", shares, E[contexts])
