"""The trained tokenizers for the explorables: the bytes that a page fetches, and what Python makes of a text with them."""

import json
import zlib
from functools import cache
from typing import NamedTuple

from transformer_math.explorables.tokenization.labels import visible, visible_bytes
from transformer_math.trained.tokenizers import tokenizers

LABELS = {
    "characters": "characters",
    "bytes": "bytes",
    "words": "words",
    "bpe": "BPE",
    "byte_bpe": "byte-level BPE",
    "word_piece": "WordPiece",
    "unigram": "Unigram",
    "sentencepiece": "SentencePiece",
}


class Cut(NamedTuple):
    """A token: its id, what a reader sees of it, and whether it is `[UNK]`."""

    id: int
    label: str
    unknown: bool


@cache
def packed_tokenizers() -> bytes:
    """What was learnt, as compressed JSON."""
    plain = {name: tokenizers()[name].to_plain() for name in LABELS}
    text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(text.encode(), 9)


def encode(name: str, text: str) -> list[int]:
    """The ids of a text; one without a word has none in words."""
    empty = not text or (name == "words" and text.isspace())
    return [] if empty else tokenizers()[name].encode(text)


def cuts(name: str, text: str) -> list[Cut]:
    """The tokens of a text."""
    names, unknown = _names(name)
    return [Cut(i, names[i], i == unknown) for i in encode(name, text)]


@cache
def _names(name: str) -> tuple[dict[int, str], int | None]:
    """What the tokens of each id are called, and the id of `[UNK]`."""
    tokenizer = tokenizers()[name]
    if name == "byte_bpe":
        tokens = tokenizer.bpe.tokens
        return {i: visible_bytes(token) for i, token in enumerate(tokens)}, None
    names = {i: visible(token) for token, i in tokenizer.vocabulary.items()}
    return names, tokenizer.vocabulary.get(tokenizer.unknown or "")
