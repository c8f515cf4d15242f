"""Lengths and their ratios, of numbers from the smallest to the largest; temperatures that leave the range are refused."""

import numpy as np
import pytest

from transformer_math.gradient import clip_loss_vjp, gumbel_softmax_vjp
from transformer_math.modalities import (
    adaptive_weight,
    clip_loss,
    gumbel_softmax,
    signal_to_noise,
)


@pytest.mark.parametrize(
    ("dtype", "scale"),
    [
        (np.float32, 1e-30),
        (np.float32, 1e30),
        (np.float64, 1e-200),
        (np.float64, 1e200),
    ],
)
def test_gradients_of_any_length_have_a_weight(dtype, scale):
    g = np.array([3.0, 4.0]).astype(dtype) * dtype(scale)
    one = np.array([0.0, 1.0]).astype(dtype)
    assert adaptive_weight(g, one, 1.0) == pytest.approx(2.5 * scale, rel=1e-6)
    wanted = 1 / (5 * scale + 1)
    assert adaptive_weight(one, g, 1.0) == pytest.approx(wanted, rel=1e-6)


@pytest.mark.parametrize(
    ("dtype", "power"),
    [(np.float32, -37), (np.float32, -60), (np.float64, -100), (np.float64, -150)],
)
def test_a_signal_far_below_its_noise_has_a_ratio(dtype, power):
    x = np.array([1.0, 1.0]).astype(dtype) * dtype(10.0 ** (power // 2))
    y = np.array([1.0, 1.0]).astype(dtype) * dtype(10.0 ** (power // 2 - power))
    assert signal_to_noise(x, y) == pytest.approx(20 * power, rel=1e-6)


def test_a_temperature_by_which_products_overflow_is_refused():
    for call in (clip_loss, clip_loss_vjp, gumbel_softmax, gumbel_softmax_vjp):
        with pytest.raises(ValueError, match=r"temperature is 1e-310.*Fix: \S"):
            call(np.eye(2), np.eye(2), 1e-310)
    assert clip_loss(np.eye(2), np.eye(2), 1e-300) == 0
