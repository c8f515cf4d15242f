"""SentencePiece: raw text in, a space is a character like any other, and what has no piece is written in bytes."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from itertools import groupby
from typing import NamedTuple

import numpy as np

from transformer_math.contract import Positive, Size, Text, contract, requires
from transformer_math.errors import require
from transformer_math.tokenization._byte_pieces import text_of_bytes
from transformer_math.tokenization._ids import known_ids
from transformer_math.tokenization.best_cut_pruning import train_unigram_by_best_cuts
from transformer_math.tokenization.bpe import train_bpe
from transformer_math.tokenization.normalisation import normalise
from transformer_math.tokenization.unigram import Unigram, encode_unigram

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
INSIDE = ("bpe", "unigram")
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
        known = zip(self.pieces, self.scores, self.kinds)
        return {piece: score for piece, score, kind in known if kind == NORMAL}


def _sound_model(model: SentencePiece) -> SentencePiece:
    """The model itself. Raises ValueError where its parts do not fit, or it does what this book does not teach."""
    kinds, sizes = set(model.kinds), {len(model.pieces), len(model.scores)}
    require(
        {len(model.kinds)} == sizes and len(set(model.pieces)) == len(model.pieces),
        "the model has not one score and one kind for each of its pieces, or a piece twice. Fix: read a whole file.",
    )
    require(
        UNKNOWN in kinds,
        "there is no unknown piece, so it is no model. Fix: read the bytes of a .model file.",
    )
    require(
        kinds <= set(PieceKind),
        "the model has pieces that a user defined. Fix: train it without user_defined_symbols.",
    )
    require(
        model.inside in INSIDE,
        f"the algorithm inside is {model.inside!r:.40}; wanted one of {', '.join(INSIDE)}. Fix: train it with one of them.",
    )
    spelt = {piece for piece, kind in zip(model.pieces, model.kinds) if kind == BYTE}
    require(
        spelt in (set(), set(BYTE_PIECES)),
        f"the model has {len(spelt)} pieces for bytes; wanted all 256, <0x00> to <0xFF>, or none. Fix: read a whole file.",
    )
    known = [s for s, kind in zip(model.scores, model.kinds) if kind == NORMAL]
    require(
        any(score > -np.inf for score in known) and not np.isnan(known).any(),
        "the model has no piece with a score. Fix: read a whole file.",
    )
    require(
        isinstance(model.squeeze, bool),
        f"squeeze is {model.squeeze!r:.40}; wanted true or false. Fix: false.",
    )
    normalise("", model.rules)
    return model._replace(kinds=tuple(map(PieceKind, model.kinds)))


@contract
def mark_spaces(text: str) -> str:
    """Write each space as ▁, and one more in front, so that a word looks the same wherever it stands.

        decode(encode(s)) = s

    Book: eq-sentencepiece-lossless. Source: Kudo and Richardson (2018), arXiv:1808.06226.

    >>> mark_spaces("it is  it")
    '▁it▁is▁▁it'
    """
    return SPACE_MARK + text.replace(" ", SPACE_MARK)


@contract
@requires(
    lambda scores: not any(score != score for score in scores.values()),
    "a score is NaN, which is neither better nor worse than another. Fix: leave its piece out of the scores.",
)
def merge_pieces(chunk: str, scores: Mapping[str, float]) -> list[str]:
    """Cut a text by BPE with scores: merge the neighbours that make the best piece, the first of them, until none do.

        i = argmax_{j: j < n - 1} score(x_j x_{j+1})

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


@contract
def prepared(text: str, model: SentencePiece) -> str:
    """What a model makes of a text before it marks spaces: normalised, and squeezed if the model does that.

    >>> prepared(" a  b ", train_sentencepiece("a b", vocab_size=262)._replace(squeeze=True))
    'a b'
    """
    plain = normalise(text, model.rules)
    return re.sub(" +", " ", plain).strip(" ") if model.squeeze else plain


@contract
@_written
def sentence_pieces(text: str, model: SentencePiece) -> list[str]:
    """Cut a raw text into pieces; a character that has none is written as its bytes, by a model without bytes as unknown.

    A ▁ of the text itself is such a character, since it must not come back as a space.

    >>> sentence_pieces("hi hi", train_sentencepiece("hi hi", vocab_size=264))
    ['▁hi', '▁hi']
    """
    found = _cut(_marked(text, model), model)
    return [piece for _, pieces in _spelt(found, model) for piece in pieces]


@contract
def encode_sentence(text: str, model: SentencePiece) -> list[int]:
    """The ids of a text's pieces; `decode_sentence` gives back the text, where a model has bytes and changes nothing first.

        decode(encode(s)) = s

    Book: eq-sentencepiece-lossless.

    >>> encode_sentence("hi", train_sentencepiece("hi hi", vocab_size=264))
    [260]
    """
    ids = {piece: number for number, piece in enumerate(model.pieces)}
    return [ids[piece] for piece in sentence_pieces(text, model)]


