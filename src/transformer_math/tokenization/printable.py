"""Bytes as characters that can be printed, GPT-2's way: a vocabulary file becomes text, and a space becomes Ġ."""

from functools import cache

from transformer_math.contract import contract, requires


@cache
def _printed() -> dict[int, str]:
    """Each byte's character: its own if Latin-1 prints it, and else the next free one from U+0100."""
    own = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in own]
    return {byte: chr(byte) for byte in own} | {
        byte: chr(0x100 + place) for place, byte in enumerate(others)
    }


@contract
def printable(token: bytes) -> str:
    """Write bytes as printable characters, one for each byte.

    Source: Radford et al. (2019), "Language Models are Unsupervised Multitask Learners".

    >>> printable(" né".encode())
    'ĠnÃ©'
    """
    return "".join(map(_printed().__getitem__, token))


@contract
@requires(
    lambda text: set(text) <= set(_printed().values()),
    "{text!r} holds a character that stands for no byte. Fix: pass what printable(...) wrote.",
)
def unprintable(text: str) -> bytes:
    """Read the bytes behind printable characters: the inverse of `printable`.

    >>> unprintable("ĠnÃ©").decode()
    ' né'
    """
    byte = {character: value for value, character in _printed().items()}
    return bytes(byte[character] for character in text)
