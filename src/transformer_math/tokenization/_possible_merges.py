"""The merges that a row of tokens offers, for dropout to choose from."""

from collections.abc import Mapping, Sequence


def possible_merges(
    tokens: Sequence[int], ranks: Mapping[tuple[int, int], int]
) -> list[int]:
    """Where a pair stands that has a rank, the lowest rank first, and from left to right.

    >>> possible_merges([0, 1, 0, 0, 1], {(0, 1): 1, (1, 0): 0})
    [1, 0, 3]
    """
    pairs = enumerate(zip(tokens, tokens[1:]))
    found = [(ranks[pair], place) for place, pair in pairs if pair in ranks]
    return [place for _, place in sorted(found)]
