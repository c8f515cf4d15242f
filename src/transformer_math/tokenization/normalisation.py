"""Before any cut: different spellings of what is the same text become one, or nothing is changed at all."""

import struct
import unicodedata
from functools import lru_cache

from transformer_math.contract import contract
from transformer_math.errors import require

_LABEL = (
    0x800000FF  # a unit's label; the highest bit marks what is no node, but a value
)


@contract
def normalise(text: str, rules: str | bytes) -> str:
    """Normalise a text: `"identity"` leaves it alone, `"nfkc"` is Unicode's NFKC, bytes are a map of SentencePiece.

    Raises ValueError for other rules.
    Source: Unicode Standard Annex 15, "Unicode Normalization Forms".

    >>> normalise("ﬁve ½ Ｋｍ", "nfkc")
    'five 1⁄2 Km'
    """
    if isinstance(rules, bytes):
        return apply_charsmap(text, rules)
    require(
        rules in ("identity", "nfkc"),
        f'rules is {rules!r}; wanted "identity", "nfkc" or the bytes of a compiled map. Fix: rules="identity".',
    )
    return unicodedata.normalize("NFKC", text) if rules == "nfkc" else text


@contract
def apply_charsmap(text: str, charsmap: bytes) -> str:
    """Replace by a compiled map, from left to right: at each place the longest text that the map knows.

    The map is a trie in two arrays, as model files of SentencePiece carry it: its size in four bytes, its units of four
    bytes each, then the replacements, each ended by a zero. An empty map changes nothing.
    Source: Aoe (1989), "An Efficient Digital Search Algorithm by Using a Double-Array Structure".
    """
    if not charsmap:
        return text
    units, replacements = _compiled(charsmap)
    data, out, place = text.encode("utf-8"), [], 0
    while place < len(data):
        if key := _longest(data, place, units):
            length, at = key
            out.append(replacements[at : replacements.index(b"\0", at)])
        else:  # a byte is enough: no key begins inside a character
            length = 1
            out.append(data[place : place + 1])
        place += length
    return b"".join(out).decode("utf-8")


def _longest(data: bytes, place: int, units: tuple[int, ...]) -> tuple[int, int] | None:
    """The length of the longest key that begins at a place, and where its replacement stands; None where none does."""
    node, found = _children(units[0]), None
    for end in range(place, len(data)):
        node ^= data[end]
        unit = units[node]
        if unit & _LABEL != data[end]:
            break
        node ^= _children(unit)
        if unit >> 8 & 1:  # a key ends here, its value is the child with label 0
            found = end + 1 - place, units[node] & 0x7FFFFFFF
    return found


def _children(unit: int) -> int:
    """How far away a unit's children are; bit 9 says that it is counted in 256s, as tries of millions of units need it.

    >>> _children(5 << 10), _children(5 << 10 | 1 << 9), _children(5 << 10 | 1 << 8)
    (5, 1280, 5)
    """
    return unit >> 10 << ((unit & 0x200) >> 6)


@lru_cache
def _compiled(charsmap: bytes) -> tuple[tuple[int, ...], bytes]:
    size = int.from_bytes(charsmap[:4], "little")
    require(
        0 < size <= len(charsmap) - 4 and size % 4 == 0,
        f"the map of {len(charsmap)} bytes does not begin with the size of its trie. Fix: take it whole from a model file.",
    )
    return struct.unpack_from(f"<{size // 4}I", charsmap, 4), charsmap[4 + size :]
