"""What all tokenizers promise: ids that the vocabulary gives to the tokens, and JSON that loses nothing."""

import json

import numpy as np
import pytest
from bad_input import assert_refused, refusals

from transformer_math.corpus import SENTENCE, moby_dick
from transformer_math.tokenization import (
    BPETokenizer,
    ByteBPETokenizer,
    ByteTokenizer,
    CharacterTokenizer,
    SentencePieceTokenizer,
    Tokenizer,
    Unigram,
    UnigramTokenizer,
    WordPieceTokenizer,
    WordTokenizer,
    from_json,
    to_json,
)
from transformer_math.tokenization.tokenizers import _require_names

TEXT = moby_dick()[5000:25_000]
OTHER = "Ἀχιλλεύς 😊 — a *whale*\tof  1851,\n\nnaïve: don't!"
# kind → what may be lost: how far a text comes back
KINDS = {
    CharacterTokenizer: "known characters",
    WordTokenizer: "known words",
    ByteTokenizer: "everything",
    BPETokenizer: "known characters",
    ByteBPETokenizer: "everything",
    UnigramTokenizer: "everything",
    SentencePieceTokenizer: "everything",
    WordPieceTokenizer: "known words",
}


@pytest.fixture(
    scope="module", params=Tokenizer.__subclasses__(), ids=lambda k: k.__name__
)
def tokenizer(request):
    return request.param.train(TEXT, 400)


def test_ids_are_those_of_the_tokens(tokenizer):
    vocabulary = tokenizer.vocabulary
    for text in (SENTENCE, OTHER, "[UNK] [PAD] <|endoftext|>"):
        tokens = tokenizer.tokenize(text)
        assert tokens
        assert [vocabulary[token] for token in tokens] == list(tokenizer.encode(text))


@pytest.mark.parametrize("bad", [None, 5, b"ab", ["a", "b"], np.array(["a"])], ids=repr)
def test_what_is_no_text_is_refused(tokenizer, bad, a_readers_notebook):
    for taking in (tokenizer.encode, tokenizer.tokenize, tokenizer.offsets):
        with pytest.raises(ValueError, match=r"wanted a str.*Fix: \S"):
            taking(bad)


@pytest.mark.parametrize("bad", [None, 3, [1.5], ["a"], [10**9]], ids=repr)
def test_what_are_no_ids_is_refused(tokenizer, bad, a_readers_notebook):
    with pytest.raises(ValueError, match=r"Fix: \S"):
        tokenizer.decode(bad)


def test_what_is_no_list_of_texts_is_refused(tokenizer, a_readers_notebook):
    for bad in (None, 3, "ab", [None]):
        with pytest.raises(ValueError, match=r"wanted .*Fix: \S"):
            tokenizer.encode_batch(bad)


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.__name__)
@pytest.mark.parametrize(
    "bad",
    [
        (None, 400),
        (5, 400),
        (b"ab", 400),
        ("", 400),
        ("ab ab", None),
        ("ab ab", "x"),
        ("ab ab", 0),
    ],
    ids=repr,
)
def test_nothing_is_learnt_from_what_is_no_text_or_no_size(
    kind, bad, a_readers_notebook
):
    with pytest.raises(ValueError, match=r"wanted .*Fix: \S"):
        kind.train(*bad)


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k.__name__)
def test_half_of_a_character_is_not_learnt(kind, a_readers_notebook):
    assert_refused(lambda: kind.train("low \ud800 lower", 400), ("surrogate",))


def test_the_vocabulary_numbers_each_token_once(tokenizer):
    ids = sorted(tokenizer.vocabulary.values())
    assert ids == list(range(len(ids)))
    assert len(ids) <= 400
    assert tokenizer.unknown is None or tokenizer.unknown in tokenizer.vocabulary


def test_every_byte_has_its_two_digits():
    digits = "0123456789abcdef"
    wanted = {
        a + b: 16 * i + j for i, a in enumerate(digits) for j, b in enumerate(digits)
    }
    assert ByteTokenizer().vocabulary == wanted


def test_bytes_need_no_more_than_themselves():
    assert (
        ByteTokenizer.train("abc", 256) == ByteTokenizer.train("abc") == ByteTokenizer()
    )


def test_json_is_for_people_to_read_too():
    assert '"é"' in to_json(BPETokenizer.train("é", 2))


def test_json_makes_an_equal_tokenizer(tokenizer):
    text = to_json(tokenizer)
    again = from_json(text)
    assert again == tokenizer
    assert to_json(again) == text  # the order of merges too
    assert json.loads(text)["type"] == type(tokenizer).__name__
    for one in (SENTENCE, OTHER):
        assert again.encode(one) == tokenizer.encode(one)
        assert again.decode(again.encode(one)) == tokenizer.decode(
            tokenizer.encode(one)
        )


