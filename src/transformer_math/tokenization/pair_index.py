"""The bookkeeping that makes BPE training fast: counts of pairs that a merge updates instead of counting anew."""

from collections import defaultdict
from collections.abc import Sequence
from heapq import heapify, heappop, heappush

from transformer_math.contract import contract, requires

Pair = tuple[int, int]


@contract
@requires(
    lambda pair: len(pair) == 2, "pair is {pair}; wanted two tokens. Fix: (a, b)."
)
def merge_pair(tokens: Sequence, pair: tuple, merged) -> list:
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


_merge = merge_pair.__wrapped__  # without its contract, since it runs for every merge


class PairIndex:
    """Distinct words with their counts, the count of each pair in them, and the words in which a pair stands.

    The heap holds an entry for each count that a pair ever had; an entry whose count is out of date is passed over.
    """

    def __init__(self, words: list[list[int]], counts: list[int]) -> None:
        self._words = words
        self._counts = counts
        self._pair_counts: defaultdict[Pair, int] = defaultdict(int)
        self._where: defaultdict[Pair, set[int]] = defaultdict(set)
        for number, (word, count) in enumerate(zip(words, counts)):
            for pair in zip(word, word[1:]):
                self._pair_counts[pair] += count
                self._where[pair].add(number)
        self._heap = [(-count, pair) for pair, count in self._pair_counts.items()]
        heapify(self._heap)

    def most_frequent(self) -> Pair | None:
        """The pair with the largest count; of several, the one with the smallest ids; None when no pair is left."""
        while self._heap:
            negative, pair = heappop(self._heap)
            if negative < 0 and -negative == self._pair_counts[pair]:
                return pair
        return None

    def merge(self, pair: Pair, merged: int) -> None:
        """Replace the pair by `merged` in every word that holds it, and bring the counts up to date."""
        changes: defaultdict[Pair, int] = defaultdict(int)
        for number in self._where.pop(pair):
            word, count = self._words[number], self._counts[number]
            for old in zip(word, word[1:]):
                changes[old] -= count
            self._words[number] = word = _merge(word, pair, merged)
            for new in zip(word, word[1:]):
                changes[new] += count
                self._where[new].add(number)
        for changed, change in changes.items():
            if change:
                self._pair_counts[changed] += change
                heappush(self._heap, (-self._pair_counts[changed], changed))
