"""BPE made fast for many texts and long chunks: tables made once, and a heap that knows where the next merge is."""

from collections.abc import Callable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from inspect import unwrap

from transformer_math.contract import contract
from transformer_math.tokenization.bpe import BPE, _known
from transformer_math.tokenization.pair_index import Pair

NONE = -1  # the id of no token, in no pair


@contract
def encode_chunk_by_heap(
    symbols: Sequence[int], merges: Mapping[Pair, int], ranks: Mapping[Pair, int]
) -> list[int]:
    """Merge as `encode_chunk` does, in n log n steps and not n²: no two pairs have the same rank.

    The heap holds rank and place of every pair that has a rank, or had one: what is no longer there is passed over.
    All places of a rank are merged before a pair that such a merge makes is looked at.

    >>> encode_chunk_by_heap([0, 0, 0], {(0, 0): 1, (1, 0): 2}, {(0, 0): 0, (1, 0): 1})
    [2]
    """
    n, tokens = len(symbols), [*symbols, NONE]
    after, before = [*range(1, n + 1), n], [*range(-1, n)]
    pairs = enumerate(zip(tokens, tokens[1:]))
    heap = [(ranks[pair], i) for i, pair in pairs if pair in ranks]
    heapify(heap)
    while heap:
        rank, last, changed = heap[0][0], NONE, list[int]()
        while heap and heap[0][0] == rank:
            i = heappop(heap)[1]
            pair = tokens[i], tokens[after[i]]
            if i == last or ranks.get(pair) != rank:
                continue
            last, gone = i, after[i]
            tokens[i], tokens[gone] = merges[pair], NONE
            after[i], before[after[gone]] = after[gone], i
            changed += before[i], i
        for i in changed:
            pair = tokens[i], tokens[after[i]]
            if pair in ranks:
                heappush(heap, (ranks[pair], i))
    return [token for token in tokens if token != NONE]


_merge = unwrap(encode_chunk_by_heap)  # without its contract, for every chunk


def chunk_encoder(bpe: BPE) -> Callable[[str | bytes], list[int]]:
    """A function that encodes one chunk as `encode_bpe` does; what it looks up is made once.

    >>> chunk_encoder(BPE(("a", "b", "ab"), {(0, 1): 2}))("abb")
    [2, 1]
    """
    ids = {token: number for number, token in enumerate(bpe.tokens)}
    ranks = {pair: rank for rank, pair in enumerate(bpe.merges)}
    return lambda chunk: _merge(_known(chunk, ids), bpe.merges, ranks)
