"""Bytes as printable characters: GPT-2's own table, both ways."""

from bad_input import assert_refused, refusals

from transformer_math.tokenization import (
    printable,
    printable_code_point,
    unprintable,
)


def test_the_table_is_gpt2s():
    """Visible characters of Latin-1 stand for themselves; the other bytes, in order, for 256, 257, …"""
    visible = {*range(33, 127), *range(161, 173), *range(174, 256)}
    others = [byte for byte in range(256) if byte not in visible]
    wanted = [b if b in visible else 256 + others.index(b) for b in range(256)]
    assert [printable_code_point(byte) for byte in range(256)] == wanted


def test_all_bytes_come_back():
    assert unprintable(printable(bytes(range(256)))) == bytes(range(256))


@refusals(
    ("no byte", lambda: printable_code_point(256), ("256 is no byte",)),
    ("below 0", lambda: printable_code_point(-1), ("-1 is no byte",)),
    ("a space", lambda: unprintable("a b"), ("'a b'", "no byte")),
)
def test_bad_input(call, words):
    assert_refused(call, words)
