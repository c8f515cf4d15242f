"""Dropout keeps the mean, its masks drop the share that they are told, and a sublayer with it is a sublayer."""

import numpy as np
import pytest

from transformer_math.block import NormParameters
from transformer_math.gradient import dropout_vjp, pre_norm_vjp
from transformer_math.gradient._sublayers import post_norm_vjp, with_dropout
from transformer_math.training import dropout, dropout_mask


def ten_times(x):
    return 10 * x, lambda dy: (10 * dy, "of the sublayer")


def test_masks_drop_the_share_that_they_are_told():
    u = np.random.default_rng(0).random(200_000)
    for p in (0.0, 0.1, 0.5, 0.9):
        assert 1 - dropout_mask(u, p).mean() == pytest.approx(p, abs=0.005)


def test_the_mean_over_many_masks_is_what_went_in():
    rng = np.random.default_rng(1)
    x = rng.normal(size=7)
    outputs = [
        dropout(x, dropout_mask(rng.random(7), 0.25), 0.25) for _ in range(20_000)
    ]
    np.testing.assert_allclose(np.mean(outputs, axis=0), x, atol=0.03)


def test_single_precision_stays_single():
    x = np.ones((2, 3), np.float32)
    kept = dropout_mask(np.random.default_rng(0).random(x.shape), 0.5)
    y, pullback = dropout_vjp(x, kept, 0.5)
    assert dropout(x, kept, 0.5).dtype == y.dtype == pullback(x)[0].dtype == np.float32


def test_what_is_not_a_probability_is_refused():
    x, kept = np.ones(2), np.array([True, False])
    for p in (1.0, -0.1, 1.5, float("nan")):
        with pytest.raises(ValueError, match="p is"):
            dropout(x, kept, p)
    with pytest.raises(ValueError, match="less than 1"):
        dropout_mask(np.array([0.5, 1.0]), 0.5)
    with pytest.raises(ValueError, match="kept"):
        dropout(x, kept.astype(float), 0.5)


@pytest.mark.parametrize("around", [post_norm_vjp, pre_norm_vjp])
def test_a_sublayer_with_dropout_is_a_sublayer(around):
    rng = np.random.default_rng(2)
    x, norm = rng.normal(size=(3, 4)), NormParameters(rng.normal(size=4), np.zeros(4))
    kept = dropout_mask(rng.random(x.shape), 0.5)
    dropping = with_dropout(ten_times, kept, 0.5)
    y, pullback = around(x, dropping, norm)
    way, dy = rng.normal(size=x.shape), rng.normal(size=x.shape)
    moved = [around(x + step * way, dropping, norm)[0] for step in (1e-6, -1e-6)]
    slope = np.sum((moved[0] - moved[1]) * dy) / 2e-6
    dx, _, of_sublayer = pullback(dy)
    assert np.sum(dx * way) == pytest.approx(slope, rel=1e-6)
    assert of_sublayer == "of the sublayer"
    whole, _ = around(x, ten_times, norm)
    everything, _ = around(x, with_dropout(ten_times, np.ones_like(kept), 0.0), norm)
    np.testing.assert_array_equal(whole, everything)
    assert np.abs(y - whole).max() > 0.1
