"""Real text, ten thousand odd ones, and the files that SentencePiece and this book read from each other."""

import io
import re
import struct
import tempfile
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
import sentencepiece
from bad_input import assert_refused, refusals

from transformer_math.checks.tokenization.byte_bpe import random_text
from transformer_math.corpus import SENTENCE, moby_dick
from transformer_math.tokenization import (
    PieceKind,
    SentencePiece,
    SentencePieceTokenizer,
    apply_charsmap,
    decode_sentence,
    encode_sentence,
    from_json,
    learn_merges,
    learn_probabilities,
    mark_spaces,
    merge_pieces,
    merge_pieces_with_dropout,
    normalise,
    read_sentencepiece,
    sentence_pieces,
    to_json,
    train_sentencepiece,
    words_within,
    write_sentencepiece,
)

TEXT = moby_dick()[:100_000]
ODD = list("▁ \n\t\0~abc\ufffd\ufeff\u0301ﬁｶﾞガ½Å가😊<>")
NFKC = (files("sentencepiece") / "package_data" / "nfkc.bin").read_bytes()


def odd_texts(count, seed, leave_out=""):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        text = random_text(rng) + "".join(rng.choice(ODD, size=rng.integers(8)))
        yield text.replace(leave_out, "") if leave_out else text


@cache
def ours(rules="identity", inside="bpe"):
    return train_sentencepiece(TEXT, 800, inside, rules)


def loaded(data):
    return sentencepiece.SentencePieceProcessor(model_proto=data)


def scored(*scores):
    """A model of the pieces ▁ and a with these scores."""
    kinds = (PieceKind.UNKNOWN, PieceKind.NORMAL, PieceKind.NORMAL)
    return SentencePiece(("<unk>", "▁", "a"), (0.0, *scores), kinds)


def decoding_otherwise():
    """A file of the library whose model writes another letter for one that it decodes."""
    with tempfile.TemporaryDirectory() as folder:
        rules = Path(folder) / "rules.tsv"
        rules.write_text("61\t62\n")
        options = {"model_type": "bpe", "denormalization_rule_tsv": str(rules)}
        return trained_by_the_library(**options)


def trained_by_the_library(**options):
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXT.split("\n")),
        model_writer=written,
        vocab_size=700,
        num_threads=1,
        minloglevel=2,
        **options,
    )
    return written.getvalue()


@pytest.mark.parametrize(("inside", "count"), [("bpe", 10_000), ("unigram", 1000)])
def test_ten_thousand_texts_come_back(inside, count):
    model = ours(inside=inside)
    for text in odd_texts(count, seed=1):
        assert decode_sentence(encode_sentence(text, model), model) == text


@pytest.mark.parametrize(
    ("rules", "inside"),
    [("identity", "bpe"), (NFKC, "bpe"), ("identity", "unigram")],
    ids=["identity", "nfkc", "unigram"],
)
def test_our_file_encodes_in_sentencepiece_as_here(rules, inside):
    model = ours(rules, inside)
    theirs = loaded(write_sentencepiece(model))
    assert theirs.encode(SENTENCE, out_type=str) == sentence_pieces(SENTENCE, model)
    for text in odd_texts(300, seed=2, leave_out="▁"):
        ids = encode_sentence(text, model)
        assert theirs.encode(text) == ids
        assert theirs.decode(ids) == decode_sentence(ids, model)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"normalization_rule_name": "identity", "remove_extra_whitespaces": False},
        {"normalization_rule_name": "nfkc", "byte_fallback": True},
        {"normalization_rule_name": "nfkc_cf", "split_by_whitespace": False},
        {"model_type": "unigram", "byte_fallback": True},
        {"model_type": "unigram", "normalization_rule_name": "identity"},
        {"pad_id": 0, "unk_id": 3, "unk_piece": "??", "bos_id": -1},
    ],
    ids=str,
)
def test_a_file_of_sentencepiece_encodes_here_as_there(options):
    data = trained_by_the_library(**{"model_type": "bpe"} | options)
    theirs, model = loaded(data), read_sentencepiece(data)
    for text in odd_texts(250, seed=3, leave_out="▁"):
        ids = theirs.encode(text)
        assert encode_sentence(text, model) == ids
        assert decode_sentence(ids, model) == theirs.decode(ids)


def test_files_come_back_as_they_were():
    for model in (ours(), ours(NFKC), ours(inside="unigram")._replace(squeeze=True)):
        assert read_sentencepiece(write_sentencepiece(model)) == model


