"""The bookkeeping that makes BPE training fast: counts of pairs that a merge updates instead of counting anew."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import Any

from transformer_math.contract import contract, requires

Pair = tuple[int, int]


@contract
@requires(
    lambda pair: len(pair) == 2, "pair is {pair}; wanted two tokens. Fix: (a, b)."
)
def merge_pair(tokens: Sequence[Any], pair: tuple[Any, ...], merged: Any) -> list:
    """Replace every neighbouring `pair` by the token `merged`, from left to right.

    >>> merge_pair(["a", "a", "a"], ("a", "a"), "aa")
    ['aa', 'a']
    """
    first, second = pair
    last = len(tokens) - 1
    out = []
    i = 0
    while i <= last:
        if tokens[i] == first and i < last and tokens[i + 1] == second:
            out.append(merged)
            i += 2
        else:
            out.append(tokens[i])
            i += 1
    return out


class PairIndex:
    """Distinct words with their counts, the count of each pair in them, and the words in which a pair stands.

    A word is a string with one character for each token, `chr(id)`, so that Python's own `split` finds a pair in it. The
    heap may hold a count that a pair had once; such an entry is put right when it comes to the top.
    """

    def __init__(self, words: list[str], counts: list[int]) -> None:
        self._words = words
        self._counts = counts
        self._pair_counts: defaultdict[str, int] = defaultdict(int)
        self._where: defaultdict[str, set[int]] = defaultdict(set)
        for number, (word, count) in enumerate(zip(words, counts)):
            for i in range(len(word) - 1):
                self._pair_counts[word[i : i + 2]] += count
                self._where[word[i : i + 2]].add(number)
        self._heap = [(-count, pair) for pair, count in self._pair_counts.items()]
        heapify(self._heap)

    def most_frequent(self) -> Pair | None:
        """The pair with the largest count; of several, the one with the smallest ids; None when no pair is left."""
        while self._heap:
            negative, pair = heappop(self._heap)
            count = self._pair_counts[pair]
            if count == -negative:
                return ord(pair[0]), ord(pair[1])
            if count:
                heappush(self._heap, (-count, pair))
        return None

    def merge(self, pair: Pair, merged: int) -> None:
        """Replace the pair by `merged` in every word that holds it, and bring the counts up to date."""
        first, second = map(chr, pair)
        for old, new, numbers in self._changes(first, second, chr(merged)):
            total = sum([self._counts[number] for number in numbers])
            self._pair_counts[old] -= total
            self._pair_counts[new] += total
            self._where[new].update(numbers)
            heappush(self._heap, (-self._pair_counts[new], new))
        self._pair_counts[first + second] = 0

    def _changes(
        self, first: str, second: str, merged: str
    ) -> Iterator[tuple[str, str, list[int]]]:
        """Merge in the words; tell which neighbours became which others, with the number of the word, place by place."""
        before, after, between = defaultdict(list), defaultdict(list), []
        for number in self._where.pop(first + second):
            parts = self._words[number].split(first + second)
            self._words[number] = merged.join(parts)
            for i, (left, right) in enumerate(pairwise(parts)):
                if left:
                    before[left[-1]].append(number)
                elif i:
                    between.append(number)
                if right:
                    after[right[0]].append(number)
        yield from ((a + first, a + merged, numbers) for a, numbers in before.items())
        yield from ((second + b, merged + b, numbers) for b, numbers in after.items())
        if between:
            yield second + first, merged + merged, between
