"""What practitioners ask of a tokenizer, beside tiktoken, `regex`, Hugging Face and SentencePiece."""

import json
import unicodedata
from base64 import b64encode

import numpy as np
import pytest
import regex
import tiktoken
import tokenizers
from bad_input import assert_refused, refusals
from tokenizers import normalizers, pre_tokenizers

from transformer_math.corpus import moby_dick
from transformer_math.tokenization import (
    ALL_BYTES,
    CL100K_PATTERN,
    GPT2_PATTERN,
    LLAMA3_PATTERN,
    BPETokenizer,
    ByteBPETokenizer,
    SentencePieceTokenizer,
    Tokenizer,
    Unigram,
    UnigramTokenizer,
    WordPieceTokenizer,
    bert_words,
    bert_words_uncased,
    from_huggingface,
    from_json,
    from_tiktoken,
    from_vocab_and_merges,
    pretokenize,
    read_sentencepiece,
    to_huggingface,
    to_json,
    train_sentencepiece,
    write_sentencepiece,
)

TEXT = moby_dick()[5000:25_000]
WORDS = TEXT.split()[:500]
PATTERNS = {"gpt2": GPT2_PATTERN, "cl100k": CL100K_PATTERN, "llama3": LLAMA3_PATTERN}
OLD = unicodedata.ucd_3_2_0  # characters that every library's tables know alike
ANYWHERE = [
    character
    for character in map(chr, range(0x110000))
    if unicodedata.category(character) not in ("Cs", "Cn", "Co")
    and OLD.category(character) == unicodedata.category(character)
]
OFTEN = list(
    "aBé你ж白鲸が ß12²½_-.,!?'\"\n\t\0\x1c\x85 \u00a0\u200d\u3000\ufeff\ufffd  😊sſtmdrev'\r\n"
)


