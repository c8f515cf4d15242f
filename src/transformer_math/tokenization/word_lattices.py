"""The lattices of all words of a corpus at once: forward and backward sums in a few array operations for each level."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from transformer_math.tokenization.substrings import ABSENT, Substrings


class Sweep(NamedTuple):
    """Edges in an order in which they can be summed up: all that lead to one node together, and nodes level by level.

    Level k are the edges from `levels[k]` up to `levels[k + 1]`; in it, the runs that begin at `runs[k]` lead to `nodes[k]`.
    """

    order: np.ndarray
    source: np.ndarray
    levels: np.ndarray
    runs: tuple[np.ndarray, ...]
    nodes: tuple[np.ndarray, ...]


class WordLattices:
    """The lattices of a corpus. A node is a place in a word, before or after one of its characters; an edge is a piece."""

    def __init__(
        self, substrings: Substrings, counts: np.ndarray, kept: np.ndarray
    ) -> None:
        words, at = substrings.words, substrings.at
        lengths = np.bincount(words)
        self._counts = counts
        self._last = np.cumsum(lengths + 1) - 1
        length, place = np.nonzero((at != ABSENT) & kept[at])
        self.piece = at[length, place]
        self.word = words[place]
        self.start = place + self.word
        self.end = self.start + length + 1
        first = self._last - lengths
        self._forward = _sweep(self.start, self.end, self.end - first[self.word])
        self._backward = _sweep(
            self.end, self.start, self._last[self.word] - self.start
        )
        self._nodes = len(words) + len(lengths)

    def expected_counts(self, scores: np.ndarray) -> tuple[np.ndarray, float]:
        """How often each piece is expected in the corpus, given log-probabilities; and the corpus's log-likelihood."""
        edge = scores[self.piece]
        alpha = _log_sums(self._forward, edge, self._nodes)
        beta = _log_sums(self._backward, edge, self._nodes)
        whole = alpha[self._last]
        posterior = np.exp(alpha[self.start] + edge + beta[self.end] - whole[self.word])
        weights = posterior * self._counts[self.word]
        return np.bincount(self.piece, weights, len(scores)), float(
            whole @ self._counts
        )

    def best_counts(self, scores: np.ndarray) -> np.ndarray:
        """How often each piece stands in the best cuts of all words; of equals wins the longest last piece."""
        came = _best_edges(self._forward, scores[self.piece], self._nodes)
        counts, node = np.zeros(len(scores)), self._last
        while len(node) > 0:
            edge = came[node]
            weights = self._counts[self.word[edge]]
            counts += np.bincount(self.piece[edge], weights, len(scores))
            node = self.start[edge]
            node = node[came[node] != ABSENT]
        return counts


def _sweep(source: np.ndarray, target: np.ndarray, level: np.ndarray) -> Sweep:
    order = np.lexsort((target, level))
    target = target[order]
    levels = np.cumsum(np.bincount(level))  # the first is 0: no edge has level 0
    new = np.r_[True, target[1:] != target[:-1]]
    runs = tuple(np.flatnonzero(new[a:b]) for a, b in pairwise(levels))
    nodes = tuple(target[a:b][new[a:b]] for a, b in pairwise(levels))
    return Sweep(order, source[order], levels, runs, nodes)


def _log_sums(sweep: Sweep, edge: np.ndarray, nodes: int) -> np.ndarray:
    """For each node the logarithm of the sum over all ways that lead to it; 0 where every way begins."""
    sums, edge = np.zeros(nodes), edge[sweep.order]
    for k, (runs, own) in enumerate(zip(sweep.runs, sweep.nodes)):
        here = slice(sweep.levels[k], sweep.levels[k + 1])
        ways = sums[sweep.source[here]] + edge[here]
        largest = np.maximum.reduceat(ways, runs)
        lengths = np.diff(runs, append=len(ways))
        powers = np.exp(ways - np.repeat(largest, lengths))
        sums[own] = largest + np.log(np.add.reduceat(powers, runs))
    return sums


def _best_edges(sweep: Sweep, edge: np.ndarray, nodes: int) -> np.ndarray:
    """For each node the last edge of the best way that leads to it; -1 where every way begins."""
    best, came, edge = np.zeros(nodes), np.full(nodes, ABSENT), edge[sweep.order]
    for k, (runs, own) in enumerate(zip(sweep.runs, sweep.nodes)):
        here = slice(sweep.levels[k], sweep.levels[k + 1])
        ways = best[sweep.source[here]] + edge[here]
        best[own] = np.maximum.reduceat(ways, runs)
        first = ways == np.repeat(best[own], np.diff(runs, append=len(ways)))
        # edges to a node stand from the shortest to the longest
        last = np.maximum.reduceat(np.where(first, np.arange(len(ways)), ABSENT), runs)
        came[own] = sweep.order[here][last]
    return came
