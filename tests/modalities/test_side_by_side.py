import numpy as np
import pytest

from transformer_math.modalities import clip_loss, noised, residual_codes

rng = np.random.default_rng(7)


def test_every_level_can_only_help_where_zero_is_a_code():
    Z = rng.normal(size=(50, 3))
    C = rng.normal(size=(4, 8, 3))
    C[:, 0] = 0
    codes = residual_codes(Z, C)
    left, errors = Z, [np.square(Z).sum()]
    for a, codebook in zip(codes, C):
        left = left - codebook[a]
        errors.append(np.square(left).sum())
    assert np.all(np.diff(errors) <= 0)


def test_noise_keeps_the_variance():
    x, noise = rng.normal(size=(2, 100_000))
    for kept in (0.0, 0.3, 1.0):
        assert noised(x, noise, kept).std() == pytest.approx(1, abs=0.02)


def test_pairs_that_cannot_be_told_apart_cost_the_logarithm_of_their_number():
    same = np.ones((6, 1))
    assert clip_loss(same, same) == pytest.approx(np.log(6))


def test_one_text_for_each_picture():
    with pytest.raises(ValueError, match=r"make n the same in V and U"):
        clip_loss(rng.normal(size=(3, 2)), rng.normal(size=(4, 2)))
