"""How Unigram learns: expectation and maximisation, again and again, and between them the pieces that are missed least go.

It is the other way round than BPE: training begins with far too many pieces.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from operator import mul
from typing import Annotated

import numpy as np
from jaxtyping import Float

from transformer_math.contract import (
    SOMETHING_FINITE,
    OrMinusInfinity,
    Size,
    contract,
    requires,
)
from transformer_math.tokenization._ids import is_whole
from transformer_math.tokenization._words import require_room, require_words
from transformer_math.tokenization._x_ln_x import log_likelihood_of_counts
from transformer_math.tokenization.digamma import digamma
from transformer_math.tokenization.lattice import (
    edge_posteriors,
    forward_sums,
    n_best_ways,
)
from transformer_math.tokenization.substrings import frequent_substrings
from transformer_math.tokenization.unigram import Unigram, _sound, lattices

ROUNDS = 2  # of expectation and maximisation before pieces are taken away
KEPT = 0.75  # of the pieces, each time
LEAST_COUNT = 0.5  # no piece that is kept is thought rarer than this

Counts = Float[np.ndarray, " pieces"]
LogProbabilities = Annotated[
    Float[np.ndarray, " pieces"], OrMinusInfinity, SOMETHING_FINITE
]
Maximiser = Callable[[Counts], LogProbabilities]


@contract
@_sound
def expected_counts(word_counts: Mapping[str, int], unigram: Unigram) -> Counts:
    r"""How often each piece is expected in a corpus, when every word is cut in all ways at once, each as far as it is probable.

        C_t = Σ_w c_w Σ_i Σ_j γ_wij [x_wij = t]
        t = 0, …, V - 1

    Book: eq-unigram-counts.

    >>> expected_counts({"ab": 4}, Unigram(("a", "b", "ab"), np.log([0.5, 0.25, 0.125]))).round(3).tolist()
    [2.0, 2.0, 2.0]
    """
    require_words(word_counts)
    number = {piece: t for t, piece in enumerate(unigram.pieces)}
    counts = np.zeros(len(number))
    for (word, count), L in zip(word_counts.items(), lattices(word_counts, unigram)):
        gamma = edge_posteriors(L)
        for i, j in np.argwhere(gamma > 0):
            if (t := number.get(word[i:j])) is not None:
                counts[t] += count * gamma[i, j]
    return counts


@contract
@_sound
def log_likelihood(word_counts: Mapping[str, int], unigram: Unigram) -> float:
    r"""The log-probability of a corpus, in nats: each word's is the sum over all its segmentations.

        L = Σ_w c_w ln Σ_s P_ws

    Book: eq-unigram-likelihood.

    >>> round(log_likelihood({"ab": 4}, Unigram(("a", "b", "ab"), np.log([0.5, 0.25, 0.125]))), 3)
    -5.545
    """
    require_words(word_counts)
    sums = (forward_sums(L)[-1] for L in lattices(word_counts, unigram))
    return float(sum(map(mul, word_counts.values(), sums)))


_counts = requires(
    lambda counts: bool(np.all(counts >= 0) and np.any(counts > 0)),
    "counts has a negative number, or no positive one. Fix: expected_counts(word_counts, unigram).",
)


@contract
@_counts
def maximise(counts: Counts) -> LogProbabilities:
    r"""The log-probabilities that make the counts most probable: each piece's share.

        p'_t = C_t/(Σ_u C_u)

    Book: eq-unigram-em. Source: Dempster, Laird and Rubin (1977).

    >>> np.exp(maximise(np.array([3.0, 1.0]))).round(3).tolist()
    [0.75, 0.25]
    """
    with np.errstate(divide="ignore"):
        return np.log(counts / counts.sum())


@contract
@_counts
def maximise_bayesian(counts: Counts) -> LogProbabilities:
    r"""What the reference implementation takes in place of `maximise`: rare pieces get less than their share.

        p'_t = e^(ψ(C_t) - ψ(Σ_u C_u))

    Book: eq-unigram-digamma. Source: Kudo and Richardson (2018), arXiv:1808.06226.

    >>> np.exp(maximise_bayesian(np.array([3.0, 1.0]))).round(3).tolist()
    [0.717, 0.16]
    """
    seen = counts > 0
    out = np.full_like(counts, -np.inf)
    out[seen] = digamma(counts[seen]) - digamma(counts[seen].sum(keepdims=True))
    return out


@contract
@_sound
def em_step(word_counts: Mapping[str, int], unigram: Unigram) -> Unigram:
    """One round of expectation and maximisation: the corpus never gets less probable, if each character has a piece of its own.

        p'_t = C_t/(Σ_u C_u)

    Book: eq-unigram-em.

    >>> np.exp(em_step({"ab": 4}, Unigram(("a", "b"), np.log([0.9, 0.1]))).log_probabilities).round(3).tolist()
    [0.5, 0.5]
    """
    return Unigram(unigram.pieces, maximise(expected_counts(word_counts, unigram)))


@contract
@_counts
@requires(
    lambda counts, piece: 0 <= piece < len(counts),
    "the piece {piece} is no number of a count. Fix: 0 is the first.",
)
@requires(
    lambda alternative: all(is_whole(u) for u in alternative),
    "the alternative {alternative!r} holds what is no whole number. Fix: ids of pieces, such as [0, 1].",
)
@requires(
    lambda counts, alternative: all(0 <= u < len(counts) for u in alternative),
    "the alternative {alternative} holds what is no number of a count. Fix: ids of pieces.",
)
@requires(
    lambda piece, alternative: piece not in alternative and len(alternative) > 0,
    "the alternative is empty, or holds the piece itself. Fix: the ids of other pieces that spell it.",
)
def removal_loss(counts: Counts, piece: int, alternative: Sequence[int]) -> float:
    r"""How much log-likelihood is lost when a piece is written with others wherever it stood, and shares are taken anew.

        C'_u = {0 if u = t; C_u + n_u C_t otherwise}
        Λ(C) = Σ_u C_u ln C_u/(Σ_v C_v)
        Δ = Λ(C) - Λ(C')

    where n_u says how often the alternative holds piece u. Book: eq-unigram-loss.

    >>> round(removal_loss(np.array([1.0, 1.0, 6.0]), 2, [0, 1]), 3)
    3.819
    """
    after = counts + np.bincount(alternative, minlength=len(counts)) * counts[piece]
    after[piece] = 0
    return log_likelihood_of_counts(counts) - log_likelihood_of_counts(after)


@contract
def all_frequent_pieces(word_counts: Mapping[str, int], longest: Size = 16) -> Unigram:
    """Where Unigram's training begins: every character, and every substring that occurs twice, by its count times its length.

    >>> all_frequent_pieces({"low": 3}).pieces
    ('l', 'o', 'w', 'lo', 'ow', 'low')
    """
    texts, counts, *_ = frequent_substrings(word_counts, longest)
    covered = counts * [len(text) for text in texts]
    return Unigram(texts, np.log(covered / covered.sum()))


@contract
@_sound
def most_missed(
    word_counts: Mapping[str, int], unigram: Unigram, room: Size
) -> Unigram:
    """The `room` pieces that are missed most, by `removal_loss`, each written without itself in the best way; all characters stay.

    Of pieces with the same loss, to six decimals, the earlier stays.

    >>> most_missed({"low": 3, "lo": 1}, all_frequent_pieces({"low": 3, "lo": 1}), 4).pieces
    ('l', 'o', 'w', 'low')
    """
    counts = expected_counts(word_counts, unigram)
    number = {piece: t for t, piece in enumerate(unigram.pieces)}
    losses = np.full(len(counts), np.inf)
    for piece, L in zip(unigram.pieces, lattices(unigram.pieces, unigram)):
        if len(piece) > 1:
            L[0, -1] = -np.inf  # without itself
            ((places, _),) = n_best_ways(L, 1)
            other = [number[piece[a:b]] for a, b in pairwise(places)]
            losses[number[piece]] = removal_loss(counts, number[piece], other)
    stay = np.sort(np.argsort(-losses.round(6), kind="stable")[:room])
    pieces = tuple(unigram.pieces[t] for t in stay)
    return Unigram(pieces, unigram.log_probabilities[stay])


@contract
def train_unigram(
    word_counts: Mapping[str, int],
    vocab_size: Size,
    longest: Size = 16,
    maximiser: Maximiser = maximise,
) -> Unigram:
    r"""Learn a vocabulary of `vocab_size` pieces: begin with all frequent substrings, take away those that are missed least.

        C ← expected counts, p ← C / Σ C (twice)
        V ← V without the quarter that is missed least

    Characters stay. A substring counts as frequent when it occurs twice, and has at most `longest` characters; where
    there are no more of them than asked for, all stay, and the vocabulary is smaller. Pieces stand in the order of their
    length, then of their code points. `train_unigram_by_levels` does the same for a long text.
    Raises ValueError for an empty corpus, and for a vocabulary smaller than the alphabet.
    Book: eq-unigram-train. Source: Kudo (2018), arXiv:1804.10959.

    >>> train_unigram({"low": 3, "lower": 2}, vocab_size=6).pieces
    ('e', 'l', 'o', 'r', 'w', 'low')
    """
    unigram = all_frequent_pieces(word_counts, longest)
    require_room(vocab_size, unigram.pieces)
    while True:
        for _ in range(ROUNDS):
            counts = expected_counts(word_counts, unigram)
            log_p = maximiser(np.maximum(counts, LEAST_COUNT))
            unigram = Unigram(unigram.pieces, log_p)
        if len(unigram.pieces) <= vocab_size:
            return unigram
        room = max(vocab_size, int(KEPT * len(unigram.pieces)))
        unigram = most_missed(word_counts, unigram, room)
