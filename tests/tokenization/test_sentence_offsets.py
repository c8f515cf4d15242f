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
