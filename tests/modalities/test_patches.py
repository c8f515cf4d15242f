import numpy as np
import pytest

from transformer_math.modalities import patchify, unpatchify
from transformer_math.signals.photographs import PORTRAIT_SIDE, portrait

rng = np.random.default_rng(7)


@pytest.mark.parametrize("patch_size", [1, 8, 12, 16, 24, 32, 48, 96])
def test_cut_and_put_together_is_the_photograph(patch_size):
    T = patchify(portrait(), patch_size)
    assert np.array_equal(unpatchify(T, patch_size, 96, 96), portrait())


def test_what_patches_do_not_divide_is_refused_and_told():
    with pytest.raises(ValueError, match=r"6 rows and 9 columns.*patches of 4"):
        patchify(rng.normal(size=(6, 9, 1)), 4)


def test_patches_of_another_picture_are_refused():
    with pytest.raises(ValueError, match=r"\(6, 12\).*8 by 8 pixels in patches of 2"):
        unpatchify(rng.normal(size=(6, 12)), 2, height=8, width=8)


@pytest.mark.parametrize(("height", "width"), [(6, 8), (8, 6)])
def test_a_picture_that_patches_do_not_divide_is_refused(height, width):
    with pytest.raises(ValueError, match="no whole number of patches of 4"):
        unpatchify(rng.normal(size=(3, 16)), 4, height, width)


def test_the_portrait_holds_pixels_that_nobody_can_change():
    assert portrait().shape == (PORTRAIT_SIDE, PORTRAIT_SIDE, 3)
    assert portrait().min() >= 0 and portrait().max() <= 1 and portrait().std() > 0.1
    with pytest.raises(ValueError):
        portrait()[0] = 0
