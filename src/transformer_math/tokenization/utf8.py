"""UTF-8: one to four bytes for every character there is, the alphabet that never meets an unknown."""

import re
from collections.abc import Iterable

from transformer_math.contract import Whole, contract, requires
from transformer_math.tokenization._ids import known_ids

_writable = requires(
    lambda text: re.search("[\\ud800-\\udfff]", text) is None,
    "the text holds half of a character (a lone surrogate), which UTF-8 cannot write. Fix: read the text as UTF-8.",
)


@contract
@requires(
    lambda code_point: 0 <= code_point < 0xD800 or 0xDFFF < code_point < 0x110000,
    "{code_point:#x} is no Unicode character. Fix: pass 0..0xD7FF or 0xE000..0x10FFFF, e.g. ord('é').",
)
def utf8_bytes(code_point: Whole) -> list[int]:
    """Write one Unicode code point as UTF-8.

        utf8(c) = {[c] if c < 2⁷; [192 + (c >> 6), c_0] if c < 2¹¹; [224 + (c >> 12), c_1, c_0] if c < 2¹⁶;
            [240 + (c >> 18), c_2, c_1, c_0] else}
        c_u = 128 + (c >> 6u) - 64 (c >> (6u + 6))

    Raises ValueError outside 0..0x10FFFF and for the surrogates 0xD800..0xDFFF, which are no characters.
    Book: eq-utf8. Source: RFC 3629.

    >>> [f"{byte:02x}" for byte in utf8_bytes(ord("é"))]
    ['c3', 'a9']
    """
    c = code_point
    following = [0x80 + (c >> 12 & 63), 0x80 + (c >> 6 & 63), 0x80 + (c & 63)]
    if c < 0x80:
        return [c]
    if c < 0x800:
        return [0xC0 + (c >> 6), *following[2:]]
    if c < 0x10000:
        return [0xE0 + (c >> 12), *following[1:]]
    return [0xF0 + (c >> 18), *following]


@contract
def utf8_encode(text: str) -> list[int]:
    """Write a text as the bytes of its characters, one after the other.

    >>> utf8_encode("Hé")
    [72, 195, 169]
    """
    return [byte for character in text for byte in utf8_bytes(ord(character))]


@contract
def utf8_decode(units: Iterable[int]) -> str:
    """Read a text off its bytes. A model may stop in the middle of a character: what is no UTF-8 becomes U+FFFD.

    Raises ValueError for what is no byte, 0..255.

    >>> utf8_decode([72, 195, 169])
    'Hé'
    """
    known = units if isinstance(units, bytes) else bytes(known_ids(units, 256))
    return known.decode("utf-8", errors="replace")
