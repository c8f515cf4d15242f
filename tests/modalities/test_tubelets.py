import numpy as np
import pytest

from transformer_math.modalities import patchify, tubelets, untubelets
from transformer_math.signals.film import FRAMES, HEIGHT, WIDTH, film

rng = np.random.default_rng(7)


@pytest.mark.parametrize("length", [1, 2, 4, 24])
@pytest.mark.parametrize("patch_size", [1, 8, 32])
def test_cut_and_put_together_is_the_film(length, patch_size):
    T = tubelets(film(), length, patch_size)
    whole = untubelets(T, length, patch_size, FRAMES, HEIGHT, WIDTH)
    assert np.array_equal(whole, film())


def test_tubelets_of_one_frame_are_the_patches_of_each():
    X = rng.normal(size=(2, 3, 6, 4, 2))
    patches = patchify(X, 2).reshape(2, -1, 8)
    assert np.array_equal(tubelets(X, 1, 2), patches)


def test_what_tubelets_do_not_divide_is_refused_and_told():
    with pytest.raises(ValueError, match=r"5 frames of 6 by 9 pixels.*2 frames and 3"):
        tubelets(rng.normal(size=(5, 6, 9, 1)), 2, 3)
    with pytest.raises(ValueError, match=r"\(6, 12\).*no film of 2 frames"):
        untubelets(rng.normal(size=(6, 12)), 2, 2, frames=2, height=8, width=8)
    with pytest.raises(ValueError, match=r"\(1, 6\).*no film of 1 frames"):
        untubelets(rng.normal(size=(1, 6)), 1, 2, frames=1, height=2, width=2)


@pytest.mark.parametrize("sizes", [(3, 4, 4), (4, 5, 4), (4, 4, 5)])
def test_one_side_that_tubelets_do_not_divide_is_enough(sizes):
    T = rng.normal(size=(int(np.prod([side // 2 for side in sizes])), 8))
    with pytest.raises(ValueError, match="has no whole number of tubelets"):
        untubelets(T, 2, 2, *sizes)


def test_the_film_has_frames_that_differ_and_nobody_can_change():
    assert film().shape == (FRAMES, HEIGHT, WIDTH, 1)
    assert film().min() >= 0 and film().max() <= 1
    assert all(np.abs(a - b).mean() > 0.02 for a, b in zip(film(), film()[1:]))
    with pytest.raises(ValueError):
        film()[0] = 0


def test_several_films_at_once_are_put_together_each_by_itself():
    T = rng.normal(size=(3, 2, 4 * 2 * 2, 2 * 4))
    whole = untubelets(T, 2, 2, 8, 4, 4)
    each = [[untubelets(one, 2, 2, 8, 4, 4) for one in row] for row in T]
    assert whole.shape == (3, 2, 8, 4, 4, 1) and np.array_equal(whole, each)
