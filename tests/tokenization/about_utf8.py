"""What the tests of all ideas ask of `tokenization/utf8`."""

from transformer_math.tokenization import utf8_bytes, utf8_decode, utf8_encode

EXAMPLES = {
    utf8_decode: {"units": [72, 105]},
    utf8_encode: {"text": "Hé"},
}

ACCEPTED = {
    utf8_bytes: {"code_point": {"0"}},
    utf8_encode: {"text": {"empty"}},
}

RIGHT = [
    (utf8_bytes, lambda code_point: list(chr(code_point).encode())),
    (utf8_bytes, lambda c: bytes(utf8_bytes(c))),
]

WRONG = [
    (utf8_bytes, lambda c: [c], "it gave"),
    (
        utf8_bytes,
        lambda c: [hex(b) for b in utf8_bytes(c)],
        "Your function returns a list",
    ),
    (utf8_bytes, lambda c: list(chr(c).encode("utf-16-le")), "it gave"),
    (utf8_bytes, lambda c: utf8_bytes(c)[:3], "it gave"),
    (utf8_bytes, lambda c: chr(c), "returns a text; wanted a list"),
]
