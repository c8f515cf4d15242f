"""A `tokenizer.json` both ways: files of ours loaded by Hugging Face, files of theirs read here; the same ids on any text."""

import json
import unicodedata

import numpy as np
import pytest
from bad_input import assert_refused, refusals
from tokenizers import (
    Regex,
    Tokenizer,
    decoders,
    models,
    pre_tokenizers,
    trainers,
)

from transformer_math.corpus import SENTENCE, moby_dick
from transformer_math.tokenization import (
    BPETokenizer,
    ByteBPETokenizer,
    ByteTokenizer,
    Special,
    encode_text,
    from_huggingface,
    from_json,
    to_huggingface,
    to_json,
)
from transformer_math.tokenization.huggingface_json import GPT2_PATTERN

NAMES = ["<|endoftext|>", "[PAD]"]
WORDS = moby_dick()[5000:60_000].split(" ")


def texts(number, seed=0):
    """Words of the novel, white space, marks, characters from anywhere, and names of special tokens."""
    rng = np.random.default_rng(seed)
    odd = list("aé你\u0301ж ½Ⅷ_-.,!?'“(\n\t\x00\x1f\x85\u00a0\u3000😊👩‍🚀Ġġ")
    for _ in range(number):
        anywhere = [chr(code) for code in rng.integers(0x110000, size=3)]
        known = [c for c in anywhere if unicodedata.category(c) not in ("Cs", "Cn")]
        pieces = [*rng.choice(WORDS, 3), *rng.choice(odd, 5), *known, rng.choice(NAMES)]
        yield rng.choice(["", " "]).join(rng.permutation(pieces))


def theirs(vocab_size=400, specials=(), on_bytes=True):
    """A tokenizer that Hugging Face trained."""
    model = models.BPE() if on_bytes else models.BPE(unk_token="[UNK]")
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = (
        pre_tokenizers.ByteLevel(add_prefix_space=False)
        if on_bytes
        else pre_tokenizers.Split(Regex(GPT2_PATTERN), "isolated")
    )
    tokenizer.decoder = decoders.ByteLevel() if on_bytes else decoders.Fuse()
    alphabet = pre_tokenizers.ByteLevel.alphabet() if on_bytes else []
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size,
        special_tokens=list(specials),
        initial_alphabet=alphabet,
        show_progress=False,
    )
    tokenizer.train_from_iterator([" ".join(WORDS)], trainer)
    return tokenizer


def assert_same(ours, other, number=400):
    """The same ids and the same texts; special tokens only where the program puts them."""
    other.encode_special_tokens = True  # a text is a text, however it is spelt
    for text in texts(number):
        ids = ours.encode(text)
        assert ids == other.encode(text, add_special_tokens=False).ids, text
        # here `[UNK]` is written, and other special tokens are not
        assert ours.decode(ids) == other.decode(ids, ours.unknown is None)
    assert ours.vocabulary == other.get_vocab()


def test_ours_on_bytes_there():
    ours = ByteBPETokenizer.train(" ".join(WORDS), 500, NAMES)
    other = Tokenizer.from_str(to_huggingface(ours))
    parts = [Special(NAMES[0]), SENTENCE, Special(NAMES[1]), "x"]
    text = NAMES[0] + SENTENCE + NAMES[1] + "x"
    assert other.encode(text).ids == ours.encode_parts(parts)
    assert ours.decode(ours.encode_parts(parts)) == SENTENCE + "x"
    assert_same(ours, other)
    assert from_huggingface(to_huggingface(ours)) == ours
    assert '"Ġ": ' in to_huggingface(ours)


def test_ours_on_characters_there():
    ours = BPETokenizer.train(" ".join(WORDS), 400)
    assert_same(ours, Tokenizer.from_str(to_huggingface(ours)))
    assert to_json(from_huggingface(to_huggingface(ours))) == to_json(ours)


@pytest.mark.parametrize("specials", [[], NAMES])
def test_theirs_on_bytes_here(specials):
    """Theirs number the special tokens first, then the bytes in the order of their printable characters."""
    other = theirs(500, specials)
    ours = from_huggingface(other.to_str())
    assert ours.specials == {name: i for i, name in enumerate(specials)}
    assert len(ours.bpe.merges) == 500 - 256 - len(specials)
    assert_same(ours, other)
    assert from_json(to_json(ours)) == ours
    assert list(from_json(to_json(ours)).bpe.merges) == list(ours.bpe.merges)


def test_theirs_on_characters_here():
    other = theirs(300, ["[UNK]"], on_bytes=False)
    assert_same(from_huggingface(other.to_str()), other)


def test_merges_as_lines_are_read_too():
    plain = json.loads(theirs(300).to_str())
    merges = plain["model"]["merges"]
    plain["model"]["merges"] = [" ".join(pair) for pair in merges]
    ours = from_huggingface(json.dumps(plain))
    assert list(ours.bpe.merges) == list(
        from_huggingface(theirs(300).to_str()).bpe.merges
    )


