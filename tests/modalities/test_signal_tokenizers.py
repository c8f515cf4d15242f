"""One interface: what goes in comes back, whole where nothing was replaced, and as its nearest codes where it was."""

import numpy as np
import pytest

from transformer_math.modalities import (
    Coded,
    FilmTubelets,
    PicturePatches,
    PointGroups,
    SeriesWindows,
    TextTokens,
    nearest_codes,
)
from transformer_math.tokenization import ByteTokenizer

rng = np.random.default_rng(7)
WHOLE = [
    (SeriesWindows(3), rng.normal(size=(12, 2)), (4, 6)),
    (PicturePatches(2), rng.normal(size=(4, 6, 3)), (6, 12)),
    (FilmTubelets(2, 2), rng.normal(size=(4, 2, 6, 1)), (6, 8)),
]


@pytest.mark.parametrize(("tokenizer", "signal", "size"), WHOLE)
def test_pieces_come_back_whole(tokenizer, signal, size):
    tokens, shape = tokenizer.encode(signal)
    assert tokens.shape == size
    assert np.array_equal(tokenizer.decode(tokens, shape), signal)


def test_a_text_comes_back_from_its_ids():
    text = TextTokens(ByteTokenizer())
    ids, shape = text.encode("naïve")
    assert ids.dtype == int and shape == ()
    assert text.decode(ids, shape) == "naïve"


def test_points_come_back_in_groups():
    X = rng.normal(size=(20, 3))
    tokens, centres = PointGroups(number=5, size=4).encode(X)
    back = PointGroups(number=5, size=4).decode(tokens, centres)
    assert back.shape == (20, 3)
    assert np.abs(back[:, None] - X).sum(axis=-1).min(axis=1).max() < 1e-12


@pytest.mark.parametrize(("tokenizer", "signal", "size"), WHOLE)
def test_codes_stand_for_their_nearest_pieces(tokenizer, signal, size):
    codebook = rng.normal(size=(3, size[1]))
    coded = Coded(tokenizer, codebook)
    ids, shape = coded.encode(signal)
    tokens, _ = tokenizer.encode(signal)
    assert np.array_equal(ids, nearest_codes(tokens, codebook))
    again, _ = tokenizer.encode(coded.decode(ids, shape))
    assert np.allclose(again, codebook[ids])


def test_with_a_code_for_each_piece_nothing_is_lost():
    tokenizer, signal, size = WHOLE[1]
    coded = Coded.train(tokenizer, signal, size[0], np.random.default_rng(0))
    assert np.allclose(coded.decode(*coded.encode(signal)), signal)


def test_what_cannot_be_cut_or_coded_is_refused_in_words():
    with pytest.raises(ValueError, match=r"12 moments.* windows of 5 .*Fix: \S"):
        SeriesWindows(5).encode(rng.normal(size=(12, 1)))
    with pytest.raises(ValueError, match=r"6 pieces; wanted at least 7.*Fix: \S"):
        Coded.train(*WHOLE[1][:2], 7, np.random.default_rng(0))
