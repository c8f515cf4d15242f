import numpy as np
import pytest
from bad_input import assert_refused, refusals

from transformer_math.checks.tokenization.bpe import huggingface_bpe, learnt
from transformer_math.corpus import moby_dick
from transformer_math.tokenization import (
    BPE,
    TOY_WORDS,
    chunk_counts,
    decode_bpe,
    decode_text,
    encode_bpe,
    encode_text,
    merge_pair,
    pair_counts,
    pretokenize,
    train_bpe,
    train_byte_bpe,
)


def test_real_text_learns_the_merges_of_huggingface():
    words = {
        chunk.strip(): count
        for chunk, count in chunk_counts(moby_dick()).items()
        if chunk.strip().isalpha()
    }
    bpe = train_bpe(words, vocab_size=600)
    tokens, merges = learnt(huggingface_bpe(words, 600))
    assert bpe.pairs() == merges
    assert list(bpe.tokens) == tokens


def test_ties_go_to_the_smallest_ids():
    assert train_bpe({"ab": 1, "cd": 1}, vocab_size=5).pairs() == [("a", "b")]


def test_a_token_reached_by_two_merges_keeps_one_id():
    # the alphabet holds a token of two symbols already: merging them must not make a second one
    bpe = train_bpe({"ab": 5, "abc": 2}, vocab_size=6, alphabet=["a", "b", "c", "ab"])
    assert bpe.tokens == ("a", "b", "c", "ab", "abc")
    assert bpe.merges == {(0, 1): 3, (3, 2): 4}


def test_training_stops_when_no_pair_is_left():
    bpe = train_bpe({"ab": 2}, vocab_size=50)
    assert bpe.tokens == ("a", "b", "ab")


def test_the_toy_corpus_has_a_tie_of_three():
    counts = pair_counts(TOY_WORDS)
    assert (
        counts["l", "o"] == counts["o", "w"] == counts["w", "e"] == max(counts.values())
    )
    assert train_bpe(TOY_WORDS, vocab_size=12).pairs() == [("l", "o"), ("w", "e")]


def test_merging_goes_from_left_to_right():
    assert merge_pair(list("aaaa"), ("a", "a"), "aa") == ["aa", "aa"]
    assert merge_pair(list("aaa"), ("a", "a"), "aa") == ["aa", "a"]


def test_every_unicode_string_comes_back():
    bpe = train_byte_bpe(moby_dick()[:20_000], vocab_size=400)
    for text in (
        "Hello 😊",
        " \t\n  x",
        "e\u0301\u0000\U0010ffff",
        "".join(map(chr, range(1, 3000, 7))),
    ):
        assert decode_text(encode_text(text, bpe), bpe) == text


def test_a_cut_character_is_shown_as_such():
    bpe = train_byte_bpe("x", vocab_size=256)
    assert decode_text(encode_text("😊", bpe)[:-1], bpe) == "\ufffd"


def test_chunks_are_the_text():
    rng = np.random.default_rng(1)
    for _ in range(200):
        text = "".join(rng.choice(list("ab1_ .,'\n\té😊"), size=rng.integers(1, 40)))
        assert "".join(pretokenize(text)) == text


abc = train_bpe({"abc": 1}, vocab_size=3)


def test_a_single_token_is_enough():
    assert decode_bpe([0, 0], BPE(("a",), {})) == "aa"


@refusals(
    ("a number for a word", lambda: pair_counts({1: 2}), ("the word 1", "a text")),
    (
        "one text for chunks",
        lambda: encode_bpe("abc", abc),
        ("chunks is one text", "[chunks]"),
    ),
    ("bytes to a BPE of letters", lambda: encode_bpe([b"abc"], abc), ("b'a'",)),
    ("chunks that are numbers", lambda: encode_bpe([3], abc), ("holds 3",)),
    ("numbers, one by one", lambda: encode_bpe(iter([3]), abc), ("hold 3", "texts")),
    ("a count of 0", lambda: train_bpe({"abc": 0}, 5), ("counts",)),
    ("a negative count", lambda: pair_counts({"abc": -2}), ("counts", "at least 1")),
    ("a count that is a fraction", lambda: pair_counts({"abc": 0.5}), ("counts",)),
    ("texts and bytes", lambda: train_bpe({"a": 1, b"b": 1}, 5), ("bytes", "str")),
    (
        "an alphabet with a double",
        lambda: train_bpe({"ab": 1}, 5, alphabet="aab"),
        ("twice",),
    ),
    (
        "an alphabet with an empty symbol",
        lambda: train_bpe({"a": 1}, 5, alphabet=["a", ""]),
        ("alphabet holds ['']", "str", "leave these out"),
    ),
    (
        "an alphabet with a number",
        lambda: train_bpe({"a": 1}, 5, alphabet=["a", 1]),
        ("alphabet holds [1]", "str"),
    ),
    (
        "an alphabet with a list",
        lambda: train_bpe({"a": 1}, 5, alphabet=["a", ["b"]]),
        ("alphabet holds [['b']]", "str"),
    ),
    (
        "an alphabet of letters for bytes",
        lambda: train_bpe({b"a": 1}, 5, alphabet=[b"a", "b"]),
        ("alphabet holds ['b']", "bytes"),
    ),
    (
        "a fraction of a vocabulary",
        lambda: train_bpe({"ab": 1}, 2.5),
        ("vocab_size is 2.5",),
    ),
    (
        "a list of words",
        lambda: train_bpe(["ab"], 5),
        ("word_counts is a list", "dictionary"),
    ),
    (
        "half a character",
        lambda: encode_text("\ud800", train_byte_bpe("hi", 256)),
        ("surrogate",),
    ),
    ("a BPE without tokens", lambda: decode_bpe([], BPE((), {})), ("no tokens",)),
    (
        "a pair of three",
        lambda: merge_pair(["a"], ("a", "b", "c"), "abc"),
        ("two tokens",),
    ),
    (
        "ids that are fractions",
        lambda: decode_bpe([0.0], abc),
        ("0.0", "whole numbers"),
    ),
    (
        "vocabulary smaller than the alphabet",
        lambda: train_bpe({"abc": 1}, vocab_size=2),
        ("2", "3 symbols"),
    ),
    (
        "fewer tokens than bytes",
        lambda: train_byte_bpe("abc", vocab_size=200),
        ("200", "256"),
    ),
    ("no words", lambda: train_bpe({}, vocab_size=5), ("no word",)),
    ("empty text", lambda: train_byte_bpe("", vocab_size=300), ("empty",)),
    (
        "unknown character",
        lambda: encode_bpe(["xyz"], train_bpe({"abc": 1}, vocab_size=3)),
        ("'x'", "vocabulary"),
    ),
    (
        "alphabet too small",
        lambda: train_bpe({"abc": 1}, vocab_size=9, alphabet=["a"]),
        ("lacks", "'b'"),
    ),
    ("id outside", lambda: decode_bpe([7], BPE(("a",), {})), ("7", "0..0")),
    ("negative id", lambda: decode_bpe([-1], BPE(("a",), {})), ("-1",)),
)
def test_bad_input(call, words):
    assert_refused(call, words)


def test_words_are_not_changed_by_training():
    corpus = dict(TOY_WORDS)
    train_bpe(corpus, vocab_size=14)
    assert corpus == TOY_WORDS


@pytest.mark.parametrize("vocab_size", [10, 11, 15, 20])
def test_the_vocabulary_has_the_size_asked_for(vocab_size):
    assert len(train_bpe(TOY_WORDS, vocab_size).tokens) == vocab_size