def test_what_changes_nothing_may_stand_there():
    plain = json.loads(theirs(300).to_str())
    plain["post_processor"] = {"type": "ByteLevel", "trim_offsets": False}
    plain["model"]["dropout"] = 0.0
    plain["model"]["end_of_word_suffix"] = ""
    del plain["truncation"], plain["model"]["ignore_merges"], plain["added_tokens"]
    assert len(from_huggingface(json.dumps(plain)).vocabulary) == 300


def file(**settings):
    """A small valid file, with some settings changed; those of the model in `model`."""
    plain = json.loads(to_huggingface(ByteBPETokenizer.train("hi hi", 258, ["<|a|>"])))
    model = {**plain["model"], **settings.pop("model", {})}
    return json.dumps({**plain, **settings, "model": model})


def test_the_unknown_token_may_be_named_without_its_number():
    """It is the first of the vocabulary."""
    written = to_huggingface(BPETokenizer.train("ab ab", 6))
    named = written.replace(
        '"added_tokens": []',
        '"added_tokens": [{"content": "[UNK]", "special": true}]',
    )
    assert named != written
    assert from_huggingface(named).encode("ab c") == from_huggingface(written).encode(
        "ab c"
    )


def test_a_special_token_may_stand_between_the_others():
    """Its number is in the file alone among the added ones."""
    ours = from_huggingface(
        file(
            added_tokens=[{**ADDED, "id": 256}],
            model={"vocab": {**BYTES, "hi": 257}},
        )
    )
    assert ours.specials == {"<|a|>": 256}
    assert ours.encode("hi") == [257]


def cut(**settings):
    return {"type": "ByteLevel", "add_prefix_space": False, **settings}


def sequence(**settings):
    """The same file, cut by its pattern first and into bytes then, with some settings of the latter changed."""
    parts = [
        {"type": "Split", "pattern": {"Regex": GPT2_PATTERN}, "behavior": "Isolated"},
        cut(use_regex=False),
    ]
    parts[1].update(settings)
    return file(pre_tokenizer={"type": "Sequence", "pretokenizers": parts})


ADDED = {"id": 257, "content": "<|a|>", "special": True}
VOCABULARY = json.loads(file())["model"]["vocab"]
WITHOUT_A = {
    name: i for i, name in enumerate(n for n in VOCABULARY if n not in ("A", "<|a|>"))
}
BYTES = {name: i for name, i in VOCABULARY.items() if name != "<|a|>"}


