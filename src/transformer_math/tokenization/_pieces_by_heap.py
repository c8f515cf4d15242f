"""SentencePiece's merging made fast for long texts: a heap knows where the best piece is."""

from collections.abc import Mapping
from heapq import heapify, heappop, heappush


def merge_pieces_by_heap(chunk: str, scores: Mapping[str, float]) -> list[str]:
    """Merge as `merge_pieces` does, in n log n steps and not n².

    `after[i]` is where the part that begins at place i ends; it is n where no part begins. An entry of the heap is
    passed over when its two parts are no longer there.

    >>> merge_pieces_by_heap("lower", {"lo": -1.0, "low": -2.0, "er": 0.0})
    ['low', 'er']
    """
    n = len(chunk)
    after, before = [*range(1, n + 1), n], [*range(-1, n)]
    heap = [
        (-scores[piece], i, i + 2)
        for i in range(n - 1)
        if (piece := chunk[i : i + 2]) in scores
    ]
    heapify(heap)
    while heap:
        _, i, end = heappop(heap)
        if (middle := after[i]) == n or after[middle] != end:
            continue
        after[i], after[middle], before[end] = end, n, i
        for first in (max(before[i], 0), i):
            last = after[after[first]]
            if last > after[first] and (piece := chunk[first:last]) in scores:
                heappush(heap, (-scores[piece], first, last))
    parts, place = [], 0
    while place < n:
        parts.append(chunk[place : after[place]])
        place = after[place]
    return parts
