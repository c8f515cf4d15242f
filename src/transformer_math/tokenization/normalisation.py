"""Before any cut: different spellings of what is the same text become one, or nothing is changed at all."""

import struct
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from transformer_math.contract import contract
from transformer_math.errors import require

_BROKEN = "the map is damaged"
_WHOLE = "Fix: take it whole from a model file."
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
    return "".join(replacement for replacement, _ in _replaced(text, charsmap))


@contract
def normalised_places(
    text: str, rules: str | bytes
) -> tuple[str, list[tuple[int, int]]]:
    """`normalise`, and for each character of the result the places in the text that it comes from, first and after the last.

    >>> normalised_places("ﬁn", "nfkc")
    ('fin', [(0, 1), (0, 1), (1, 2)])
    """
    if isinstance(rules, bytes):
        parts = list(_replaced(text, rules))
    else:
        units = list(text) if rules == "identity" else _apart(text)
        parts = [(normalise(unit, rules), len(unit)) for unit in units]
    spans, place = [], 0
    for replacement, length in parts:
        spans += [(place, place + length)] * len(replacement)
        place += length
    return "".join(replacement for replacement, _ in parts), spans


def _apart(text: str) -> list[str]:
    """Parts of a text that NFKC takes each by itself: a character with its marks, syllables that it puts together."""
    parts: list[str] = []
    for character in text:
        together = parts and (
            unicodedata.combining(character)
            or normalise(parts[-1] + character, "nfkc")
            != normalise(parts[-1], "nfkc") + normalise(character, "nfkc")
        )
        parts[len(parts) - bool(together) :] = [
            parts[-1] + character if together else character
        ]
    whole = "".join(normalise(part, "nfkc") for part in parts)
    return parts if whole == normalise(text, "nfkc") else [text]


def _replaced(text: str, charsmap: bytes) -> Iterator[tuple[str, int]]:
    """The text in parts, each as the map has it, and how many characters of the text it stands for."""
    if not charsmap:
        yield from ((character, 1) for character in text)
        return
    units, replacements = _compiled(charsmap)
    data, place = text.encode("utf-8", "surrogatepass"), 0
    while place < len(data):
        length, at = _longest(data, place, units) or (_bytes_of(data[place]), None)
        key = _decoded(data[place : place + length])
        yield (key if at is None else _replacement(replacements, at)), len(key)
        place += length


def _bytes_of(first: int) -> int:
    """How many bytes the character has that begins with this one: no key begins inside a character."""
    return 1 + (first >= 0xC0) + (first >= 0xE0) + (first >= 0xF0)


def _replacement(replacements: bytes, at: int) -> str:
    end = replacements.find(b"\0", at)
    require(at <= end, f"{_BROKEN}: a key leads out of its replacements. {_WHOLE}")
    return _decoded(replacements[at:end])


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        message = f"{_BROKEN}: {data!r} is no UTF-8. {_WHOLE}"
        raise ValueError(message) from None


def _longest(data: bytes, place: int, units: tuple[int, ...]) -> tuple[int, int] | None:
    """The length of the longest key that begins at a place, and where its replacement stands; None where none does."""
    node, found = _children(units[0]), None
    for end in range(place, len(data)):
        node ^= data[end]
        unit = _unit(units, node)
        if unit & _LABEL != data[end]:
            break
        node ^= _children(unit)
        if unit >> 8 & 1:  # a key ends here, its value is the child with label 0
            found = end + 1 - place, _unit(units, node) & 0x7FFFFFFF
    return found


def _unit(units: tuple[int, ...], node: int) -> int:
    require(node < len(units), f"{_BROKEN}: a node leads out of its trie. {_WHOLE}")
    return units[node]


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
