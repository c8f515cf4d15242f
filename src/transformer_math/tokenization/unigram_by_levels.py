"""Unigram's training made fast for a long text: the lattices of all its words at once, level by level."""

from collections.abc import Mapping

import numpy as np

from transformer_math.contract import Size, contract
from transformer_math.tokenization._pruning import alternatives, removal_losses
from transformer_math.tokenization._words import require_room
from transformer_math.tokenization.substrings import (
    ABSENT,
    Substrings,
    frequent_substrings,
)
from transformer_math.tokenization.unigram import Unigram
from transformer_math.tokenization.unigram_training import (
    KEPT,
    LEAST_COUNT,
    ROUNDS,
    Maximiser,
    maximise,
)
from transformer_math.tokenization.word_lattices import WordLattices


@contract
def train_unigram_by_levels(
    word_counts: Mapping[str, int],
    vocab_size: Size,
    longest: Size = 16,
    maximiser: Maximiser = maximise,
) -> Unigram:
    r"""`train_unigram`, where each array operation adds up one level of all words' lattices.

    >>> train_unigram_by_levels({"low": 3, "lower": 2}, vocab_size=6).pieces
    ('e', 'l', 'o', 'r', 'w', 'low')
    """
    found = frequent_substrings(word_counts, longest)
    require_room(vocab_size, found.texts)
    totals = np.array(list(word_counts.values()), float)
    covered = found.counts * [len(text) for text in found.texts]
    kept, scores = np.full(len(covered), True), np.log(covered / covered.sum())
    while True:
        lattices = WordLattices(found, totals, kept)
        for _ in range(ROUNDS):
            counts, _ = lattices.expected_counts(scores)
            scores[kept] = maximiser(np.maximum(counts[kept], LEAST_COUNT))
        if kept.sum() <= vocab_size:
            break
        counts, _ = lattices.expected_counts(scores)
        room = max(vocab_size, int(KEPT * kept.sum()))
        kept = _most_missed(found, scores, counts, kept, room)
        scores[~kept] = -np.inf
    return Unigram(tuple(found.texts[t] for t in np.flatnonzero(kept)), scores[kept])


def _most_missed(
    found: Substrings,
    scores: np.ndarray,
    counts: np.ndarray,
    kept: np.ndarray,
    room: int,
) -> np.ndarray:
    """Which pieces stay: all characters, then those whose loss is largest, `room` in all."""
    pieces = np.flatnonzero(kept)
    rows = alternatives(found, scores, pieces)
    losses = removal_losses(counts, pieces, rows).round(6)  # the same on every machine
    losses[(rows == ABSENT).all(axis=1)] = np.inf  # characters
    stay = np.zeros(len(kept), bool)
    stay[pieces[np.argsort(-losses, kind="stable")[:room]]] = True
    return stay
