"""Bytes as characters that can be printed, GPT-2's way: a vocabulary file becomes text, and a space becomes Ġ."""

from transformer_math.contract import Whole, contract, requires


@contract
@requires(
    lambda byte: 0 <= byte < 256,
    "{byte} is no byte, 0..255. Fix: pass one of text.encode().",
)
def printable_code_point(byte: Whole) -> int:
    """The code point of the character that stands for a byte.

        printable(x) = {256 + x if x ≤ 32; x if x ≤ 126; 162 + x if x ≤ 160; 323 if x = 173; x else}

    Book: eq-printable. Source: Radford et al. (2019), "Language Models are Unsupervised Multitask Learners".

    >>> chr(printable_code_point(ord(" ")))
    'Ġ'
    """
    if byte <= 32:
        return 256 + byte
    if byte <= 126:
        return byte
    if byte <= 160:
        return 162 + byte
    return 323 if byte == 173 else byte


_CHARACTERS = [chr(printable_code_point(byte)) for byte in range(256)]
_BYTES = {character: byte for byte, character in enumerate(_CHARACTERS)}


@contract
def printable(token: bytes) -> str:
    """Write bytes as printable characters, one for each byte.

    >>> printable(" né".encode())
    'ĠnÃ©'
    """
    return "".join(_CHARACTERS[byte] for byte in token)


@contract
@requires(
    lambda text: set(text) <= _BYTES.keys(),
    "{text!r} holds a character that stands for no byte. Fix: pass what printable(...) wrote.",
)
def unprintable(text: str) -> bytes:
    """Read the bytes behind printable characters: the inverse of `printable`.

    >>> unprintable("ĠnÃ©").decode()
    ' né'
    """
    return bytes(_BYTES[character] for character in text)
