"""SentencePiece: raw text in, a space is a character like any other, and what has no piece is written in bytes."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from transformer_math.contract import contract, requires
from transformer_math.tokenization._byte_pieces import text_of_bytes
from transformer_math.tokenization._ids import known_ids
from transformer_math.tokenization.normalisation import normalise
from transformer_math.tokenization.sentencepiece_model import (
    BYTE,
    BYTE_PIECES,
    LITERAL_MARK,
    NORMAL,
    SPACE_MARK,
    UNKNOWN,
    SentencePiece,
)
from transformer_math.tokenization.unigram import Unigram, encode_unigram
from transformer_math.tokenization.utf8 import _writable


@contract
def mark_spaces(text: str) -> str:
    """Write each space as ▁, and one more in front, so that a word looks the same wherever it stands.

        decode(encode(s)) = s

    Book: eq-sentencepiece-lossless. Source: Kudo and Richardson (2018), arXiv:1808.06226.

    >>> mark_spaces("it is  it")
    '▁it▁is▁▁it'
    """
    return SPACE_MARK + text.replace(" ", SPACE_MARK)


def _comparable(scores: Mapping[str, Any]) -> bool:
    try:
        with np.errstate(invalid="ignore"):
            # NaN if one of them is, or if both infinities are
            total = sum(scores.values())
    except TypeError:
        return False
    return bool(total == total) or not any(x != x for x in scores.values())


@contract
@requires(
    _comparable,
    "a score is NaN or no number, and neither better nor worse than another. Fix: float(score), or leave its piece out.",
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

    >>> from transformer_math.tokenization import train_sentencepiece
    >>> prepared(" a  b ", train_sentencepiece("a b", vocab_size=262)._replace(squeeze=True))
    'a b'
    """
    plain = normalise(text, model.rules)
    return re.sub(" +", " ", plain).strip(" ") if model.squeeze else plain


@contract
@_writable
def marked_text(text: str, model: SentencePiece) -> str:
    """The text as it is cut: prepared, with ▁ for spaces; a ▁ of the text itself gets a sign that no piece has.

    >>> marked_text("hi  hi", SentencePiece(("<unk>", "h", "i"), (0.0, 0.0, 0.0), (2, 1, 1)))
    '▁hi▁▁hi'
    """
    plain = prepared(text, model)
    return mark_spaces(plain.replace(SPACE_MARK, LITERAL_MARK)) if plain else ""


@contract
def cut_marked(marked: str, model: SentencePiece) -> list[str]:
    """Cut a marked text by the algorithm inside: merges by score, or the most probable pieces. What has no piece stays single.

    >>> cut_marked("▁hi", SentencePiece(("<unk>", "▁", "h", "hi"), (0.0, -2.0, -2.0, -3.0), (2, 1, 1, 1), "unigram"))
    ['▁', 'hi']
    """
    scores = model.scored()
    words = inseparable(scores).findall(marked)
    if model.inside == "bpe":
        cuts = {word: merge_pieces(word, scores) for word in dict.fromkeys(words)}
        return [piece for word in words for piece in cuts[word]]
    return encode_unigram(words, Unigram(tuple(scores), np.array([*scores.values()])))


@contract
def inseparable(scores: Mapping[str, float]) -> re.Pattern:
    """What must be cut as a whole: a character, and those after it that stand after another in some piece.

    No piece reaches over the places between, so each part can be cut by itself.

    >>> inseparable({"▁a": 0.0, "ab": 0.0}).findall("▁ab▁a")
    ['▁ab', '▁a']
    """
    inner = sorted({character for piece in scores for character in piece[1:]})
    behind = f"[{re.escape(''.join(inner))}]*" if inner else ""
    return re.compile("." + behind, re.DOTALL)


@contract
def spelt_parts(
    found: Sequence[str], model: SentencePiece
) -> list[tuple[str, list[str]]]:
    """Each part of a cut text with the pieces that it is written with: itself, its bytes, or unknown, once for a whole run.

    >>> spelt_parts(["hi", "é", "é"], SentencePiece(("<unk>", "hi"), (0.0, 0.0), (2, 1)))
    [('hi', ['hi']), ('éé', ['<unk>'])]
    """
    parts: list[tuple[str, list[str]]] = []
    for is_piece, run in groupby(found, key=model.scored().__contains__):
        if is_piece:
            parts += [(piece, [piece]) for piece in run]
        elif BYTE in model.kinds:
            for character in run:
                utf8 = character.replace(LITERAL_MARK, SPACE_MARK).encode()
                parts.append((character, [BYTE_PIECES[byte] for byte in utf8]))
        else:
            parts.append(("".join(run), [model.pieces[model.kinds.index(UNKNOWN)]]))
    return parts


@contract
@_writable
def sentence_pieces(text: str, model: SentencePiece) -> list[str]:
    """Cut a raw text into pieces; a character that has none is written as its bytes, by a model without bytes as unknown.

    A ▁ of the text itself is such a character, since it must not come back as a space.

    >>> from transformer_math.tokenization import train_sentencepiece
    >>> sentence_pieces("hi hi", train_sentencepiece("hi hi", vocab_size=264))
    ['▁hi', '▁hi']
    """
    found = cut_marked(marked_text(text, model), model)
    return [piece for _, pieces in spelt_parts(found, model) for piece in pieces]


@contract
def encode_sentence(text: str, model: SentencePiece) -> list[int]:
    """The ids of a text's pieces; `decode_sentence` gives back the text, where a model has bytes and changes nothing first.

        decode(encode(s)) = s

    Book: eq-sentencepiece-lossless.

    >>> from transformer_math.tokenization import train_sentencepiece
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

    >>> from transformer_math.tokenization import train_sentencepiece
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