@pytest.mark.parametrize("kind", KINDS)
def test_what_comes_back(kind):
    tokenizer = kind.train(TEXT, 3000)
    known = "".join(np.random.default_rng(0).choice(sorted(set(TEXT)), 300))
    if KINDS[kind] == "known words":
        assert tokenizer.decode(tokenizer.encode("the  whale.")) == "the whale ."
        return
    assert tokenizer.decode(tokenizer.encode(known)) == known
    came_back = tokenizer.decode(tokenizer.encode(OTHER)) == OTHER
    assert came_back == (KINDS[kind] == "everything")


def test_an_unknown_character_is_one_unknown_token():
    tokenizer = BPETokenizer.train("low lower low", 9)
    assert tokenizer.tokenize("lowé😊low") == ["low", "[UNK]", "[UNK]", "low"]
    assert tokenizer.encode("é") == [0]


def test_the_most_frequent_stay():
    tokenizer = WordTokenizer.train("b b a c c d", 4)
    assert tokenizer.vocabulary == {"[UNK]": 0, "a": 1, "b": 2, "c": 3}


def test_special_tokens_come_last_and_count():
    tokenizer = ByteBPETokenizer.train(TEXT, 300, ["<|a|>", "<|b|>"])
    assert tokenizer.specials == {"<|a|>": 298, "<|b|>": 299}
    assert len(tokenizer.vocabulary) == 300
    assert from_json(to_json(tokenizer)) == tokenizer


@refusals(
    ("no text", lambda: ByteBPETokenizer.train("", 300), ("empty",)),
    (
        "a number as a special token",
        lambda: _require_names([1]),  # the tests' type checker is quicker than training
        ("specials holds [1]", "names"),
    ),
    (
        "a special token without a name",
        lambda: ByteBPETokenizer.train("hi", 300, specials=["<|a|>", ""]),
        ("specials holds ['']", "at least one character"),
    ),
    (
        "a special token twice",
        lambda: ByteBPETokenizer.train("hi", 300, specials=["<|a|>", "<|a|>"]),
        ("'<|a|>'", "more than once", "dict.fromkeys"),
    ),
    (
        "one name for a list",
        lambda: ByteBPETokenizer.train("hi", 300, specials="<|a|>"),
        ("specials is one text, '<|a|>'", "[specials]"),
    ),
    ("no text for words", lambda: WordTokenizer.train("", 300), ("empty",)),
    ("no word", lambda: WordTokenizer.train(" \n", 300), ("no word",)),
    ("fewer than bytes", lambda: ByteBPETokenizer.train("abc", 255), ("255", "256")),
    ("fewer than all bytes", lambda: ByteTokenizer.train("abc", 255), ("255", "256")),
    ("fewer than letters", lambda: BPETokenizer.train("abc", 3), ("3", "4 symbols")),
    ("no vocabulary", lambda: CharacterTokenizer.train("abc", 0), ("vocab_size is 0",)),
    ("a long number", lambda: from_json("1" * 5000), ("5000 digits", "1" * 20)),
    ("no JSON", lambda: from_json("{"), ("no JSON", "whole file")),
    ("another type", lambda: from_json('{"type": "list"}'), ("'list'", "BPETokenizer")),
    ("a list", lambda: from_json("[1]"), ("None", "BPETokenizer")),
    (
        "an entry twice",
        lambda: from_json('{"type": "a", "type": "ByteTokenizer"}'),
        ("two entries", "'type'"),
    ),
    (
        "a piece that is called like a byte",
        lambda: from_json(
            to_json(UnigramTokenizer(Unigram(("a", "<0x41>"), np.log([0.5, 0.5]))))
        ),
        ("['<0x41>'] are bytes",),
    ),
)
def test_bad_input(call, words):
    assert_refused(call, words)


def test_an_early_end_without_pairs():
    assert len(ByteBPETokenizer.train("aaaa", 400).vocabulary) == 258
    assert BPETokenizer.train("a", 400).vocabulary == {"[UNK]": 0, "a": 1}


@pytest.mark.parametrize(
    ("kind", "options", "usual"),
    [
        (BPETokenizer, {}, {"dropout": 0.1}),
        (ByteBPETokenizer, {}, {"dropout": 0.1}),
        (UnigramTokenizer, {}, {"temperature": 1.0}),
        (SentencePieceTokenizer, {}, {"dropout": 0.1}),
        (SentencePieceTokenizer, {"inside": "unigram"}, {"temperature": 1.0}),
    ],
)
def test_cuts_are_drawn_with_a_dropout_of_a_tenth_or_as_they_are_probable(
    kind, options, usual
):
    text = moby_dick()[5000:7000]
    tokenizer = kind.train(text, 400, **options)
    drawn = tokenizer.sample(text, np.random.default_rng(0))
    assert drawn == tokenizer.sample(text, np.random.default_rng(0), **usual)
    assert drawn != tokenizer.encode(text)
