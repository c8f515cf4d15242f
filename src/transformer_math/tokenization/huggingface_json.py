"""BPE as Hugging Face's `tokenizer.json`, both ways: a file of ours encodes the same there, and one from there the same here."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from transformer_math.contract import Text, contract
from transformer_math.errors import require
from transformer_math.tokenization.bpe import BPE
from transformer_math.tokenization.printable import unprintable
from transformer_math.tokenization.tokenizer_json import parsed
from transformer_math.tokenization.tokenizers import (
    UNKNOWN,
    BPETokenizer,
    ByteBPETokenizer,
)

GPT2_PATTERN = (
    r"'(?:[stmd]|re|ve|ll)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
)
_ON_BYTES = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True}
_ON_CHARACTERS = {
    "type": "Split",
    "pattern": {"Regex": GPT2_PATTERN},
    "behavior": "Isolated",
    "invert": False,
}
# What a file may say, and what it may also leave out.
_PLAIN = {"normalizer": None, "truncation": None, "padding": None}
_PLAIN_MODEL = {
    "type": "BPE",
    "dropout": None,
    "continuing_subword_prefix": None,
    "end_of_word_suffix": None,
    "byte_fallback": False,
    "fuse_unk": False,
    "ignore_merges": False,
}


@contract
def to_huggingface(tokenizer: BPETokenizer | ByteBPETokenizer) -> str:
    """Write BPE, of characters or of bytes, as a `tokenizer.json`.

    >>> json.loads(to_huggingface(ByteBPETokenizer.train("hi hi", 257)))["model"]["merges"]
    [['h', 'i']]
    """
    on_bytes = isinstance(tokenizer, ByteBPETokenizer)
    names = {number: token for token, number in tokenizer.vocabulary.items()}
    model = {
        **_PLAIN_MODEL,
        "unk_token": tokenizer.unknown,
        "vocab": tokenizer.vocabulary,
        "merges": [[names[a], names[b]] for a, b in tokenizer.bpe.merges],
    }
    plain = {
        "version": "1.0",
        **_PLAIN,
        "added_tokens": _added(tokenizer.specials) if on_bytes else [],
        "pre_tokenizer": {**_ON_BYTES, "trim_offsets": True}
        if on_bytes
        else _ON_CHARACTERS,
        "post_processor": None,
        "decoder": {**_ON_BYTES, "trim_offsets": True}
        if on_bytes
        else {"type": "Fuse"},
        "model": model,
    }
    return json.dumps(plain, ensure_ascii=False)


@contract
def from_huggingface(text: Text) -> BPETokenizer | ByteBPETokenizer:
    """Read a `tokenizer.json` of BPE in GPT-2's chunks, on bytes (`ByteLevel`) or on characters as we write it.

    Raises ValueError for a file that says anything that would encode differently here.

    >>> from_huggingface(to_huggingface(ByteBPETokenizer.train("hi hi", 257))).tokenize("hi")
    ['hi']
    """
    plain = parsed(text)
    require(
        isinstance(plain, dict) and isinstance(plain.get("model"), dict),
        "the JSON has no model. Fix: pass the text of a tokenizer.json.",
    )
    model, added = plain["model"], plain.get("added_tokens") or []
    cutter = {"type": None, **(plain.get("pre_tokenizer") or {})}
    _require_settings(plain, _PLAIN)
    _require_settings(plain.get("post_processor") or {}, {"type": "ByteLevel"})
    _require_settings(model, _PLAIN_MODEL)
    _require_special(added)
    if cutter.get("type") == "ByteLevel":
        _require_settings(cutter, _ON_BYTES)
        return _of_bytes(model, added)
    _require_settings(cutter, _ON_CHARACTERS)
    _require_settings({"unk_token": None, **model}, {"unk_token": UNKNOWN})
    others = {token["content"] for token in added} - {UNKNOWN}
    _require_settings({"added_tokens": sorted(others)}, {"added_tokens": []})
    return BPETokenizer(_bpe(list(_in_order(model["vocab"])), model))


def _added(specials: Mapping[str, int]) -> list[dict[str, Any]]:
    never = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return [
        {"id": number, "content": name, **never, "special": True}
        for name, number in specials.items()
    ]


def _require_settings(found: Mapping, wanted: Mapping) -> None:
    """Every setting as wanted; one that is left out, or empty, counts as its default, which is what is wanted."""
    for name, value in wanted.items():
        there = found.get(name, value)
        require(
            there == value or (not there and not value),
            f"the file says {name}: {there!r}; this book's BPE has {value!r}. Fix: use it there; it would encode otherwise here.",
        )


def _require_special(added: Sequence[Mapping]) -> None:
    ordinary = [token["content"] for token in added if not token.get("special")]
    require(
        not ordinary,
        f"the tokens {ordinary} are added, not special: any text may hold them. Fix: make them special, or use the file there.",
    )


def _of_bytes(model: Mapping, added: Sequence[Mapping]) -> ByteBPETokenizer:
    specials = {token["content"]: token["id"] for token in added}
    names = _in_order({**model["vocab"], **specials})
    tokens = [b"" if name in specials else unprintable(name) for name in names]
    return ByteBPETokenizer(_bpe(tokens, model, names), specials)


def _in_order(vocabulary: Mapping[str, int]) -> list[str]:
    names = sorted(vocabulary, key=vocabulary.__getitem__)
    require(
        [vocabulary[name] for name in names] == list(range(len(names))),
        "the vocabulary does not number its tokens 0, 1, 2, …, each once. Fix: use it there; here ids have no gaps.",
    )
    return names


def _bpe(tokens: list, model: Mapping, names: Sequence[str] | None = None) -> BPE:
    number = {name: i for i, name in enumerate(names or tokens)}
    pairs = [
        pair.split(" ") if isinstance(pair, str) else pair for pair in model["merges"]
    ]
    merges = {(number[a], number[b]): number[a + b] for a, b in pairs}
    require(
        len(merges) == len(pairs),
        "a merge stands twice in the file. Fix: leave the second one out.",
    )
    return BPE(tuple(tokens), merges)
