"""Texts that a page holds without showing them: found by a hash of the words that call for them, and veiled by these words.

No secret: who reads the script can undo it. It only keeps an answer from standing in the page in the open.
"""

import base64
from collections.abc import Iterator

_MASK = 0xFFFFFFFF


def mark(words: str) -> str:
    """A hash of some words, in eight hexadecimal digits: FNV-1a over their UTF-8.

    >>> mark("nine")
    'c5a1409e'
    """
    return f"{_hash(words):08x}"


def veil(text: str, words: str) -> str:
    """A text that can only be read with some words: its UTF-8, each byte changed by a stream that they begin."""
    stream = _stream(_hash(words + "|veil"))
    hidden = bytes(byte ^ next(stream) for byte in text.encode())
    return base64.b64encode(hidden).decode()


def unveil(hidden: str, words: str) -> str:
    """The text behind a veil.

    >>> unveil(veil("√2, of course", "a"), "a")
    '√2, of course'
    """
    stream = _stream(_hash(words + "|veil"))
    return bytes(byte ^ next(stream) for byte in base64.b64decode(hidden)).decode()


def _hash(words: str) -> int:
    value = 0x811C9DC5
    for byte in words.encode():
        value = (value ^ byte) * 0x01000193 & _MASK
    value ^= value >> 15  # FNV alone leaves neighbours alike
    value = value * 0x2C1B3C6D & _MASK
    return value ^ value >> 13


def _stream(state: int) -> Iterator[int]:
    """Bytes, each from the high end of a linear congruential generator (Numerical Recipes' constants)."""
    while True:
        state = (state * 1664525 + 1013904223) & _MASK
        yield state >> 24