@contract
def decode_sentence(ids: Iterable[int], model: SentencePiece) -> str:
    """Join the pieces behind ids: ▁ becomes a space, but for the one in front; bytes become the characters that they spell.

        decode(encode(s)) = s

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
            text += text_of_bytes(pieces)
        elif kind == UNKNOWN:
            text += " \u2047 " * len(pieces)
        elif kind == NORMAL:
            for piece in pieces:
                dropped = SPACE_MARK * (text == "" and in_front)
                text += piece.removeprefix(dropped).replace(SPACE_MARK, " ")
                in_front = model.squeeze
    return text


@contract
@_written
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
    Training cuts before each ▁ and where letters, digits and other signs meet (Unigram: letters and other signs);
    encoding does not. `vocab_size` counts every piece; it is not reached where no pair is left.
    Raises ValueError where the special pieces, bytes and characters alone are more than `vocab_size`.
    Source: Kudo and Richardson (2018), arXiv:1808.06226.

    >>> train_sentencepiece("hi hi", vocab_size=264).pieces[259:]
    ('hi', '▁hi', 'h', 'i', '▁')
    """
    require(
        inside in INSIDE,
        f"inside is {inside!r}; wanted one of {', '.join(INSIDE)}. Fix: inside='bpe'.",
    )
    plain = normalise(text, rules)
    alphabet = _covering(_words(plain, _WORD), coverage)
    own = vocab_size - len(SPECIAL_PIECES) - len(BYTE_PIECES)
    require(
        own >= len(alphabet),
        f"vocab_size is {vocab_size}, but {len(SPECIAL_PIECES)} special pieces, 256 bytes and {len(alphabet)} characters "
        f"need {vocab_size - own + len(alphabet)}. Fix: ask for at least that many.",
    )
    learnt = _LEARN[inside](plain, own, alphabet)
    pieces = (*SPECIAL_PIECES, *BYTE_PIECES, *learnt)
    kinds = (*SPECIAL_PIECES.values(), *[BYTE] * 256, *[NORMAL] * len(learnt))
    scores = (*[0.0] * (len(pieces) - len(learnt)), *learnt.values())
    return SentencePiece(pieces, scores, kinds, inside, rules)


def _learn_merges(text: str, size: int, alphabet: list[str]) -> dict[str, float]:
    """The pieces that BPE makes, in its order, then the characters; each is worth less than the one before."""
    word_counts = _within(_words(text, _CHUNK), alphabet)
    tokens = train_bpe(word_counts, size, alphabet).tokens
    ordered = [*tokens[len(alphabet) :], *alphabet]
    return {piece: -float(place) for place, piece in enumerate(ordered)}


def _learn_probabilities(text: str, size: int, alphabet: list[str]) -> dict[str, float]:
    """The pieces that Unigram keeps, the most probable first, with the logarithms of their probabilities."""
    word_counts = _within(_words(text, _WORD), alphabet)
    others = len(SPECIAL_PIECES) + len(BYTE_PIECES)
    pieces, scores = train_unigram_by_best_cuts(word_counts, size, others=others)
    return dict(zip(pieces, scores.astype(np.float32).tolist()))


_LEARN = {"bpe": _learn_merges, "unigram": _learn_probabilities}


def _words(text: str, pattern: re.Pattern) -> Counter[str]:
    """What a pattern finds in each line, with its counts."""
    found: Counter[str] = Counter()
    for line in filter(None, text.replace(SPACE_MARK, _LITERAL).split("\n")):
        found.update(pattern.findall(mark_spaces(line)))
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


@contract
@_written
def _marked(text: str, model: SentencePiece) -> str:
    """The text as it is cut: normalised, with ▁ for spaces; a ▁ of its own is something else."""
    plain = prepared(text, model)
    return mark_spaces(plain.replace(SPACE_MARK, _LITERAL)) if plain else ""


def _word_of(scores: Mapping[str, float]) -> re.Pattern:
    """What must be cut as a whole: a character, and those behind it that stand behind another in some piece."""
    inner = {character for piece in scores for character in piece[1:]}
    return re.compile(
        f".[{re.escape(''.join(sorted(inner)))}]*" if inner else ".", re.DOTALL
    )


def _cut_by_merging(words: list[str], scores: Mapping[str, float]) -> list[str]:
    cuts = {word: merge_pieces(word, scores) for word in dict.fromkeys(words)}
    return [piece for word in words for piece in cuts[word]]


def _cut_by_unigram(words: list[str], scores: Mapping[str, float]) -> list[str]:
    return encode_unigram(words, Unigram(tuple(scores), np.array([*scores.values()])))


_CUT = {"bpe": _cut_by_merging, "unigram": _cut_by_unigram}


def _cut(marked: str, model: SentencePiece) -> list[str]:
    scores = model.scored()
    return _CUT[model.inside](_word_of(scores).findall(marked), scores)


def _spelt(found: list[str], model: SentencePiece) -> Iterator[tuple[str, list[str]]]:
    """Each part of a text with the pieces that it is written with; a run of unknown characters is one part."""
    scores, bytes_too = model.scored(), BYTE in model.kinds
    unknown = model.pieces[model.kinds.index(UNKNOWN)]
    for is_piece, run in groupby(found, key=scores.__contains__):
        if is_piece:
            yield from ((piece, [piece]) for piece in run)
        elif bytes_too:
            for character in run:
                yield character, [BYTE_PIECES[byte] for byte in _in_bytes(character)]
        else:
            yield "".join(run), [unknown]


def _in_bytes(piece: str) -> bytes:
    return piece.replace(_LITERAL, SPACE_MARK).encode("utf-8")
