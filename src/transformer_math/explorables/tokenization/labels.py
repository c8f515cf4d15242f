"""Tokens as a reader sees them: white space, marks without a letter and signs that cannot be seen get a picture or a number."""

import unicodedata

_SHOWN = {" ": "␣", "\n": "⏎", "\t": "⇥"}


def visible(text: str) -> str:
    """A text in which every character can be seen; `encoders/labels.js` writes the same.

    >>> visible(" a\\n\\u200d"), visible("\\u0301")
    ('␣a⏎U+200D', '◌́')
    """
    accent = unicodedata.category(text[:1] or " ")[0] == "M"
    return ("◌" if accent and not _hidden(text[0]) else "") + "".join(
        _SHOWN.get(c) or (f"U+{ord(c):04X}" if _hidden(c) else c) for c in text
    )


def visible_bytes(token: bytes) -> str:
    """Bytes as text, or, where they are none by themselves, each by its number.

    >>> visible_bytes(b" sea"), visible_bytes(b"\\xf0\\x9f")
    ('␣sea', '<0xF0><0x9F>')
    """
    try:
        return visible(token.decode("utf-8"))
    except UnicodeDecodeError:
        return named_bytes(token)


def named_bytes(token: bytes) -> str:
    """Each byte by its number, as SentencePiece writes it.

    >>> named_bytes(b"a")
    '<0x61>'
    """
    return "".join(f"<0x{byte:02X}>" for byte in token)


def _hidden(character: str) -> bool:
    """Control and format characters, private and unassigned ones, white space, selectors of a variant."""
    selector = "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"  # fmt: skip
    return selector or unicodedata.category(character)[0] in "CZ"
