"""Checks of byte-level BPE: the same merges as Hugging Face, and every text comes back."""

import unicodedata

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.tokenization.bpe import huggingface_bpe, learnt
from transformer_math.checks.tokenization.utf8 import random_code_point
from transformer_math.tokenization.bpe import BPE, encode_bpe
from transformer_math.tokenization.byte_bpe import (
    ALL_BYTES,
    encode_text,
    train_byte_bpe,
)
from transformer_math.tokenization.pretokenization import chunk_counts


def random_text(rng):
    """English, white space of all sorts, and characters from anywhere in Unicode."""
    pieces = [
        "the",
        " the",
        " then",
        "an",
        " and",
        "  ",
        "\n",
        " 42",
        "!",
        "é",
        "e\u0301",
        "ﬁ",
        "😊",
        "\u00a0",
    ]
    text = "".join(rng.choice(pieces, size=rng.integers(1, 40)))
    return text + "".join(chr(random_code_point(rng)) for _ in range(rng.integers(6)))


def as_latin_1(chunk):
    """Bytes as characters with the same numbers, so that a trainer for characters sees bytes in the same order."""
    return chunk.encode("utf-8").decode("latin-1")


@check(
    train_byte_bpe,
    equation="eq-bpe-train",
    oracle="the trainer of Hugging Face tokenizers, fed with bytes",
    cases=40,
)
def byte_bpe_equals_huggingface(train_byte_bpe, rng):
    text, merges = random_text(rng) * 2, int(rng.integers(1, 12))
    bpe = train_byte_bpe(text, vocab_size=256 + merges)
    corpus = {as_latin_1(chunk): count for chunk, count in chunk_counts(text).items()}
    known = len({c for chunk in corpus for c in chunk})
    _, wanted = learnt(
        huggingface_bpe(corpus, vocab_size=known + len(bpe.tokens) - 256)
    )
    return difference(
        [(a.decode("latin-1"), b.decode("latin-1")) for a, b in bpe.pairs()], wanted
    )


@byte_bpe_equals_huggingface.rejects(
    "You train on characters; wanted the bytes of their UTF-8."
)
def on_latin_characters(text, vocab_size):
    return train_byte_bpe(text.encode("ascii", "replace").decode(), vocab_size)


@byte_bpe_equals_huggingface.rejects(
    "Your merges cross the borders of chunks: cut the text first, count pairs inside each chunk."
)
def without_chunks(text, vocab_size):
    return train_byte_bpe(text.replace(" ", "x"), vocab_size)


@check(
    encode_text,
    equation="eq-lossless",
    oracle="the text that went in, read back by CPython's codec",
    cases=200,
)
def encoding_is_lossless(encode_text, rng):
    bpe = train_byte_bpe(random_text(rng), vocab_size=256 + int(rng.integers(20)))
    text = random_text(rng)
    return difference(
        b"".join(bpe.tokens[i] for i in encode_text(text, bpe)).decode(
            "utf-8", "replace"
        ),
        text,
    )


@encoding_is_lossless.rejects(
    "You drop or fold white space: two spaces are two characters."
)
def words_only(text, bpe):
    return encode_text(" ".join(text.split()) or " ", bpe)


@encoding_is_lossless.rejects(
    "You normalise the text first: “é” and “e” with an accent to follow are different strings."
)
def normalised(text, bpe):
    return encode_text(unicodedata.normalize("NFKC", text), bpe)


@encoding_is_lossless.rejects("You replace what is not ASCII: bytes can write it.")
def ascii_only(text, bpe):
    return encode_text(text.encode("ascii", "replace").decode(), bpe)


@encoding_is_lossless.rejects(
    "You write each character as one byte; UTF-8 takes up to four."
)
def one_byte_each(text, bpe):
    return encode_bpe(
        [bytes(min(ord(c), 255) for c in text)], BPE(tuple(ALL_BYTES), {})
    )
