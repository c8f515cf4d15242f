"""One neuron that learns."""

import numpy as np

from transformer_math.block import neuron_loss
from transformer_math.gradient import neuron_loss_vjp


def test_a_step_against_the_gradient_lowers_the_loss():
    rng = np.random.default_rng(7)
    for _ in range(100):
        x, w = rng.normal(size=(2, 5))
        b, t = rng.normal(), float(rng.integers(2))
        loss, pullback = neuron_loss_vjp(x, w, b, t)
        _, dw, db = pullback(1.0)
        assert neuron_loss(x, w - 0.01 * dw, b - 0.01 * db, t) < loss
