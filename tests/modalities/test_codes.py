"""Codes and strengths refuse what the checks, which draw what is right, never give them."""

import numpy as np
import pytest

from transformer_math.modalities import VqVae, code_perplexity, decode, energies, istft


@pytest.mark.parametrize("ids", [[-1, 0], [0, 2]])
def test_ids_that_no_codebook_of_two_has_are_refused(ids):
    with pytest.raises(
        ValueError, match=r"a codebook of 2 codes has the numbers 0 to 1"
    ):
        code_perplexity(np.array(ids), 2)


@pytest.mark.parametrize("sides", [(4, 6), (6, 4)])
def test_a_picture_that_squares_do_not_divide_is_refused(sides):
    with pytest.raises(ValueError, match="which squares of 4 do not divide"):
        energies(np.zeros((*sides, 1)), 4)


@pytest.mark.parametrize("ids", [[[-1, 0]], [[0, 2]]])
def test_codes_that_a_model_does_not_have_are_refused(ids):
    """Of two codes of one number each, and two codes for a frame."""
    model = VqVae(*map(np.ones, [(3, 2), 2, (2, 1), (2, 3), 3]))
    assert decode(np.array([[0, 1]]), model).shape == (1, 3)
    with pytest.raises(ValueError, match="the codebook has the codes 0 to 1"):
        decode(np.array(ids), model)


def test_a_hop_is_no_longer_than_its_window():
    A, B = np.ones((2, 3, 3))  # three windows of four samples
    assert istft(A, B, 4).shape == (12,)
    with pytest.raises(ValueError, match="longer than the window"):
        istft(A, B, 5)