@refusals(
    ("no model", lambda: from_huggingface("{}"), ("no model",)),
    ("no JSON", lambda: from_huggingface("x"), ("no JSON",)),
    (
        "WordPiece",
        lambda: from_huggingface(file(model={"type": "WordPiece"})),
        ("says type: 'WordPiece'", "BPE"),
    ),
    (
        "a normalizer",
        lambda: from_huggingface(file(normalizer={"type": "NFC"})),
        ("says normalizer: {'type': 'NFC'}",),
    ),
    (
        "truncation",
        lambda: from_huggingface(file(truncation={"max_length": 3})),
        ("truncation",),
    ),
    ("dropout", lambda: from_huggingface(file(model={"dropout": 0.1})), ("0.1",)),
    (
        "byte fallback",
        lambda: from_huggingface(file(model={"byte_fallback": True})),
        ("byte_fallback",),
    ),
    (
        "half a merge is a number",
        lambda: from_huggingface(file(model={"merges": [["h", 5]]})),
        ("['h', 5] is not two tokens",),
    ),
    (
        "merges ignored",
        lambda: from_huggingface(file(model={"ignore_merges": True})),
        ("ignore_merges",),
    ),
    (
        "a suffix",
        lambda: from_huggingface(file(model={"end_of_word_suffix": "</w>"})),
        ("</w>",),
    ),
    (
        "another cutter",
        lambda: from_huggingface(file(pre_tokenizer={"type": "Whitespace"})),
        ("Whitespace", "Split"),
    ),
    (
        "a space in front",
        lambda: from_huggingface(file(pre_tokenizer=cut(add_prefix_space=True))),
        ("says add_prefix_space: True",),
    ),
    (
        "no chunks",
        lambda: from_huggingface(file(pre_tokenizer=cut(use_regex=False))),
        ("use_regex",),
    ),
    (
        "chunks behind the pattern",
        lambda: from_huggingface(sequence(use_regex=True)),
        ("says use_regex: True",),
    ),
    (
        "a space behind the pattern",
        lambda: from_huggingface(sequence(add_prefix_space=True)),
        ("says add_prefix_space: True",),
    ),
    (
        "no cutter",
        lambda: from_huggingface(file(pre_tokenizer=None)),
        ("says type: None", "Split"),
    ),
    (
        "tokens at both ends",
        lambda: from_huggingface(file(post_processor={"type": "BertProcessing"})),
        ("says type: 'BertProcessing'",),
    ),
    (
        "a token that is looked for",
        lambda: from_huggingface(file(added_tokens=[{**ADDED, "special": False}])),
        ("<|a|>", "not special"),
    ),
    (
        "another special token among characters",
        lambda: from_huggingface(
            to_huggingface(BPETokenizer.train("ab ab", 6)).replace(
                '"added_tokens": []',
                '"added_tokens": [{"content": "a", "special": true, "id": 1}]',
            )
        ),
        ("says added_tokens: ['a']",),
    ),
    (
        "one part of a sequence",
        lambda: from_huggingface(
            file(pre_tokenizer={"type": "Sequence", "pretokenizers": [{}]})
        ),
        ("not one pattern and ByteLevel",),
    ),
    (
        "parts that are no list",
        lambda: from_huggingface(
            file(pre_tokenizer={"type": "Sequence", "pretokenizers": "ab"})
        ),
        ("not one pattern and ByteLevel",),
    ),
    (
        "a byte without a token",
        lambda: from_huggingface(file(added_tokens=[], model={"vocab": WITHOUT_A})),
        ("1 of the 256 bytes have no token, b'A' first",),
    ),
    (
        "a tokenizer that has no such file",
        lambda: to_huggingface(ByteTokenizer()),
        ("ByteTokenizer has no tokenizer.json",),
    ),
    (
        "tokens that are no list",
        lambda: from_huggingface(file(added_tokens={"<|a|>": 257})),
        ("added_tokens is {'<|a|>': 257}", "wanted a list"),
    ),
    (
        "a special token twice",
        lambda: from_huggingface(file(added_tokens=[ADDED, ADDED])),
        ("twice",),
    ),
    (
        "a special token without a number",
        lambda: from_huggingface(
            file(added_tokens=[{"content": "<|a|>", "special": True}])
        ),
        ("added_tokens holds the ids [None]",),
    ),
    (
        "a gap",
        lambda: from_huggingface(file(added_tokens=[{**ADDED, "id": 300}])),
        ("another id",),
    ),
    (
        "a special token that merges spell",
        lambda: from_huggingface(
            file(
                added_tokens=[{**ADDED, "content": "hi", "id": 256}],
                model={"vocab": BYTES},
            )
        ),
        ("256", "forge"),
    ),
    (
        "a merge twice",
        lambda: from_huggingface(file(model={"merges": [["h", "i"], ["h", "i"]]})),
        ("twice",),
    ),
    (
        "another unknown",
        lambda: from_huggingface(
            to_huggingface(BPETokenizer.train("ab ab", 6)).replace('"[UNK]"', '"<unk>"')
        ),
        ("says unk_token: '<unk>'", "[UNK]"),
    ),
)
def test_files_that_would_encode_otherwise_are_refused(call, words):
    assert_refused(call, words)


def test_no_text_has_the_id_of_a_special_token():
    """A corpus full of the names, with so many merges that nothing is left to merge."""
    text = " ".join(f"{name}{name} {name}" for name in NAMES) * 3
    tokenizer = ByteBPETokenizer.train(text, 500, NAMES)
    special = set(tokenizer.specials.values())
    for one in [text, *NAMES, *texts(300, seed=1)]:
        assert not special & set(tokenizer.encode(one))
        assert tokenizer.decode(tokenizer.encode(one)) == one
    assert encode_text("[PAD]", tokenizer.bpe) == tokenizer.encode("[PAD]")


two = ByteBPETokenizer.train("hi hi", 258, ["<|a|>"])


@refusals(
    (
        "one text for parts",
        lambda: two.encode_parts("hi"),
        ("one text", "['hi']"),
    ),
    (
        "one token for parts",
        lambda: two.encode_parts(Special("<|a|>")),
        ("one text or token", "[Special(name='<|a|>')]"),
    ),
    ("bytes for parts", lambda: two.encode_parts(b"hi"), ("one text", "b'hi'")),
    (
        "an unknown name",
        lambda: two.encode_parts([Special("<|b|>")]),
        ("<|b|>", "<|a|>"),
    ),
    (
        "a name that is a token",
        lambda: ByteBPETokenizer.train("hi hi", 258, ["hi"]),
        ("'hi'", "ordinary"),
    ),
    (
        "a place with text",
        lambda: ByteBPETokenizer(two.bpe, {"<|a|>": 256}),
        ("256", "[257]"),
    ),
    (
        "two names for one place",
        lambda: ByteBPETokenizer(two.bpe, {"<|a|>": 257, "<|b|>": 257}),
        ("<|b|>", "[257]"),
    ),
    (
        "a place without a name",
        lambda: ByteBPETokenizer(two.bpe, {}),
        ("[257]",),
    ),
    (
        "a merge into a special token",
        lambda: ByteBPETokenizer(
            two.bpe._replace(merges={(104, 105): 257}), {"<|a|>": 257}
        ),
        ("257", "forge"),
    ),
)
def test_special_tokens_that_could_be_forged_are_refused(call, words):
    assert_refused(call, words)
