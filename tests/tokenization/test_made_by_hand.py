"""A tokenizer that is made by hand is held to what is asked of a file."""

import numpy as np
import pytest
from bad_input import assert_refused, refusals

from transformer_math.tokenization import (
    ALL_BYTES,
    BPE,
    BPETokenizer,
    ByteBPETokenizer,
    CharacterTokenizer,
    SentencePieceTokenizer,
    Unigram,
    UnigramTokenizer,
    WordPiece,
    WordPieceTokenizer,
    WordTokenizer,
    decode_word_piece,
    encode_bpe,
    encode_text,
    encode_with_dropout,
    encode_word_piece,
    ids_to_tokens,
    train_sentencepiece,
)

EQUAL = WordPiece({"[UNK]": 0, "a": 1, "b": 1})
TEXTS = WordPiece({"[UNK]": 0, "a": "y"})
NUMBERED = ("0, 1, 2", "build_vocabulary")
model = train_sentencepiece("hi hi", 264)


@pytest.mark.parametrize(
    ("bpe", "words"),
    [
        (BPE(("a", "b"), {(0, 1): 7}), ("(0, 1) → 7", "0..1")),
        (BPE(("a", "b"), {(0, -1): 1}), ("(0, -1) → 1", "0..1")),
        (BPE(("a", "b", "ab"), {(0, 1): 2.0}), ("2.0", "three ids")),
        (BPE(("a", "b", "ab"), {0: 2}), ("0 → 2", "three ids")),
        (BPE(("a", "b", "zz"), {(0, 1): 2}), ("'a' and 'b' into 'zz'",)),
        (BPE(("a", "b", "a"), {}), ("'a' twice",)),
        (BPE(("a", b"b"), {}), ("bytes", "str")),
    ],
    ids=repr,
)
def test_what_is_no_bpe_encodes_nothing(bpe, words):
    assert_refused(lambda: encode_bpe(["ab"], bpe), words)
    assert_refused(
        lambda: encode_with_dropout("ab", bpe, np.random.default_rng(0)), words
    )


@refusals(
    ("characters", lambda: CharacterTokenizer({"a": "x", "[UNK]": 0}), ("'x'",)),
    ("no unknown", lambda: CharacterTokenizer({"a": 0}), ("there is no", "[UNK]")),
    ("words", lambda: WordTokenizer({"a": 3, "[UNK]": 0}), ("gaps",)),
    ("words twice", lambda: WordTokenizer({"a": 0, "[UNK]": 0}), ("id 0 twice",)),
    (
        "no merge",
        lambda: BPETokenizer(BPE(("[UNK]", "a", "b"), {(1, 2): 7})),
        ("(1, 2) → 7",),
    ),
    ("no unknown token", lambda: BPETokenizer(BPE(("a",), {})), ("lack", "[UNK]")),
    (
        "a token twice",
        lambda: BPETokenizer(BPE(("[UNK]", "a", "a"), {})),
        ("'a' twice",),
    ),
    (
        "merges of bytes",
        lambda: ByteBPETokenizer(BPE((*ALL_BYTES, b"hi"), {(104, 106): 256})),
        ("(104, 106) → 256", "b'hi'"),
    ),
    ("missing bytes", lambda: ByteBPETokenizer(BPE((b"a",), {})), ("255 of the 256",)),
    (
        "a pattern",
        lambda: ByteBPETokenizer(BPE(tuple(ALL_BYTES), {}), pattern="("),
        ("cannot be read",),
    ),
    (
        "half of a character",
        lambda: UnigramTokenizer(Unigram(("\ud800",), np.zeros(1))),
        ("written",),
    ),
    (
        "too few scores",
        lambda: UnigramTokenizer(Unigram(("a", "b"), np.zeros(1))),
        ("2 numbers",),
    ),
    (
        "a byte",
        lambda: UnigramTokenizer(Unigram(("<0x41>",), np.zeros(1))),
        ("are bytes",),
    ),
    (
        "a piece twice",
        lambda: SentencePieceTokenizer(
            model._replace(pieces=(*model.pieces[:-1], model.pieces[-2]))
        ),
        ("twice",),
    ),
    (
        "no unknown piece",
        lambda: SentencePieceTokenizer(model._replace(kinds=(1,) * len(model.pieces))),
        ("no unknown piece",),
    ),
    ("equal ids", lambda: WordPieceTokenizer(EQUAL), ("id 1 twice",)),
    ("texts for ids", lambda: WordPieceTokenizer(TEXTS), ("'y'",)),
    (
        "no longest word",
        lambda: WordPieceTokenizer(WordPiece({"[UNK]": 0}, longest_word=0)),
        ("longest_word is 0",),
    ),
    ("equal ids of pieces", lambda: encode_word_piece(["a", "b"], EQUAL), NUMBERED),
    ("texts for ids of pieces", lambda: encode_word_piece(["a"], TEXTS), NUMBERED),
    ("a text of pieces", lambda: decode_word_piece([0], TEXTS), NUMBERED),
    ("tokens", lambda: ids_to_tokens([0], {"a": 0, "b": "y"}), NUMBERED),
    (
        "a text",
        lambda: encode_text("hi", BPE((*ALL_BYTES, b"hi"), {(104, 106): 256})),
        ("(104, 106) → 256",),
    ),
)
def test_what_is_no_tokenizer_is_refused(call, words, a_readers_notebook):
    assert_refused(call, words)
