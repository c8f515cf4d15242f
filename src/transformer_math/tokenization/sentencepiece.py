"""SentencePiece: raw text in, a space is a character like any other, and what has no piece is written in bytes."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from enum import IntEnum
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

import numpy as np

from transformer_math.contract import Positive, Size, Text, contract, requires
from transformer_math.errors import require
from transformer_math.tokenization._ids import known_ids
from transformer_math.tokenization.bpe import train_bpe
from transformer_math.tokenization.normalisation import normalise
from transformer_math.tokenization.unigram import Unigram, encode_unigram
from transformer_math.tokenization.unigram_training import train_unigram

SPACE_MARK = "\u2581"  # ▁
_CHUNK = re.compile(
    f"{SPACE_MARK}?(?:[^\\W\\d_]+|\\d+|[^\\w{SPACE_MARK}]+|_+)|{SPACE_MARK}"
)
_WORD = re.compile(f".[^{SPACE_MARK}]*", re.DOTALL)
_LITERAL = (
    "\ud800"  # stands for a ▁ of the text itself; no text that can be written holds it
)
_written = requires(
    lambda text: re.search("[\\ud800-\\udfff]", text) is None,
    "the text holds half of a character (a lone surrogate), which UTF-8 cannot write. Fix: read the text as UTF-8.",
)


class PieceKind(IntEnum):
    """What a piece is for, numbered as in the files of SentencePiece."""

    NORMAL = 1
    UNKNOWN = 2
    CONTROL = 3
    BYTE = 6


NORMAL, UNKNOWN, CONTROL, BYTE = PieceKind
SPECIAL_PIECES = {"<unk>": UNKNOWN, "<s>": CONTROL, "</s>": CONTROL}
BYTE_PIECES = tuple(f"<0x{byte:02X}>" for byte in range(256))


class SentencePiece(NamedTuple):
    """A trained model: its pieces by id, the score and the kind of each, the algorithm inside, and what is done to a text first."""

    pieces: tuple[str, ...]
    scores: tuple[float, ...]
    kinds: tuple[int, ...]
    inside: str = "bpe"
    rules: str | bytes = "identity"
    squeeze: bool = False

    def scored(self) -> dict[str, float]:
        """The scores of the pieces that may be cut out of a text."""
        return _scored(self)


@contract
def mark_spaces(text: str) -> str:
    """Write each space as ▁, and one more in front, so that a word looks the same wherever it stands.

    Book: eq-mark-spaces. Source: Kudo and Richardson (2018), arXiv:1808.06226.

    >>> mark_spaces("it is  it")
    '▁it▁is▁▁it'
    """
    return SPACE_MARK + text.replace(" ", SPACE_MARK)


@contract
def merge_pieces(chunk: str, scores: Mapping[str, float]) -> list[str]:
    """Cut a text by BPE with scores: merge the neighbours that make the best piece, the first of them, until none do.

        i = argmax score(x_i x_{i+1})

    Characters without a score stay single. Book: eq-merge-pieces. Source: Kudo and Richardson (2018), arXiv:1808.06226.

    >>> merge_pieces("lower", {"lo": -1.0, "low": -2.0, "er": 0.0})
    ['low', 'er']
    """
    parts = list(chunk)
    while len(parts) > 1:
        made = [a + b for a, b in zip(parts, parts[1:])]
        best = max(made, key=lambda piece: scores.get(piece, -float("inf")))
        if best not in scores:
            break
        parts[(at := made.index(best)) : at + 2] = [best]
    return parts


INSIDE = ("bpe", "unigram")


@contract
@_written
def sentence_pieces(text: str, model: SentencePiece) -> list[str]:
    """Cut a raw text into pieces; a character that has none is written as its bytes, by a model without bytes as unknown.

    A ▁ of the text itself is such a character, since it must not come back as a space.

    >>> sentence_pieces("hi hi", train_sentencepiece("hi hi", vocab_size=264))
    ['▁hi', '▁hi']
    """
    plain = normalise(text, model.rules)
    if model.squeeze:
        plain = re.sub(" +", " ", plain).strip(" ")
    if plain == "":
        return []
    marked = mark_spaces(plain.replace(SPACE_MARK, _LITERAL))
    return _spelt(_cut(marked, model), model)


@contract
def encode_sentence(text: str, model: SentencePiece) -> list[int]:
    """The ids of a text's pieces; `decode_sentence` gives back the text, where a model has bytes and changes nothing first.

        decode(encode(s)) = s

    Book: eq-sentencepiece-lossless.

    >>> encode_sentence("hi", train_sentencepiece("hi hi", vocab_size=264))
    [260]
    """
    ids = _ids(model)
    return [ids[piece] for piece in sentence_pieces(text, model)]


@contract
def decode_sentence(ids: Iterable[int], model: SentencePiece) -> str:
    """Join the pieces behind ids: ▁ becomes a space, but for the one in front; bytes become the characters that they spell.

    Each byte that spells none (a model may write it) becomes U+FFFD, an unknown piece ⁇; control pieces write nothing.
    Raises ValueError for what is no id of this model. Book: eq-sentencepiece-lossless.

    >>> decode_sentence([260, 260], train_sentencepiece("hi hi", vocab_size=264))
    'hi hi'
    """
    text, in_front = "", True
    numbers = known_ids(ids, len(model.pieces))
    for kind, run in groupby(numbers, key=model.kinds.__getitem__):
        pieces = [model.pieces[number] for number in run]
        if kind == BYTE:
            text += _characters(pieces)
        elif kind == UNKNOWN:
            text += " \u2047 " * len(pieces)
        elif kind == NORMAL:
            for piece in pieces:
                bare = text == "" and in_front
                shown = piece.removeprefix(SPACE_MARK) if bare else piece
                text += shown.replace(SPACE_MARK, " ")
                in_front = model.squeeze
    return text


@contract
@requires(
    lambda coverage: coverage <= 1,
    "coverage is {coverage}; wanted a share, at most 1. Fix: coverage=1.0 keeps every character.",
)
def train_sentencepiece(
    text: Text,
    vocab_size: Size,
    inside: str = "bpe",
    rules: str | bytes = "identity",
    coverage: Positive = 0.9995,
) -> SentencePiece:
    """Learn pieces from a raw text, line by line: special ones, 256 bytes, then what the algorithm inside finds.

    The most frequent characters become pieces until they make up `coverage` of the text; the others are left to the bytes.
    Training cuts before each ▁ and where letters, digits and other signs meet; encoding does not. `vocab_size` counts
    every piece; it is not reached where no pair is left.
    Raises ValueError where the special pieces, bytes and characters alone are more than `vocab_size`.
    Source: Kudo and Richardson (2018), arXiv:1808.06226.

    >>> train_sentencepiece("hi hi", vocab_size=264).pieces[259:]
    ('hi', '▁hi', 'h', 'i', '▁')
    """
    require(
        inside in INSIDE,
        f"inside is {inside!r}; wanted one of {', '.join(INSIDE)}. Fix: inside='bpe'.",
    )
    words = _words(normalise(text, rules))
    alphabet = _covering(words, coverage)
    own = vocab_size - len(SPECIAL_PIECES) - len(BYTE_PIECES)
    require(
        own >= len(alphabet),
        f"vocab_size is {vocab_size}, but {len(SPECIAL_PIECES)} special pieces, 256 bytes and {len(alphabet)} characters "
        f"need {vocab_size - own + len(alphabet)}. Fix: ask for at least that many.",
    )
    learnt = _LEARN[inside](_within(words, alphabet), own, alphabet)
    pieces = (*SPECIAL_PIECES, *BYTE_PIECES, *learnt)
    kinds = (*SPECIAL_PIECES.values(), *[BYTE] * 256, *[NORMAL] * len(learnt))
    scores = (*[0.0] * (len(pieces) - len(learnt)), *learnt.values())
    return SentencePiece(pieces, scores, kinds, inside, rules)


def _learn_merges(
    word_counts: Mapping[str, int], size: int, alphabet: list[str]
) -> dict[str, float]:
    """The pieces that BPE makes, in its order, then the characters; each is worth less than the one before."""
    tokens = train_bpe(word_counts, size, alphabet).tokens
    ordered = [*tokens[len(alphabet) :], *alphabet]
    return {piece: -float(place) for place, piece in enumerate(ordered)}


def _learn_probabilities(
    word_counts: Mapping[str, int], size: int, alphabet: list[str]
) -> dict[str, float]:
    """The pieces that Unigram keeps, the most probable first, with the logarithms of their probabilities."""
    pieces, scores = train_unigram(word_counts, size)
    order = np.argsort(-scores, kind="stable")
    return {pieces[t]: float(np.float32(scores[t])) for t in order}


_LEARN = {"bpe": _learn_merges, "unigram": _learn_probabilities}


def _words(text: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for line in filter(None, text.replace(SPACE_MARK, _LITERAL).split("\n")):
        found.update(_CHUNK.findall(mark_spaces(line)))
    require(
        len(found) > 0, "the text holds no line with a character. Fix: pass some text."
    )
    return found


def _covering(words: Mapping[str, int], coverage: float) -> list[str]:
    """The most frequent characters that make up this share of all, ties by code point; ▁ is always among them."""
    counts: Counter[str] = Counter()
    for word, count in words.items():
        for character in word:
            counts[character] += count
    del counts[_LITERAL]
    ordered = sorted(counts, key=lambda character: (-counts[character], character))
    needed, seen, kept = coverage * counts.total(), 0, []
    for character in ordered:
        if seen < needed or character == SPACE_MARK:
            kept.append(character)
        seen += counts[character]
    return kept


def _within(words: Mapping[str, int], alphabet: list[str]) -> Counter[str]:
    """The words, cut at every character that the alphabet lacks."""
    outside, found = re.compile(f"[^{re.escape(''.join(alphabet))}]+"), Counter()
    for word, count in words.items():
        for part in filter(None, outside.split(word)):
            found[part] += count
    return found


def _cut(marked: str, model: SentencePiece) -> list[str]:
    """The pieces of a text: word by word, unless a piece reaches across a ▁."""
    words = [marked] if _across(model) else _WORD.findall(marked)
    return _CUT[model.inside](words, model)


def _cut_by_merging(words: list[str], model: SentencePiece) -> list[str]:
    scores = model.scored()
    cuts = {word: merge_pieces(word, scores) for word in dict.fromkeys(words)}
    return [piece for word in words for piece in cuts[word]]


def _cut_by_unigram(words: list[str], model: SentencePiece) -> list[str]:
    scores = model.scored()
    return encode_unigram(words, Unigram(tuple(scores), np.array([*scores.values()])))


_CUT = {"bpe": _cut_by_merging, "unigram": _cut_by_unigram}


def _spelt(found: list[str], model: SentencePiece) -> list[str]:
    scores, bytes_too = model.scored(), BYTE in model.kinds
    unknown = model.pieces[model.kinds.index(UNKNOWN)]
    out: list[str] = []
    for piece in found:
        if piece in scores:
            out.append(piece)
        elif bytes_too:
            character = piece.replace(_LITERAL, SPACE_MARK)
            out += [BYTE_PIECES[byte] for byte in character.encode("utf-8")]
        elif out[-1:] != [unknown]:
            out.append(unknown)
    return out


# What is looked up in a model, made once and not for every text.


@lru_cache
def _scored(model: SentencePiece) -> dict[str, float]:
    known = zip(model.pieces, model.scores, model.kinds)
    return {piece: score for piece, score, kind in known if kind == NORMAL}


@lru_cache
def _ids(model: SentencePiece) -> dict[str, int]:
    return {piece: number for number, piece in enumerate(model.pieces)}


@lru_cache
def _across(model: SentencePiece) -> bool:
    return any(SPACE_MARK in piece[1:] for piece in _scored(model))


def _characters(byte_pieces: list[str]) -> str:
    written = bytes(int(piece[3:5], 16) for piece in byte_pieces)
    text = written.decode("utf-8", errors="surrogateescape")
    return re.sub("[\udc80-\udcff]", "\ufffd", text)
