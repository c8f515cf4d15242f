"""Unigram: a vocabulary in which every piece has a probability, and a word all its segmentations at once.

Words are taken as they are given; how a text becomes words is not decided here.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import inf
from typing import NamedTuple

import numpy as np

from transformer_math.contract import Size, Text, contract, requires
from transformer_math.errors import require
from transformer_math.tokenization.lattice import Lattice, n_best_ways

UNKNOWN_PENALTY = (
    10.0  # nats that an unknown character costs more than the rarest piece
)


class Unigram(NamedTuple):
    """A trained tokenizer: its pieces by id, and the logarithm of each one's probability."""

    pieces: tuple[str, ...]
    log_probabilities: np.ndarray

    def __eq__(self, other: object) -> bool:
        """Whether both have the same pieces with the same probabilities; tuples alone do not compare arrays."""
        return (
            isinstance(other, Unigram)
            and self.pieces == other.pieces
            and np.array_equal(self.log_probabilities, other.log_probabilities)
        )

    def __ne__(self, other: object) -> bool:
        """Whether they differ in a piece or a probability."""
        return not self == other


_sound = requires(
    lambda unigram: (
        0 < len(unigram.pieces) == len(unigram.log_probabilities)
        and len(set(unigram.pieces)) == len(unigram.pieces)
        and all(isinstance(piece, str) and piece for piece in unigram.pieces)
        and np.max(unigram.log_probabilities) > -np.inf
    ),
    "the Unigram has not one log-probability for each of its pieces, or a piece is empty or there twice. "
    "Fix: train_unigram makes one.",
)


@contract
@_sound
@requires(
    lambda segmentation, unigram: set(segmentation) <= set(unigram.pieces),
    "the segmentation {segmentation} has pieces that the Unigram lacks. Fix: viterbi(word, unigram) makes one.",
)
def segmentation_probability(segmentation: Sequence[str], unigram: Unigram) -> float:
    r"""The probability of a segmentation: the product of those of its pieces, as if each came by itself.

        P(s) = Π_k p_{s_k}

    Book: eq-unigram. Source: Kudo (2018), arXiv:1804.10959.

    >>> round(segmentation_probability(["a", "b"], Unigram(("a", "b"), np.log([0.5, 0.25]))), 6)
    0.125
    """
    score = dict(zip(unigram.pieces, unigram.log_probabilities))
    return float(np.exp(sum(score[piece] for piece in segmentation)))


@contract
@_sound
def lattice(word: Text, unigram: Unigram) -> Lattice:
    """The lattice of a word: `L[i, j]` is the log-probability of the piece `word[i:j]`, -inf where it is none.

    A character without a piece of its own gets an edge too, `UNKNOWN_PENALTY` below the rarest piece.

    >>> np.exp(lattice("ab", Unigram(("a", "b", "ab"), np.log([0.5, 0.25, 0.25])))).round(3)[0].tolist()
    [0.0, 0.5, 0.25]
    """
    return next(lattices([word], unigram))


@contract
@_sound
def lattices(words: Iterable[str], unigram: Unigram) -> Iterator[np.ndarray]:
    """The lattice of each word, one after the other; the scores of the pieces are looked up once for all.

    >>> [L.shape for L in lattices(["ab", "a"], Unigram(("a", "b"), np.log([0.5, 0.5])))]
    [(3, 3), (2, 2)]
    """
    table, unknown = _scores_of(unigram)
    return (_lattice_of(_text(word), table, unknown) for word in words)


@contract
@_sound
def viterbi(word: Text, unigram: Unigram) -> list[str]:
    r"""The most probable segmentation of a word. A character without a piece of its own stands there as it is.

        s* = argmax_{s ∈ S(w)} P(s)

    Of segmentations that are equally probable, wins the one with the longest last piece; of those, the one with the
    longest piece before it; and so on. Book: eq-unigram-segmentation. Source: Viterbi (1967).

    >>> viterbi("aab", Unigram(("a", "b", "ab"), np.log([0.5, 0.25, 0.25])))
    ['a', 'ab']
    """
    return _best_ways([word], *_scores_of(unigram))[word]


