"""Where tokens stand in a text: for each the place of its first character, and the place after its last one.

A token that holds a part of a character spans the whole of it, so that the spans of two tokens may overlap.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

from transformer_math.contract import contract, requires
from transformer_math.errors import require

Spans = list[tuple[int, int]]


@contract
def spans_of_lengths(lengths: Iterable[int]) -> Spans:
    """The spans of tokens that stand end to end, from how many characters each has.

    >>> spans_of_lengths([2, 1])
    [(0, 2), (2, 3)]
    """
    return list(pairwise(accumulate(lengths, initial=0)))


@contract
@requires(
    lambda lengths, text: sum(lengths) == len(text.encode("utf-8", "surrogatepass")),
    "the tokens do not have as many bytes as the text. Fix: pass the lengths of all its tokens, in bytes.",
)
def spans_of_bytes(lengths: Sequence[int], text: str) -> Spans:
    """The spans of tokens that stand end to end, from how many bytes of UTF-8 each has; a byte spans its character.

    >>> spans_of_bytes([1, 1, 2], "aé!")
    [(0, 1), (1, 2), (1, 3)]
    """
    owner = [i for i, c in enumerate(text) for _ in c.encode("utf-8", "surrogatepass")]
    return [(owner[a], owner[b - 1] + 1) for a, b in spans_of_lengths(lengths)]


@contract
def spans_of_units(units: Iterable[str], text: str) -> Spans:
    """The spans of units that stand in a text in this order, with what is left out between them.

    Raises ValueError for a unit that does not stand behind the one before it.

    >>> spans_of_units(["to", "be"], "to  be")
    [(0, 2), (4, 6)]
    """
    spans, place = [], 0
    for unit in units:
        begin = text.find(unit, place)
        require(
            begin >= 0,
            f"the unit {unit!r:.40} does not stand behind place {place} of the text. Fix: the units of this text, in order.",
        )
        place = begin + len(unit)
        spans.append((begin, place))
    return spans
