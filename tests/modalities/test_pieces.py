import numpy as np
import pytest

from transformer_math.modalities import (
    bit_rate,
    count_pieces,
    patchify,
    signal_to_noise,
)

rng = np.random.default_rng(7)


@pytest.mark.parametrize("P", [1, 2, 3, 6])
def test_patches_are_pieces_of_two_axes(P):
    X = rng.normal(size=(12, 18, 3))
    sizes, piece = np.array(X.shape[:2]), np.array([P, P])
    assert count_pieces(sizes, piece, piece) == len(patchify(X, P))


def test_what_does_not_come_out_is_refused():
    with pytest.raises(ValueError, match=r"something would be left over. Fix:"):
        count_pieces(np.array([10]), np.array([3]), np.array([2]))
    with pytest.raises(ValueError, match=r"left over. Fix:"):
        count_pieces(np.array([2]), np.array([3]), np.array([1]))
    with pytest.raises(ValueError, match=r"left over. Fix:"):
        count_pieces(np.array([2, 4]), np.array([3, 2]), np.array([1, 1]))
    with pytest.raises(ValueError, match=r"left over. Fix:"):
        count_pieces(np.array([8, 9]), np.array([4, 4]), np.array([4, 4]))
    with pytest.raises(ValueError, match=r"1 or more on each. Fix:"):
        count_pieces(np.array([4, 0]), np.array([2, 0]), np.array([2, 1]))


def test_a_stride_of_0_on_one_axis_is_refused():
    with pytest.raises(ValueError, match="wanted 1 or more on each"):
        count_pieces(np.array([4, 4]), np.array([2, 2]), np.array([0, 2]))


def test_a_codebook_of_one_costs_nothing():
    assert bit_rate(1000, 1.0, 1) == 0.0


def test_ten_times_less_noise_is_twenty_decibels_more():
    x, noise = rng.normal(size=(2, 50))
    near, far = signal_to_noise(x, x + noise / 10), signal_to_noise(x, x + noise)
    assert near - far == pytest.approx(20, abs=1e-9)


def test_a_perfect_copy_has_no_noise_and_silence_has_no_ratio():
    with np.errstate(divide="raise"):
        assert signal_to_noise(np.array([1.0, 2.0]), np.array([1.0, 2.0])) == np.inf
    with pytest.raises(ValueError, match=r"without energy .* Fix: \S"):
        signal_to_noise(np.zeros(2), np.ones(2))


def test_numbers_whose_squares_are_beyond_all_floats_have_a_ratio():
    far = np.array([1.0, 1e200])
    with np.errstate(over="raise"):
        near = signal_to_noise(np.ones(2), far)
        assert near == pytest.approx(10 * np.log10(2) - 4000, rel=1e-12)
        assert signal_to_noise(far, np.ones(2)) == 0


def test_a_copy_may_be_wrong_by_what_has_no_square():
    faint = signal_to_noise(np.array([1.0, 1e-200]), np.array([1.0, 2e-200]))
    assert faint == pytest.approx(4000, rel=1e-12)
    silent = signal_to_noise(np.array([1e-200]), np.array([1.0]))
    assert silent == pytest.approx(-4000, rel=1e-12)