@contract
@_sound
def n_best(word: Text, unigram: Unigram, n: Size) -> list[tuple[list[str], float]]:
    """The `n` most probable segmentations, each with the logarithm of its probability, the best first. Ties as in `viterbi`.

    For a text of thousands of characters: `n_best_by_edges`.

    >>> n_best("ab", Unigram(("a", "b", "ab"), np.log([0.5, 0.25, 0.25])), 1)
    [(['ab'], -1.3862943611198906)]
    """
    ways = n_best_ways(lattice(word, unigram), n)
    return [([word[a:b] for a, b in zip(p, p[1:])], score) for p, score in ways]


@contract
@_sound
def encode_unigram(words: Iterable[str], unigram: Unigram) -> list[str]:
    """The best segmentation of each word, one after the other; a word that comes again is cut once.

    >>> encode_unigram(["aab", "b"], Unigram(("a", "b", "ab"), np.log([0.5, 0.25, 0.25])))
    ['a', 'ab', 'b']
    """
    texts = list(words)
    distinct = {_text(word) for word in dict.fromkeys(texts)}
    known = _best_ways(distinct, *_scores_of(unigram))
    return list(chain.from_iterable(map(known.__getitem__, texts)))


def _scores_of(unigram: Unigram) -> tuple[dict[str, float], float]:
    """The score of every piece, and that of an unknown character. What only ends a piece has -inf, other texts none."""
    endings = {
        piece[begin:]: -np.inf
        for piece in unigram.pieces
        for begin in range(1, len(piece))
    }
    scores = np.asarray(unigram.log_probabilities)
    unknown = float(scores[scores > -np.inf].min()) - UNKNOWN_PENALTY
    return endings | dict(zip(unigram.pieces, scores.tolist())), unknown


def _lattice_of(word: str, table: Mapping[str, float], unknown: float) -> np.ndarray:
    n = len(word)
    L = np.full((n + 1, n + 1), -np.inf)
    for j in range(1, n + 1):
        for i in reversed(range(j)):
            if (score := table.get(word[i:j])) is None:
                break
            L[i, j] = score
        if L[j - 1, j] == -np.inf:
            L[j - 1, j] = unknown
    return L


def _best_ways(
    words: Iterable[str], table: Mapping[str, float], unknown: float
) -> dict[str, list[str]]:
    """The best segmentation of each word. In alphabetical order a word begins as the one before it: that part is kept."""
    best, back, before, found = [0.0], [0], "", {}
    score_of = table.get
    for word in sorted(words):
        shared = _shared(before, word)
        del best[shared + 1 :], back[shared + 1 :]
        for j in range(shared + 1, len(word) + 1):
            i = came = j - 1
            score = score_of(word[i:j])
            alone = unknown if score is None or score == -inf else score
            highest = best[i] + alone
            while i and score is not None:
                i -= 1
                score = score_of(word[i:j])
                if score is not None and (way := best[i] + score) >= highest:
                    highest, came = way, i  # of equals the longest piece
            best.append(highest)
            back.append(came)
        found[word] = _way_back(word, back)
        before = word
    return found


def _shared(a: str, b: str) -> int:
    """How many characters two words have in common at the beginning."""
    k, most = 0, min(len(a), len(b))
    while k < most and a[k] == b[k]:
        k += 1
    return k


def _way_back(word: str, back: list[int]) -> list[str]:
    pieces, end = [], len(word)
    while end > 0:
        pieces.append(word[back[end] : end])
        end = back[end]
    return pieces[::-1]


def _text(word) -> str:
    require(
        isinstance(word, str),
        f"the words hold {word!r}; wanted texts. Fix: pretokenize(text).",
    )
    return word
