"""Hugging Face's `tokenizer.json`: files of ours encode the same there; files of BPE from there encode the same here."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from transformer_math.contract import Text, contract
from transformer_math.errors import require
from transformer_math.tokenization._reading import (
    bpe_of,
    entry,
    numbered,
    one_text,
)
from transformer_math.tokenization.bpe import BPE
from transformer_math.tokenization.pretokenization import (
    CL100K_PATTERN,
    GPT2_PATTERN,
    LLAMA3_PATTERN,
)
from transformer_math.tokenization.printable import unprintable
from transformer_math.tokenization.sentencepiece_model import BYTE_PIECES
from transformer_math.tokenization.tokenizer_json import parsed
from transformer_math.tokenization.tokenizers import (
    UNKNOWN,
    BPETokenizer,
    ByteBPETokenizer,
    Tokenizer,
    UnigramTokenizer,
    WordPieceTokenizer,
)

_ON_BYTES = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True}
_BYTES_ALONE = {**_ON_BYTES, "use_regex": False}
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
_BERT_CLEANS = {
    "type": "BertNormalizer",
    "clean_text": True,
    "handle_chinese_chars": True,
    "strip_accents": False,
    "lowercase": False,
}


@contract
def to_huggingface(tokenizer: Tokenizer) -> str:
    """Write BPE, of characters or of bytes, WordPiece or Unigram as a `tokenizer.json`.

    Raises ValueError for the others: SentencePiece has a file of its own, characters, words and bytes need none.

    >>> json.loads(to_huggingface(ByteBPETokenizer.train("hi hi", 257)))["model"]["merges"]
    [['h', 'i']]
    """
    kinds = [kind for kind in _WRITERS if isinstance(tokenizer, kind)]
    require(
        kinds != [],
        f"{type(tokenizer).__name__} has no tokenizer.json. Fix: write_sentencepiece for SentencePiece, to_json for the others.",
    )
    none: dict[str, Any] = {
        "version": "1.0",
        **_PLAIN,
        "added_tokens": [],
        "post_processor": None,
    }
    return json.dumps({**none, **_WRITERS[kinds[0]](tokenizer)}, ensure_ascii=False)


@contract
def from_huggingface(text: Text) -> BPETokenizer | ByteBPETokenizer:
    """Read a `tokenizer.json` of BPE, on bytes (`ByteLevel`, with a pattern of this book) or on characters as we write it.

    Raises ValueError for a file that is damaged, or that says anything that would encode differently here.

    >>> from_huggingface(to_huggingface(ByteBPETokenizer.train("hi hi", 257))).tokenize("hi")
    ['hi']
    """
    plain = parsed(text)
    require(
        isinstance(plain, dict) and isinstance(plain.get("model"), dict),
        "the JSON has no model. Fix: pass the text of a tokenizer.json.",
    )
    model, added = plain["model"], _added_tokens(plain.get("added_tokens") or [])
    _require_settings(plain, _PLAIN)
    _require_settings(
        _settings(plain.get("post_processor"), "ByteLevel"), {"type": "ByteLevel"}
    )
    _require_settings(model, _PLAIN_MODEL)
    cutter = _settings(plain.get("pre_tokenizer"), None)
    if cutter["type"] in ("ByteLevel", "Sequence"):
        return _of_bytes(model, added, _pattern(cutter))
    _require_settings(cutter, _ON_CHARACTERS)
    _require_settings({"unk_token": None, **model}, {"unk_token": UNKNOWN})
    _require_settings(
        {"added_tokens": sorted(added.keys() - {UNKNOWN})}, {"added_tokens": []}
    )
    names = _in_order(numbered(entry(model, "vocab"), "vocab"))
    require(UNKNOWN in names, f"the vocabulary lacks {UNKNOWN}. Fix: add it.")
    return BPETokenizer(_bpe(names, entry(model, "merges"), names))


def _write_bpe(tokenizer: BPETokenizer) -> dict[str, Any]:
    model = _model(tokenizer, tokenizer.bpe)
    return {"pre_tokenizer": _ON_CHARACTERS, "decoder": {"type": "Fuse"}, **model}


def _write_byte_bpe(tokenizer: ByteBPETokenizer) -> dict[str, Any]:
    split = {
        **_ON_CHARACTERS,
        "pattern": {"Regex": _for_oniguruma(tokenizer.pattern)},
    }
    trimmed = {"trim_offsets": True}
    cutter = {
        "type": "Sequence",
        "pretokenizers": [split, {**_BYTES_ALONE, **trimmed}],
    }
    whole = {**_ON_BYTES, **trimmed}
    return {
        "pre_tokenizer": whole if tokenizer.pattern == GPT2_PATTERN else cutter,
        "decoder": whole,
        "added_tokens": _added(tokenizer.specials),
        **_model(tokenizer, tokenizer.bpe),
    }


def _write_word_piece(tokenizer: WordPieceTokenizer) -> dict[str, Any]:
    vocabulary, unknown, prefix, longest = tokenizer.word_piece
    model = {
        "type": "WordPiece",
        "unk_token": unknown,
        "continuing_subword_prefix": prefix,
        "max_input_chars_per_word": longest,
        "vocab": dict(vocabulary),
    }
    return {
        "normalizer": _BERT_CLEANS,
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "decoder": {"type": "WordPiece", "prefix": prefix, "cleanup": False},
        "model": model,
    }


def _write_unigram(tokenizer: UnigramTokenizer) -> dict[str, Any]:
    """Bytes are pieces without a loss; the unknown piece, which must be one, is never written, since bytes come first."""
    pieces, scores = tokenizer.unigram
    names = [*BYTE_PIECES, *pieces]
    values = [0.0] * len(BYTE_PIECES) + scores.tolist()
    model = {
        "type": "Unigram",
        "unk_id": 0,
        "vocab": list(zip(names, values)),
        "byte_fallback": True,
    }
    decoders = [{"type": "ByteFallback"}, {"type": "Fuse"}]
    return {
        "pre_tokenizer": _ON_CHARACTERS,
        "decoder": {"type": "Sequence", "decoders": decoders},
        "model": model,
    }


_WRITERS: dict[type[Tokenizer], Callable[[Any], dict[str, Any]]] = {
    BPETokenizer: _write_bpe,
    ByteBPETokenizer: _write_byte_bpe,
    WordPieceTokenizer: _write_word_piece,
    UnigramTokenizer: _write_unigram,
}


def _model(tokenizer: Tokenizer, bpe: BPE) -> dict[str, Any]:
    names = {number: token for token, number in tokenizer.vocabulary.items()}
    merges = [[names[a], names[b]] for a, b in bpe.merges]
    learnt = {"vocab": dict(tokenizer.vocabulary), "merges": merges}
    return {"model": {**_PLAIN_MODEL, "unk_token": tokenizer.unknown, **learnt}}


def _for_oniguruma(pattern: str) -> str:
    """A pattern for the library that Hugging Face reads it with: there `{1,3}+` repeats, and `$` is the end of a line."""
    return re.sub(r"(\\p\{\w\})(\{\d,\d\})\+", r"(?>\1\2)", pattern).replace("$", r"\z")


_KNOWN = {
    spelt: pattern
    for pattern in (GPT2_PATTERN, CL100K_PATTERN, LLAMA3_PATTERN)
    for spelt in (pattern, _for_oniguruma(pattern))
}
del _KNOWN[CL100K_PATTERN]  # means something else there


def _pattern(cutter: Mapping) -> str:
    """The split pattern of a file that cuts into bytes."""
    if cutter["type"] == "ByteLevel":
        _require_settings(cutter, _ON_BYTES)
        return GPT2_PATTERN
    parts = cutter.get("pretokenizers", [])
    require(
        isinstance(parts, list) and len(parts) == 2,
        "the file cuts by a sequence that is not one pattern and ByteLevel. Fix: use the file there.",
    )
    split, on_bytes = (_settings(part, None) for part in parts)
    _require_settings(on_bytes, _BYTES_ALONE)
    spelt = _settings(split.get("pattern"), None).get("Regex", "")
    known = isinstance(spelt, str) and spelt in _KNOWN
    require(
        known,
        f"the file cuts by {spelt!r:.60}; wanted a pattern of this book. Fix: use the file there.",
    )
    _require_settings(split, {**_ON_CHARACTERS, "pattern": {"Regex": spelt}})
    return _KNOWN[spelt]


def _added(specials: Mapping[str, int]) -> list[dict[str, Any]]:
    never = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return [
        {"id": number, "content": name, **never, "special": True}
        for name, number in specials.items()
    ]


def _settings(found: Any, kind: str | None) -> dict:
    """Settings with their type; where there are none, those of that type."""
    require(
        found is None or isinstance(found, dict),
        f"the file has {found!r:.60} where settings stand. Fix: pass a file as it was written.",
    )
    return {"type": kind, **(found or {})}


def _require_settings(found: Mapping, wanted: Mapping) -> None:
    """Every setting as wanted; one that is left out, or empty, counts as its default, which is what is wanted."""
    for name, value in wanted.items():
        there = found.get(name, value)
        require(
            (there == value and type(there) is type(value)) or not (there or value),
            f"the file says {name}: {there!r:.60}; this book's BPE has {value!r}. Fix: use it there; it encodes otherwise here.",
        )


def _added_tokens(added: Any) -> dict[str, int]:
    """The special tokens of a file with their ids; no others may be added."""
    require(
        isinstance(added, list),
        f"added_tokens is {added!r:.60}; wanted a list. Fix: pass a file as it was written.",
    )
    found = [(one_text(entry(t, "content"), "content"), t) for t in added]
    ordinary = [name for name, token in found if token.get("special") is not True]
    require(
        not ordinary,
        f"the tokens {ordinary} are added, not special: any text may hold them. Fix: make them special, or use the file there.",
    )
    require(
        len({name for name, _ in found}) == len(found),
        "a special token stands twice in the file. Fix: leave the second one out.",
    )
    ids = {
        name: token.get("id", 0 if name == UNKNOWN else None) for name, token in found
    }
    return numbered(ids, "added_tokens", gaps=True)


def _of_bytes(
    model: Mapping, specials: dict[str, int], pattern: str
) -> ByteBPETokenizer:
    vocab = numbered(entry(model, "vocab"), "vocab", gaps=True)
    other = [n for n in specials.keys() & vocab.keys() if vocab[n] != specials[n]]
    require(
        other == [],
        f"{other} have another id among the added tokens than in the vocabulary. Fix: one id for each.",
    )
    names = _in_order(numbered({**vocab, **specials}, "the vocabulary"))
    tokens = [b"" if name in specials else unprintable(name) for name in names]
    return ByteBPETokenizer(
        _bpe(tokens, entry(model, "merges"), names), specials, pattern
    )


def _in_order(vocabulary: Mapping[str, int]) -> list[str]:
    return sorted(vocabulary, key=vocabulary.__getitem__)


def _bpe(tokens: list, merges: Any, names: Sequence[str]) -> BPE:
    """The merges of a file, as pairs of names or as lines with a space between the two."""
    require(
        isinstance(merges, list),
        f"merges is {merges!r:.60}; wanted a list of pairs. Fix: pass a file as it was written.",
    )
    number = {name: i for i, name in enumerate(names)}
    pairs = [pair.split(" ") if isinstance(pair, str) else pair for pair in merges]
    triples = [_named_merge(pair, number) for pair in pairs]
    return bpe_of(tokens, triples)


def _named_merge(pair: Any, number: Mapping[str, int]) -> list[int]:
    require(
        isinstance(pair, list)
        and len(pair) == 2
        and all(isinstance(name, str) for name in pair)
        and all(name in number for name in (*pair, "".join(pair))),
        f"the merge {pair!r:.60} is not two tokens that together spell a third. Fix: pass a file as it was written.",
    )
    return [number[name] for name in (*pair, "".join(pair))]
