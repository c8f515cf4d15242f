"""Characters that were written as their bytes."""

import re


def text_of_bytes(byte_pieces: list[str]) -> str:
    """The characters that pieces such as <0xC3> spell in UTF-8; each byte that spells none becomes U+FFFD.

    >>> text_of_bytes(["<0xC3>", "<0xA9>", "<0x41>"])
    'éA'
    """
    written = bytes(int(piece[3:5], 16) for piece in byte_pieces)
    text = written.decode("utf-8", errors="surrogateescape")
    return re.sub("[\udc80-\udcff]", "\ufffd", text)