TRAINER = b"\x12\x08\x18\x01\x20\x88\x02\x98\x02\x01"
NORMALISER = b"\x1a\x12\x0a\x08identity\x12\0\x18\x01\x20\0\x28\x01"


def test_a_file_ends_with_its_settings_and_those_that_are_left_out_have_defaults():
    """Unigram, 264 pieces, bytes; no rules, ▁ in front and for spaces, nothing squeezed: numbers of the fields by hand."""
    model = train_sentencepiece("hi hit", 264, "unigram")
    data = write_sentencepiece(model)
    assert data.endswith(TRAINER + NORMALISER)
    bare = data.removesuffix(TRAINER + NORMALISER) + b"\x0a\x05\x0a\x03new"
    found = read_sentencepiece(bare)
    assert (found.inside, found.rules, found.squeeze) == ("unigram", "identity", True)
    assert (found.pieces[-1], found.scores[-1], found.kinds[-1]) == ("new", 0.0, 1)


def test_pieces_of_unigram_stand_in_order_and_none_is_special():
    model = train_sentencepiece("a<s>b a<s>b aaab", 280, "unigram")
    assert list(model.scores[259:]) == sorted(model.scores[259:], reverse=True)
    assert len(set(model.scores[259:])) > 2
    assert "<s>" not in sentence_pieces("a<s>b", model)


def test_a_piece_may_reach_across_a_space_by_its_end():
    kinds = (PieceKind.UNKNOWN, *[PieceKind.NORMAL] * 3)
    model = SentencePiece(("<unk>", "a▁", "a", "▁"), (0.0, -1.0, -2.0, -3.0), kinds)
    assert sentence_pieces("a a", model) == ["▁", "a▁", "a"]


def test_fields_of_other_kinds_are_passed_over():
    unknown = (
        b"\x5a\x7f"
        + b"x" * 127
        + b"\x51"
        + b"\0" * 8
        + b"\x5a\x02hi"
        + b"\x65abcd"
        + b"\x70\x96\x01"
    )
    data = write_sentencepiece(ours())
    assert read_sentencepiece(unknown + data + unknown) == ours()


def test_json_keeps_a_map_of_normalisation():
    tokenizer = SentencePieceTokenizer(ours(NFKC))
    assert from_json(to_json(tokenizer)) == tokenizer


def test_a_model_without_bytes_has_an_unknown_piece():
    data = trained_by_the_library(model_type="bpe", unk_piece="??")
    tokenizer = SentencePieceTokenizer(read_sentencepiece(data))
    assert tokenizer.unknown == "??"
    assert tokenizer.tokenize("the 😊😊 ▁") == ["▁the", "▁", "??"]
    assert SentencePieceTokenizer(ours()).unknown is None


def test_the_map_of_sentencepiece_normalises_as_there():
    theirs = sentencepiece.SentencePieceNormalizer(
        rule_name="nfkc",
        add_dummy_prefix=False,
        escape_whitespaces=False,
        remove_extra_whitespaces=False,
    )
    texts = list(odd_texts(400, seed=4))
    assert [normalise(text, NFKC) for text in texts] == theirs.normalize(texts)
    assert sum(normalise(text, NFKC) != text for text in texts) > 250
    assert apply_charsmap("ﬁ", b"") == "ﬁ"


def test_the_smallest_map_is_one_unit_long():
    nothing = (4).to_bytes(4, "little") + bytes(4)
    assert apply_charsmap("", nothing) == ""


def one_letter_map():
    """A map from a to b: from unit 0 the way is 0x100 ^ ord("a"), from there 1 to the value, the place of “b”."""
    units = [0] * 0x200
    units[0] = 0x100 << 10
    units[0x100 ^ ord("a")] = 1 << 10 | 1 << 8 | ord("a")
    units[0x100 ^ ord("a") ^ 1] = 1 << 31
    return struct.pack(f"<I{len(units)}I", 4 * len(units), *units) + b"b\0"


def test_a_map_of_one_letter_changes_that_letter_alone():
    assert apply_charsmap("é, xa", one_letter_map()) == "é, xb"


def test_a_map_whose_replacement_has_no_end_is_refused():
    with pytest.raises(ValueError, match=r"a key leads out of its replacements.*Fix:"):
        apply_charsmap("a", one_letter_map().removesuffix(b"\0"))


