"""SentencePiece made fast for many texts: what is looked up in a model is made once, and words are remembered."""

from collections.abc import Callable, Collection, Mapping

import numpy as np

from transformer_math.tokenization._pieces_by_heap import merge_pieces_by_heap
from transformer_math.tokenization._remembered import Remembered, ids_of
from transformer_math.tokenization._unigram_cutter import unigram_cutter
from transformer_math.tokenization.sentencepiece import (
    inseparable,
    marked_text,
)
from transformer_math.tokenization.sentencepiece_model import (
    BYTE,
    BYTE_PIECES,
    LITERAL_MARK,
    SPACE_MARK,
    UNKNOWN,
    SentencePiece,
)
from transformer_math.tokenization.unigram import Unigram

OfWords = Callable[[Collection[str]], dict[str, list[str]]]


def sentence_encoder(model: SentencePiece) -> Callable[[str], list[int]]:
    """A function that encodes a text as `encode_sentence` does.

    >>> kinds = (2, 1, 1)
    >>> sentence_encoder(SentencePiece(("<unk>", "▁", "a"), (0.0, -1.0, -2.0), kinds))("a aé")
    [1, 2, 1, 2, 0]
    """
    scores = model.scored()
    cut = _CUT[model.inside](scores)
    ids = {piece: number for number, piece in enumerate(model.pieces)}
    words_of = inseparable(scores).findall
    known = {piece: ids[piece] for piece in scores}
    bytes_too, unknown = BYTE in model.kinds, model.kinds.index(UNKNOWN)

    def of_unknown(piece: str) -> list[int]:
        utf8 = piece.replace(LITERAL_MARK, SPACE_MARK).encode()
        return [ids[BYTE_PIECES[byte]] for byte in utf8] if bytes_too else [unknown]

    def of_words(words: Collection[str]) -> dict[str, list[int]]:
        return {
            w: ids_of(pieces, known, of_unknown) for w, pieces in cut(words).items()
        }

    words = Remembered(of_words)

    def encode(text: str) -> list[int]:
        found = words.of_all(words_of(marked_text(text, model)))
        return found if bytes_too else _one_of_a_run(unknown, found)

    return encode


def _one_of_a_run(unknown: int, ids: list[int]) -> list[int]:
    """Of unknown ids in a row only the first."""
    before = [None, *ids]
    return [i for i, left in zip(ids, before) if not i == left == unknown]


def _by_merging(scores: Mapping[str, float]) -> OfWords:
    return lambda words: {word: merge_pieces_by_heap(word, scores) for word in words}


def _by_unigram(scores: Mapping[str, float]) -> OfWords:
    return unigram_cutter(Unigram(tuple(scores), np.array([*scores.values()])))


_CUT = {"bpe": _by_merging, "unigram": _by_unigram}
