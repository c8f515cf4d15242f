"""The bookkeeping that makes the training of WordPiece fast: counts that a merge updates, and values that need no second look."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from inspect import unwrap
from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from transformer_math.tokenization.likelihood import (
    PairCounts,
    merge_count,
    merge_gain,
    merge_score,
)
from transformer_math.tokenization.pair_index import Pair, merge_pair

Value = Callable[[PairCounts], Float[np.ndarray, " pairs"]]
# These do not grow when the corpus gets shorter and the counts of the pair stay as they are.
BOUNDED = tuple(unwrap(value) for value in (merge_gain, merge_score, merge_count))
_NEAR = 1e-3  # how far below the largest bound the largest value is looked for at first, in proportion
_ROUNDING = 1e-6  # more than rounding does to them, in proportion to the value or to 1

_merge = unwrap(merge_pair)  # without its contract, since it runs for every merge


class MergeIndex:
    """Words as rows of ids with their counts: how often each token and each pair stands in them, and where.

    A pair has a slot in the arrays, so that the values of all pairs are computed at once.
    """

    def __init__(self, words: list[list[int]], counts: Sequence[int]) -> None:
        self.words = words
        self._counts = list(counts)
        self._tokens = np.zeros(1, int)  # these three are doubled when they are full
        self._pairs = np.empty((1, 2), int)
        self._m = np.zeros(1)
        self._slots: dict[Pair, int] = {}
        self._where: defaultdict[Pair, set[int]] = defaultdict(set)
        changes: defaultdict[Pair, int] = defaultdict(int)
        for number, (word, count) in enumerate(zip(words, counts)):
            for token in word:
                self._count(token, count)
            self._add(number, changes)
        self._apply(changes)

    def pairs(self) -> list[Pair]:
        """The pairs that stand somewhere, in the order in which they were met."""
        return [tuple(pair) for pair in self._pairs[self._used()].tolist()]

    def counts(self) -> PairCounts:
        """The counts of these pairs."""
        return PairCounts(*self._columns(self._used()))

    def best(self, value: Value) -> Pair | None:
        """The pair of the largest value; of several, the one with the smallest ids; None when no pair is left."""
        used = self._used()
        if len(used) == 0:
            return None
        return self._first(used, value(self.counts()))

    def merge(self, pair: Pair, token: int) -> None:
        """Replace the pair by `token` in every word that holds it, and bring the counts up to date."""
        changes: defaultdict[Pair, int] = defaultdict(int)
        merged = 0
        for number in self._where.pop(pair):
            old, count = self.words[number], self._counts[number]
            new = _merge(old, pair, token)
            if len(new) == len(old):
                continue  # another merge has taken the pair away
            merged += (len(old) - len(new)) * count
            for place in _places(old):
                changes[place] -= count
            self.words[number] = new
            self._add(number, changes)
        for part in pair:
            self._count(part, -merged)
        self._count(token, merged)
        self._apply({place: change for place, change in changes.items() if change})

    def _count(self, token: int, change: int) -> None:
        while token >= len(self._tokens):
            self._tokens = np.append(self._tokens, np.zeros_like(self._tokens))
        self._tokens[token] += change

    def _add(self, number: int, changes: defaultdict[Pair, int]) -> None:
        count = self._counts[number]
        for pair in _places(self.words[number]):
            changes[pair] += count
            self._where[pair].add(number)

    def _apply(self, changes: Mapping[Pair, int]) -> list[int]:
        """Bring the counts of pairs up to date; their slots."""
        known = len(self._slots)
        slots = [self._slots.setdefault(pair, len(self._slots)) for pair in changes]
        while len(self._slots) > len(self._m):
            self._m = np.append(self._m, np.zeros_like(self._m))
            self._pairs = np.append(self._pairs, np.empty_like(self._pairs), axis=0)
        new = [pair for pair, slot in zip(changes, slots) if slot >= known]
        if new:
            self._pairs[known : known + len(new)] = new
        self._m[slots] += list(changes.values())
        return slots

    def _used(self) -> np.ndarray:
        return np.flatnonzero(self._m)

    def _columns(self, slots: np.ndarray) -> tuple:
        """m, n_a, n_b, whether a is b, and N, as `PairCounts` has them."""
        a, b = self._pairs[slots].T
        n_a, n_b = self._tokens[a].astype(float), self._tokens[b].astype(float)
        return self._m[slots], n_a, n_b, a == b, int(self._tokens.sum())

    def _first(self, slots: np.ndarray, values: np.ndarray) -> Pair:
        best = values.max()
        tied = slots[values >= best - 1e-9 * abs(best)]
        return min(tuple(pair) for pair in self._pairs[tied].tolist())


class BoundedIndex(MergeIndex):
    """The same index for a value in `BOUNDED`: what it once was bounds what it is, until a count of the pair changes.

    So after a merge the pairs with a changed count are looked at, and those whose bound reaches the largest value.
    """

    def __init__(self, words: list[list[int]], counts: Sequence[int]) -> None:
        self._bounds = np.empty(0)
        self._stale: list[int] = []
        self._with: defaultdict[int, list[int]] = defaultdict(list)
        super().__init__(words, counts)

    def best(self, value: Value) -> Pair | None:
        """The pair of the largest value, as in `MergeIndex`."""
        stale, self._stale = np.array(self._stale, int), []
        self._bounds[stale] = -np.inf
        bounds = self._bounds[: len(self._slots)]
        reach = _below(bounds.max(initial=-np.inf), _NEAR)
        near = np.flatnonzero(bounds >= reach)
        candidates = np.append(near, stale[self._m[stale] > 0])
        if len(candidates) == 0:
            return None
        values = self._look(candidates, unwrap(value))
        while (wanted := _below(values.max(), _ROUNDING)) < reach:
            reach = wanted
            candidates = np.flatnonzero(bounds >= reach)
            values = self._look(candidates, unwrap(value))
        return self._first(candidates, values)

    def merge(self, pair: Pair, token: int) -> None:
        """Merge as in `MergeIndex`, and note whose counts have changed."""
        super().merge(pair, token)
        for part in pair:
            slots = np.array(self._with[part], int)
            self._with[part] = slots[self._m[slots] > 0].tolist()
            self._stale += self._with[part]

    def _apply(self, changes: Mapping[Pair, int]) -> list[int]:
        known = len(self._slots)
        slots = super()._apply(changes)
        for pair, slot in zip(changes, slots):
            if slot >= known:
                for part in pair:
                    self._with[part].append(slot)
        if more := len(self._m) - len(self._bounds):
            self._bounds = np.append(self._bounds, np.full(more, -np.inf))
        self._stale += slots
        return slots

    def _look(self, slots: np.ndarray, value: Callable) -> np.ndarray:
        """The values of these pairs now, which bound them from now on."""
        self._bounds[slots] = values = value(_Columns(*self._columns(slots)))
        return values


class _Columns(NamedTuple):
    """`PairCounts` without its contract, since values are computed for every merge."""

    m: np.ndarray
    n_a: np.ndarray
    n_b: np.ndarray
    same: np.ndarray
    N: int


def _below(value: float, share: float) -> float:
    """A little less than a value, in proportion to it or to 1; a finite number, too, where the value is −∞."""
    return max(value - share * max(1.0, abs(value)), -np.finfo(float).max)


def _places(tokens: Sequence) -> Iterable[tuple]:
    pairs = zip(tokens, tokens[1:])
    return pairs if len(set(tokens)) == len(tokens) else _without_overlaps(pairs)


def _without_overlaps(pairs: Iterable[tuple]) -> Iterator[tuple]:
    taken = None  # the place of a token that the pair of twins before it takes
    for place, (a, b) in enumerate(pairs):
        if a == b and place == taken:
            continue
        if a == b:
            taken = place + 1
        yield a, b