def test_the_pieces_stand_in_a_fixed_order():
    model = train_sentencepiece("aab aab ab", 263)
    assert model.pieces[:4] == ("<unk>", "<s>", "</s>", "<0x00>")
    assert model.pieces[258:] == ("<0xFF>", "ab", "a", "b", "▁")
    assert model.scores[-4:] == (0.0, -1.0, -2.0, -3.0)
    assert set(model.kinds[3:259]) == {PieceKind.BYTE}
    assert set(model.kinds[259:]) == {PieceKind.NORMAL}
    assert set(model.scores[:259]) == {0.0}


def test_rare_characters_are_left_to_the_bytes():
    text = "b" * 90 + "a" * 9 + "é"
    characters = {
        share: train_sentencepiece(text, 264, coverage=share).pieces[259:]
        for share in (0.001, 0.9, 0.98, 1.0)
    }
    assert {share: "".join(sorted(set("".join(p)))) for share, p in characters.items()} == {
        0.001: "b▁", 0.9: "ab▁", 0.98: "ab▁", 1.0: "abé▁",
    }  # fmt: skip


def test_what_covers_enough_is_enough():
    """Two of the four characters of “▁aab” are a."""
    pieces = train_sentencepiece("aab", 264, coverage=0.5).pieces[259:]
    assert set("".join(pieces)) == {"a", "▁"}
    assert "é" not in train_sentencepiece("ab " * 1000 + "é", 280).pieces


def test_training_cuts_where_kinds_of_signs_meet():
    pieces = train_sentencepiece("ab12,, " * 50 + "ab_c", 400).pieces[259:]
    assert {"ab", "▁ab", "12", ",,"} <= set(pieces)
    assert not {"ab1", "2,", "b_", "_c"} & set(pieces)
    assert not [piece for piece in pieces if "▁" in piece[1:]]


def test_a_mark_of_the_text_is_no_space():
    model = train_sentencepiece("a▁b a b", 270)
    assert not [piece for piece in model.pieces if "▁" in piece[1:]]
    assert "▁b" not in train_sentencepiece("a▁b a▁b", 270).pieces
    assert sentence_pieces("a▁b", model) == ["▁a", "<0xE2>", "<0x96>", "<0x81>", "b"]
    assert loaded(write_sentencepiece(model)).encode("a▁b", out_type=str) == [
        "▁a",
        "▁b",
    ]


def test_lines_are_trained_apart_and_the_end_of_a_line_is_a_byte():
    model = train_sentencepiece("ab\nab\nab", 400)
    assert sentence_pieces("ab\nab", model) == ["▁ab", "<0x0A>", "ab"]
    assert encode_sentence("", model) == []


def test_training_ends_early_where_no_pair_is_left():
    assert train_sentencepiece("aa", 400).pieces[259:] == ("aa", "▁aa", "a", "▁")


def test_the_smallest_vocabulary_has_the_characters_alone():
    for inside in ("bpe", "unigram"):
        pieces = train_sentencepiece("ab", 262, inside).pieces[259:]
        assert sorted(pieces) == ["a", "b", "▁"]


def test_one_piece_with_a_score_is_enough():
    model = scored(-np.inf, -1.0)
    assert read_sentencepiece(write_sentencepiece(model)) == model


def test_a_merge_is_passed_over_in_a_tenth_of_the_cases_where_nobody_says():
    def cuts(*dropout):
        rng = np.random.default_rng(0)
        return [merge_pieces_with_dropout("ab", {"ab": 0.0}, rng, *dropout) for _ in range(99)]  # fmt: skip

    assert cuts() == cuts(0.1) != cuts(0.2)


def test_merging_by_hand():
    scores = {"ab": -1.0, "bc": 0.0, "abc": -2.0}
    assert merge_pieces("abcab", scores) == ["abc", "ab"]
    assert merge_pieces("aaa", {"aa": 0.0}) == ["aa", "a"]
    assert merge_pieces("", scores) == []
    assert mark_spaces("") == "▁"


