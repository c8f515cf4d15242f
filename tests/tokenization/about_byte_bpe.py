"""What the tests of all ideas ask of `tokenization/byte_bpe`."""

from functools import reduce

from transformer_math.tokenization import (
    LLAMA3_PATTERN,
    decode_text,
    encode_text,
    written_chunks,
)

EXAMPLES = {written_chunks: {"text": "to be", "pattern": LLAMA3_PATTERN}}

ACCEPTED = {
    encode_text: {"text": {"empty"}},
    written_chunks: {"text": {"empty"}},
}

RIGHT = [
    (
        decode_text,
        lambda ids, bpe: bytes(b for i in ids for b in bpe.tokens[i]).decode(
            errors="replace"
        ),
    ),
    (
        decode_text,
        lambda ids, bpe: reduce(
            lambda a, b: a + b, (bpe.tokens[i] for i in ids), b""
        ).decode("utf-8", "replace"),
    ),
]

WRONG = [
    (decode_text, lambda ids, bpe: [bpe.tokens[i] for i in ids], "it gave"),
    (decode_text, lambda ids, bpe: b"".join(bpe.tokens[i] for i in ids), "it gave"),
    (decode_text, lambda ids, bpe: decode_text(ids[::-1], bpe), "it gave"),
    (decode_text, lambda ids, bpe: decode_text(ids, bpe).strip(), "it gave"),
    (decode_text, lambda ids, bpe: decode_text(ids[:-1], bpe), "it gave"),
]