def texts(number, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(number):
        odd = [ANYWHERE[j] for j in rng.integers(len(ANYWHERE), size=2)]
        ends = [*rng.choice(OFTEN, 5)], [*rng.choice(OFTEN, 3)]
        yield "".join([*ends[0], " ", str(rng.choice(WORDS)), *odd, *ends[1]])


@pytest.mark.parametrize("name", PATTERNS)
def test_a_split_pattern_cuts_and_encodes_as_elsewhere(name):
    pattern = PATTERNS[name]
    ours = ByteBPETokenizer.train(TEXT, 400, ["<|end|>"], pattern)
    ranks = {token: i for i, token in enumerate(ours.bpe.tokens) if token}
    openai = tiktoken.Encoding(
        "ours", pat_str=pattern, mergeable_ranks=ranks, special_tokens={}
    )
    theirs = tokenizers.Tokenizer.from_str(to_huggingface(ours))
    theirs.encode_special_tokens = True
    for text in texts(500):
        ids = ours.encode(text)
        assert pretokenize(text, pattern) == regex.findall(pattern, text)
        assert ids == openai.encode_ordinary(text)
        found = theirs.encode(text, add_special_tokens=False)
        assert (ids, ours.offsets(text)) == (found.ids, found.offsets)
        assert ours.decode(ids) == text
    assert from_huggingface(to_huggingface(ours)) == ours
    assert from_json(to_json(ours)) == ours
    lines = [f"{b64encode(token).decode()} {i}" for token, i in ranks.items()]
    read = from_tiktoken("\n".join(lines), pattern, ours.specials)
    assert read == ours


def test_gpt2s_two_files():
    ours = ByteBPETokenizer.train(TEXT, 400, ["<|endoftext|>"])
    names = {number: name for name, number in ours.vocabulary.items()}
    lines = [f"{names[a]} {names[b]}" for a, b in ours.bpe.merges]
    files = json.dumps(dict(ours.vocabulary)), "\n".join(["#version: 0.2", *lines, ""])
    assert from_vocab_and_merges(*files) == ours


@pytest.mark.parametrize("kind", [WordPieceTokenizer, UnigramTokenizer, BPETokenizer])
def test_files_for_huggingface_encode_the_same_there(kind):
    ours = kind.train(TEXT, 600)
    theirs = tokenizers.Tokenizer.from_str(to_huggingface(ours))
    theirs.encode_special_tokens = True
    for text in texts(500, seed=1):
        found = theirs.encode(text, add_special_tokens=False)
        assert ours.encode(text) == found.ids
        assert ours.decode(found.ids) == theirs.decode(found.ids, False)
        if (
            kind is not UnigramTokenizer
        ):  # there a run of unknown characters has one span
            assert ours.offsets(text) == found.offsets


@pytest.mark.parametrize("kind", Tokenizer.__subclasses__(), ids=lambda k: k.__name__)
def test_batches_offsets_and_the_empty_text(kind):
    ours = kind.train(TEXT, 600)
    assert ours.encode("") == ours.offsets("") == ours.encode_batch([]) == []
    some = list(texts(50, seed=2))
    assert ours.encode_batch(some) == [ours.encode(text) for text in some]
    for text in some:
        spans = ours.offsets(text)
        assert len(spans) == len(ours.encode(text))
        assert all(0 <= begin <= end <= len(text) for begin, end in spans)
        assert spans == sorted(spans)


@pytest.mark.parametrize("inside", ["bpe", "unigram"])
def test_a_piece_of_sentencepiece_is_the_text_of_its_span(inside):
    ours = SentencePieceTokenizer.train(TEXT, 600, inside=inside)
    for text in texts(300, seed=3):
        for piece, (begin, end) in zip(ours.tokenize(text), ours.offsets(text)):
            if piece.startswith("<0x"):
                assert bytes([int(piece[3:5], 16)]) in text[begin:end].encode()
            else:
                shown = piece.replace("▁", " ")
                assert text[begin:end] in ([shown] if begin else [shown, shown[1:]])


SAMPLED = {
    BPETokenizer: {"dropout": 0.5},
    ByteBPETokenizer: {"dropout": 0.5},
    UnigramTokenizer: {"temperature": 3.0},
    SentencePieceTokenizer: {"dropout": 0.5},
}


@pytest.mark.parametrize("kind", SAMPLED, ids=lambda k: k.__name__)
def test_a_text_is_cut_in_another_way_each_time_and_is_the_same_text(kind):
    ours, rng = kind.train(TEXT, 600), np.random.default_rng(0)
    text = " ".join(WORDS[:12])
    drawn = [tuple(ours.sample(text, rng, **SAMPLED[kind])) for _ in range(20)]
    assert len(set(drawn)) > 10
    assert {ours.decode(ids) for ids in drawn} == {ours.decode(ours.encode(text))}
    if "dropout" in SAMPLED[kind]:
        assert ours.sample(text, rng, dropout=0.0) == ours.encode(text)


@pytest.mark.parametrize("uncased", [False, True])
def test_berts_words(uncased):
    """Final sigma apart: BERT's own code has one, Hugging Face's has not."""
    cleans = normalizers.BertNormalizer(lowercase=uncased, strip_accents=uncased)
    cut = bert_words_uncased if uncased else bert_words
    for text in texts(2000, seed=4):
        plain = cleans.normalize_str(text)
        there = pre_tokenizers.BertPreTokenizer().pre_tokenize_str(plain)
        ours = [word.replace("ς", "σ") if uncased else word for word in cut(text)]
        assert ours == [w.replace("ς", "σ") if uncased else w for w, _ in there]
    assert bert_words("白鲸记 wha\0le") == ["白", "鲸", "记", "whale"]


def mutated(text, rng):
    """A file with some characters dropped, doubled, exchanged or cut off."""
    place = int(rng.integers(len(text)))
    other = str(rng.choice(list('0917-"{}[],:. aé\\\ud800')))
    ways = [
        text[:place],
        text[:place] + text[place + 1 :],
        text[:place] + other + text[place + 1 :],
        text[:place] + text[place : place + 9] + text[place:],
    ]
    return ways[rng.integers(len(ways))]


def spoilt(value, rng):
    """A JSON value with one part dropped, doubled, or of another type."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        name = str(rng.choice(list(value)))
        if rng.random() < 0.25:
            return {k: v for k, v in value.items() if k != name}
        return {**value, name: spoilt(value[name], rng)}
    if isinstance(value, list) and value and rng.random() < 0.9:
        place = int(rng.integers(len(value)))
        if rng.random() < 0.25:
            return [*value, value[place]]
        return [*value[:place], spoilt(value[place], rng), *value[place + 1 :]]
    others = [None, -1, 10**9, 0.5, "", "x", "\ud800", [], {}, True, [1], {"a": 1}]
    return others[rng.integers(len(others))]


def right_or_refused(read, damaged, encode):
    """What a damaged file is read as encodes, or the file is refused; no other error comes out."""
    try:
        encode(read(damaged))
    except ValueError as error:
        assert type(error) is ValueError, error
        assert "Fix:" in str(error), error


@pytest.mark.parametrize("kind", Tokenizer.__subclasses__(), ids=lambda k: k.__name__)
def test_damaged_files_of_this_book_are_refused_in_words(kind):
    whole, rng = to_json(kind.train("low lower low é", 300)), np.random.default_rng(0)
    for _ in range(150):
        for file in (mutated(whole, rng), json.dumps(spoilt(json.loads(whole), rng))):
            if file:
                right_or_refused(from_json, file, lambda t: t.encode("lower é"))


def test_damaged_files_of_huggingface_are_refused_or_encode_the_same_there():
    rng = np.random.default_rng(1)
    for ours in (
        ByteBPETokenizer.train("hi hi ho", 259),
        BPETokenizer.train("ab ab", 6),
    ):
        whole = to_huggingface(ours)

        def same(read, file):
            try:
                there = tokenizers.Tokenizer.from_str(file)
            except Exception:
                return
            there.encode_special_tokens = True
            for text in ("hi ho ab", "é\n"):
                assert read.encode(text) == there.encode(text).ids, file

        for _ in range(150):
            for file in (
                mutated(whole, rng),
                json.dumps(spoilt(json.loads(whole), rng)),
            ):
                if file:
                    right_or_refused(
                        from_huggingface, file, lambda t, file=file: same(t, file)
                    )


def test_damaged_models_of_sentencepiece_are_refused_in_words():
    whole, rng = (
        write_sentencepiece(train_sentencepiece("hi hi", 264)),
        np.random.default_rng(2),
    )
    for _ in range(400):
        damaged = bytearray(whole)
        place = int(rng.integers(len(whole)))
        damaged[place] ^= 1 << int(rng.integers(8))
        data = bytes(damaged if rng.random() < 0.7 else damaged[:place])
        if data:
            right_or_refused(
                read_sentencepiece,
                data,
                lambda m: SentencePieceTokenizer(m).encode("hi é"),
            )


tokens = [f"{b64encode(token).decode()} {i}" for i, token in enumerate(ALL_BYTES)]
behind = train_sentencepiece("hi hi", 264)
SUFFIX = write_sentencepiece(behind) + b"\x12\x03\xc0\x01\x01"  # trainer: field 24 is 1


@refusals(
    ("marks after", lambda: read_sentencepiece(SUFFIX), ("whitespace_as_suffix",)),
    ("no base64", lambda: from_tiktoken("!! 0"), ("base64",)),
    (
        "no base64 inside",
        lambda: from_tiktoken("\n".join([*tokens, "aG!k= 256"])),
        ("aG!k=", "base64"),
    ),
    ("a gap", lambda: from_tiktoken("\n".join([*tokens, "aGk= 300"])), ("gaps",)),
    ("no merge", lambda: from_tiktoken("\n".join([*tokens, "YWJj 256"])), ("3 parts",)),
    ("no byte", lambda: from_tiktoken("aGk= 0"), ("256 bytes",)),
    ("merges of another", lambda: from_vocab_and_merges('{"a": 0}', "h i"), ("lacks",)),
    ("a line of three", lambda: from_vocab_and_merges('{"a": 0}', "h i j"), ("h i j",)),
    ("no pattern", lambda: pretokenize("a", "("), ("cannot be read",)),
    ("no category", lambda: pretokenize("a", r"\p{Q}"), ("'Q'",)),
    ("a pattern with gaps", lambda: pretokenize("a b", r"\p{L}+"), ("leaves out 1",)),
    (
        "one text for a batch",
        lambda: ByteBPETokenizer.train("hi", 257).encode_batch("hi"),
        ("one text",),
    ),
    (
        "one way only",
        lambda: WordPieceTokenizer.train("a b", 9).sample(
            "a", np.random.default_rng(0)
        ),
        ("one way",),
    ),
)
def test_what_is_refused(call, words):
    assert_refused(call, words)


def test_the_first_piece_of_a_unigram_model_is_as_long_as_it_is():
    tokenizer = UnigramTokenizer(Unigram(("whale", "s"), np.log([0.5, 0.5])))
    assert tokenizer.encode("whales") == [256, 257]
    assert tokenizer.offsets("whales") == [(0, 5), (5, 6)]