@refusals(
    ("a score in letters", lambda: merge_pieces("ab", {"ab": "1"}), ("no number",)),
    ("no text", lambda: train_sentencepiece("", 300), ("empty",)),
    ("no line", lambda: train_sentencepiece("\n", 300), ("no line",)),
    (
        "too small",
        lambda: train_sentencepiece("ab", 261),
        ("vocab_size is 261", "3 special", "3 characters", "262"),
    ),
    (
        "another algorithm",
        lambda: train_sentencepiece("ab", 300, inside="words"),
        ("'words'", "bpe"),
    ),
    ("other rules", lambda: normalise("ab", "nfd"), ("'nfd'", "nfkc")),
    ("a byte short", lambda: normalise("ab", b"\x08\0\0\0abcdefg"), ("11 bytes",)),
    ("half a map", lambda: normalise("ab", b"\x08\0\0\0ab"), ("map", "6 bytes")),
    ("a crooked map", lambda: normalise("ab", b"\x03\0\0\0abcd"), ("8 bytes",)),
    (
        "no whole number of units",
        lambda: normalise("ab", b"\x05\0\0\0abcde"),
        ("9 bytes",),
    ),
    ("an empty trie", lambda: normalise("ab", b"\0\0\0\0abcd"), ("8 bytes",)),
    ("a map of nothing", lambda: normalise("ab", b"ab"), ("map", "2 bytes")),
    ("half a character", lambda: encode_sentence("\ud800", ours()), ("surrogate",)),
    ("no id", lambda: decode_sentence([800], ours()), ("800", "0..799")),
    (
        "no map for a file",
        lambda: write_sentencepiece(ours()._replace(rules="nfkc")),
        ("compiled map", "charsmap"),
    ),
    ("no file", lambda: read_sentencepiece(b"hello"), ("no model",)),
    ("an empty file", lambda: read_sentencepiece(b""), ("no model",)),
    (
        "a torn file",
        lambda: read_sentencepiece(write_sentencepiece(ours())[:-1]),
        ("middle of a field",),
    ),
    ("half a value", lambda: read_sentencepiece(b"\x08\x80"), ("middle of a field",)),
    ("half a number", lambda: read_sentencepiece(b"\x80"), ("middle of a field",)),
    (
        "a group",
        lambda: read_sentencepiece(write_sentencepiece(ours()) + b"\x53\x01a"),
        ("middle of a field",),
    ),
    (
        "spaces as they are",
        lambda: read_sentencepiece(write_sentencepiece(ours())[:-1] + b"\0"),
        ("none for spaces",),
    ),
    (
        "words inside",
        lambda: read_sentencepiece(
            trained_by_the_library(model_type="char", hard_vocab_limit=False)
        ),
        ("algorithm", "bpe"),
    ),
    (
        "pieces of a user",
        lambda: read_sentencepiece(
            trained_by_the_library(model_type="bpe", user_defined_symbols="whale")
        ),
        ("user defined",),
    ),
    (
        "another text for what it decodes",
        lambda: read_sentencepiece(decoding_otherwise()),
        ("denormalization_rule_tsv",),
    ),
    (
        "squeezing that is neither true nor false",
        lambda: from_json(to_json(SentencePieceTokenizer(ours()._replace(squeeze=1)))),
        ("squeeze is 1", "true or false"),
    ),
    *(
        (
            f"no alphabet for {learn.__name__}",
            lambda learn=learn, second=second: learn(["▁hi"], second, []),
            ("the alphabet", "covering_alphabet"),
        )
        for learn, second in (
            (words_within, re.compile("▁")),
            (learn_merges, 5),
            (learn_probabilities, 5),
        )
    ),
    (
        "a piece twice",
        lambda: read_sentencepiece(
            write_sentencepiece(scored(0.0, -1.0)._replace(pieces=("<unk>", "a", "a")))
        ),
        ("'a' twice",),
    ),
    (
        "no piece that may be chosen",
        lambda: read_sentencepiece(write_sentencepiece(scored(-np.inf, -np.inf))),
        ("no piece with a score",),
    ),
    (
        "no mark in front",
        lambda: read_sentencepiece(
            trained_by_the_library(model_type="bpe", add_dummy_prefix=False)
        ),
        ("▁ in front",),
    ),
)
def test_bad_input(call, words):
    assert_refused(call, words)


def test_what_a_file_leaves_out_is_as_the_program_has_it():
    """A piece has the score 0 and is ordinary, Unigram is inside, spaces are squeezed."""
    least = b"\x0a\x09\x0a\x05<unk>\x18\x02" + b"\x0a\x03\x0a\x01a"
    model = read_sentencepiece(least)
    assert model == SentencePiece(
        ("<unk>", "a"), (0.0, 0.0), (2, 1), "unigram", "identity", True
    )


def test_fields_that_nobody_knows_are_passed_over():
    """Of eight bytes, of four, a whole number, and bytes: each is as long as it says."""
    data = write_sentencepiece(scored(0.0, -1.0))
    for unknown in (b"\x01" + bytes(8), b"\x05" + bytes(4), b"\x00\x80\x01", b"\x02\x03abc"):  # fmt: skip
        field = bytes([0xA0 | unknown[0], 6]) + unknown[1:]  # its number is 100
        assert read_sentencepiece(field + data) == read_sentencepiece(data)
