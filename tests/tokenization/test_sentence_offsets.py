"""Where the pieces of SentencePiece stand in a text that its normalisation changes."""

import re

import numpy as np
import pytest

from transformer_math.tokenization import (
    SentencePieceTokenizer,
    normalised_places,
    sentence_spans,
)

TEXT = "only an opinion, an only opinion; only"


@pytest.mark.parametrize("inside", ["bpe", "unigram"])
def test_a_span_holds_its_piece_and_the_spaces_that_were_squeezed(inside):
    ours = SentencePieceTokenizer.train(TEXT, 300, inside=inside)
    model = ours.model._replace(squeeze=True)
    squeezing, rng = SentencePieceTokenizer(model), np.random.default_rng(0)
    for _ in range(200):
        text = "".join(rng.choice(["only", "an", " ", "  ", "   ", ","], size=8))
        pieces, spans = squeezing.tokenize(text), sentence_spans(text, model)
        assert len(pieces) == len(spans)
        for piece, (begin, end) in zip(pieces, spans):
            found = re.sub(" +", " ", text[begin:end])
            assert piece.replace("▁", " ") in (found, f" {found}")


def test_an_empty_map_leaves_every_character_at_its_place():
    assert normalised_places("añb", b"") == ("añb", [(0, 1), (1, 2), (2, 3)])


def test_of_several_spaces_the_first_stays():
    model = SentencePieceTokenizer.train(TEXT, 300).model._replace(squeeze=True)
    assert SentencePieceTokenizer(model).tokenize("an   only") == ["▁an", "▁only"]
    assert sentence_spans("an   only", model) == [(0, 2), (2, 9)]


def test_a_letter_and_its_mark_become_one_and_the_others_keep_their_places():
    found = [(0, 1), (1, 2), (2, 4), (4, 5)]
    assert normalised_places("abe\u0301c", "nfkc") == ("abéc", found)
