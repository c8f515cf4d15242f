from bad_input import assert_refused, refusals

from transformer_math.tokenization import (
    build_vocabulary,
    characters,
    ids_to_tokens,
    tokens_to_ids,
    unknown_share,
    utf8_bytes,
    utf8_decode,
    utf8_encode,
    words,
)


def test_ids_lead_back_to_tokens():
    tokens = words("Hello, world! Hello?")
    vocabulary = build_vocabulary(tokens)
    assert ids_to_tokens(tokens_to_ids(tokens, vocabulary), vocabulary) == tokens


def test_an_unknown_word_becomes_unk():
    vocabulary = build_vocabulary(["cat"], specials=["[PAD]", "[UNK]"])
    assert tokens_to_ids(["cat", "dog"], vocabulary) == [2, 1]


def test_every_unicode_character_is_written_as_cpython_writes_it():
    for code_point in [*range(0xD800), *range(0xE000, 0x110000, 101)]:
        assert bytes(utf8_bytes(code_point)) == chr(code_point).encode("utf-8")


def test_text_comes_back():
    assert utf8_decode(utf8_encode("Hello 😊")) == "Hello 😊"


def test_a_vocabulary_numbers_every_token_once():
    vocabulary = build_vocabulary(["b", "[UNK]", "a"], specials=["[PAD]", "[UNK]"])
    assert vocabulary == {"[PAD]": 0, "[UNK]": 1, "a": 2, "b": 3}


@refusals(
    (
        "a special token twice",
        lambda: build_vocabulary(["a"], ["[UNK]", "[UNK]"]),
        ("twice", "[UNK]"),
    ),
    ("tokens that are numbers", lambda: build_vocabulary([1, 2]), ("wanted texts",)),
    ("numbers, one by one", lambda: build_vocabulary(iter([1])), ("hold 1", "texts")),
    ("a share of nothing", lambda: unknown_share([], 0), ("no ids", "some text")),
    (
        "tokens as a text",
        lambda: build_vocabulary("to see"),
        ("tokens is one text, 'to see'", "[tokens]"),
    ),
    (
        "a special token alone",
        lambda: build_vocabulary(["a"], "[UNK]"),
        ("specials is one text, '[UNK]'", "[specials]"),
    ),
    ("ids as a text", lambda: unknown_share("ab", 3), ("'ab'", "whole numbers")),
    ("tokens as a number", lambda: build_vocabulary(3), ("tokens is 3",)),
    (
        "ids as fractions",
        lambda: ids_to_tokens([0.0], {"a": 0}),
        ("0.0", "whole numbers"),
    ),
    ("ids as truth values", lambda: ids_to_tokens([True], {"a": 0}), ("True",)),
    (
        "a vocabulary with a gap",
        lambda: ids_to_tokens([0], {"a": 0, "b": 2}),
        ("0, 1, 2",),
    ),
    ("a code point as a fraction", lambda: utf8_bytes(65.0), ("code_point is 65.0",)),
    ("a character, no code point", lambda: utf8_bytes("A"), ("code_point is 'A'",)),
    ("bytes out of range", lambda: utf8_decode([256]), ("256", "0..255")),
    ("negative bytes", lambda: utf8_decode([-1]), ("-1",)),
    ("bytes, no text", lambda: characters(b"abc"), ("text is b'abc'",)),
    ("half a character", lambda: utf8_encode("\ud800"), ("0xd800",)),
    ("surrogate", lambda: utf8_bytes(0xD800), ("0xd800", "no Unicode character")),
    ("last surrogate", lambda: utf8_bytes(0xDFFF), ("0xdfff", "no Unicode character")),
    ("too large", lambda: utf8_bytes(0x110000), ("0x110000",)),
    ("negative", lambda: utf8_bytes(-1), ("-0x1",)),
    ("empty text", lambda: characters(""), ("empty",)),
    ("no words", lambda: words(" \n"), ("no word",)),
    ("no tokens", lambda: build_vocabulary([]), ("no tokens",)),
    ("unknown token", lambda: tokens_to_ids(["x"], {"a": 0}), ("'x'", "[UNK]")),
    ("id outside", lambda: ids_to_tokens([3], {"a": 0}), ("3", "0..0")),
)
def test_bad_input(call, words):
    assert_refused(call, words)
