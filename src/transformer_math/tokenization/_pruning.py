"""What each piece is worth: how much likelihood a corpus loses when the piece is written with others instead."""

import numpy as np

from transformer_math.tokenization._x_ln_x import x_ln_x
from transformer_math.tokenization.substrings import ABSENT, Substrings


def alternatives(
    substrings: Substrings, scores: np.ndarray, wanted: np.ndarray
) -> np.ndarray:
    """How each of the wanted substrings is best written without itself: its pieces from the last to the first, then -1.

    Every part of a frequent substring is one too. So the best way to write each is found from shorter ones: the best
    way to write its beginning, and one piece after it. A character has no alternative.
    """
    best, split = _best_splits(substrings, scores)
    left, right = _halves(substrings, split)
    whole = (scores >= best) | (left == ABSENT)  # better as one piece
    rows = np.full((len(wanted), len(substrings.at)), ABSENT)
    rows[:, 0] = right[wanted]
    rest = left[wanted]
    for column in range(1, rows.shape[1]):
        rows[:, column] = np.where(whole[rest], rest, right[rest])
        rows[rest == ABSENT, column] = ABSENT
        rest = np.where((rest == ABSENT) | whole[rest], ABSENT, left[rest])
    return rows


def _best_splits(
    substrings: Substrings, scores: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """For each substring the score of its best alternative, and how long the beginning is before that one's last piece."""
    at, first = substrings.at, substrings.first
    best, split = np.full(len(scores), -np.inf), np.zeros(len(scores), int)
    whole = scores.copy()  # with itself among the ways
    lengths = np.array([len(text) for text in substrings.texts])
    for length in range(2, len(at) + 1):
        own = np.flatnonzero(lengths == length)
        for k in range(1, length):
            left, right = at[k - 1, first[own]], at[length - k - 1, first[own] + k]
            score = whole[left] + scores[right]
            better = score > best[own]
            best[own[better]], split[own[better]] = score[better], k
        whole[own] = np.maximum(best[own], scores[own])
    return best, split


def _halves(substrings: Substrings, split: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of the two parts of each substring; -1 for a character."""
    at, first = substrings.at, substrings.first
    lengths = np.array([len(text) for text in substrings.texts])
    left = np.where(split > 0, at[split - 1, first], ABSENT)
    behind = np.where(split > 0, first + split, 0)
    right = np.where(split > 0, at[lengths - split - 1, behind], ABSENT)
    return left, right


def removal_losses(
    counts: np.ndarray, wanted: np.ndarray, rows: np.ndarray
) -> np.ndarray:
    """The loss of `removal_loss` for the wanted pieces at once, given a row of `alternatives` for each.

    Only the counts of the piece and of its alternative change: the sum is not taken anew.
    """
    rows = np.sort(rows, axis=1)
    used = rows != ABSENT
    again = np.zeros(rows.shape)  # how often the same piece came before in a row
    for column in range(1, rows.shape[1]):
        same = rows[:, column] == rows[:, column - 1]
        again[:, column] = np.where(same, again[:, column - 1] + 1, 0)
    own = counts[wanted, None]
    before = counts[rows] + again * own
    gained = np.where(used, x_ln_x(before + own) - x_ln_x(before), 0.0).sum(axis=1)
    total = counts.sum()
    after = total + (used.sum(axis=1) - 1) * counts[wanted]
    return x_ln_x(counts[wanted]) - gained - x_ln_x(total) + x_ln_x(after)
