"""Unigram as the program SentencePiece learns it: what a piece is worth is read off the best cut of each word alone.

`unigram_training` follows the paper instead. The rules here were read in the program's source (version 0.2).
"""

import re
from collections.abc import Mapping

import numpy as np

from transformer_math.contract import Size, Whole, contract, requires
from transformer_math.tokenization._pruning import alternatives
from transformer_math.tokenization._words import require_room
from transformer_math.tokenization.substrings import (
    ABSENT,
    Substrings,
    frequent_substrings,
)
from transformer_math.tokenization.unigram import UNKNOWN_PENALTY, Unigram
from transformer_math.tokenization.unigram_training import (
    KEPT,
    LEAST_COUNT,
    ROUNDS,
    maximise_bayesian,
)
from transformer_math.tokenization.word_lattices import WordLattices

MARGIN = 1.1  # pruning ends at so many times the vocabulary; the least probable go last
_PIECE = re.compile(r"▁|▁?(?:[^\W\d_]+|(?:(?!▁)[\W\d_])+)")
_STEP = 1e-4  # between the scores of characters that had been dropped, the most frequent lowest


@contract
@requires(
    lambda others: others >= 0,
    "others is {others}; wanted how many entries are not learnt, at least 0. Fix: 259 for three special pieces and 256 bytes.",
)
def train_unigram_by_best_cuts(
    word_counts: Mapping[str, int],
    vocab_size: Size,
    longest: Size = 16,
    others: Whole = 0,
) -> Unigram:
    r"""Learn a vocabulary of `vocab_size` pieces as SentencePiece does, from words that begin with ▁.

        p_t = exp(psi(C_t) - psi(sum_u C_u)),  and a piece with C_t < 1/2 goes at once;  C <- counts in the best cuts
        loss_t = F_t (ln F_t / S - sum_u n_u ln (F_u + F_t) / (S + (n - 1) F_t)),  least loss first

    A piece is a ▁ and letters, or other signs, and is followed by different characters. Pieces that no best cut uses go too;
    in the end the most probable stay, and all characters. `others` says how many entries of the whole vocabulary are not
    learnt. Source: Kudo and Richardson (2018), arXiv:1808.06226, the program.

    >>> train_unigram_by_best_cuts({"▁low": 3, "▁lower": 2, "▁lo": 1}, vocab_size=7).pieces
    ('▁low', 'e', 'r', 'w', '▁', 'o', 'l')
    """
    found = frequent_substrings(word_counts, longest)
    require_room(vocab_size, found.texts)
    totals = np.array(list(word_counts.values()), float)
    lengths = np.array([len(text) for text in found.texts])
    single = lengths == 1
    kept = single | _followed_by_different(found, totals, lengths)
    weights = found.counts * lengths
    scores = np.log(weights / weights[kept].sum())
    wanted = int(MARGIN * (vocab_size + others))
    while True:
        lattices = WordLattices(found, totals, kept | single)
        for _ in range(ROUNDS):
            counts, _ = lattices.expected_counts(_with_unknown(scores, kept, single))
            kept = kept & (counts >= LEAST_COUNT)
            scores = maximise_bayesian(np.where(kept, counts, 0.0))
        if kept.sum() <= wanted:
            break
        kept = _most_missed(found, lattices, scores, kept, single, wanted)
        if kept.sum() <= wanted:
            break
    return _most_probable(found, scores, kept, single, vocab_size)


def _followed_by_different(
    found: Substrings, totals: np.ndarray, lengths: np.ndarray
) -> np.ndarray:
    """The pieces that are not followed by the same character wherever they stand; the end of a word counts as one."""
    different = np.array([_PIECE.fullmatch(text) is not None for text in found.texts])
    for length in range(2, len(found.at) + 1):
        longer = np.flatnonzero(lengths == length)
        beginning = found.at[length - 2, found.first[longer]]
        different[beginning[found.counts[longer] == found.counts[beginning]]] = False
    return different & (_at_ends(found, totals) < found.counts)


def _at_ends(found: Substrings, totals: np.ndarray) -> np.ndarray:
    """How often each substring ends a word."""
    counts, lengths = np.zeros(len(found.texts)), np.bincount(found.words)
    ends = np.cumsum(lengths)
    for length, at in enumerate(found.at, 1):
        inside = lengths >= length
        number = at[ends[inside] - length]
        there = number != ABSENT
        np.add.at(counts, number[there], totals[inside][there])
    return counts


def _with_unknown(
    scores: np.ndarray, kept: np.ndarray, single: np.ndarray
) -> np.ndarray:
    """The scores, where a character that was dropped counts as unknown."""
    return np.where(single & ~kept, scores[kept].min() - UNKNOWN_PENALTY, scores)


def _most_missed(
    found: Substrings,
    lattices: WordLattices,
    scores: np.ndarray,
    kept: np.ndarray,
    single: np.ndarray,
    wanted: int,
) -> np.ndarray:
    """Which of the pieces that the best cuts use stay: those that nothing can replace, then those whose loss is largest."""
    known = _with_unknown(scores, kept, single)
    used = np.where(kept, lattices.best_counts(known), 0.0)
    pieces = np.flatnonzero(kept & (used > 0))
    rows = alternatives(found, known, pieces)
    losses = np.where(rows[:, 0] == ABSENT, np.inf, _losses(used, pieces, rows))
    room = max(wanted, int(KEPT * kept.sum()))
    stay = np.zeros(len(kept), bool)
    stay[pieces[np.argsort(-losses, kind="stable")[:room]]] = True
    return stay


def _losses(used: np.ndarray, pieces: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """What each piece's count loses in log-probability when its alternative is counted instead; what is alone gives 0."""
    own, there = used[pieces], rows != ABSENT
    size, total = there.sum(axis=1), used.sum()
    with_it = np.log(own / total)
    joined = np.log(used[rows] + own[:, None])
    without = np.where(there, joined, 0.0).sum(axis=1)
    without -= size * np.log(total + own * np.maximum(size - 1, 0))
    return own * (with_it - without)


def _most_probable(
    found: Substrings,
    scores: np.ndarray,
    kept: np.ndarray,
    single: np.ndarray,
    vocab_size: int,
) -> Unigram:
    """All characters, and the most probable of the other pieces; the most probable first."""
    dropped = np.flatnonzero(single & ~kept)
    dropped = dropped[np.argsort(-found.counts[dropped], kind="stable")]
    scores = scores.copy()
    scores[dropped] = scores[kept].min() + _STEP * np.arange(len(dropped))
    others = np.flatnonzero(kept & ~single)
    others = others[np.argsort(-scores[others], kind="stable")]
    chosen = np.r_[np.flatnonzero(single), others[: vocab_size - single.sum()]]
    chosen = chosen[np.argsort(-scores[chosen], kind="stable")]
    return Unigram(tuple(found.texts[t] for t in chosen), scores[chosen])
