"""The gradient of a hinge at its border, where the checks by differences cannot go."""

import numpy as np

from transformer_math.gradient import discriminator_loss_vjp


def test_scores_at_the_border_are_pushed_no_further():
    _, pullback = discriminator_loss_vjp(np.array([1.0, 0.0]), np.array([-1.0, 0.0]))
    of_real, of_drawn = pullback(1.0)
    assert of_real.tolist() == [0.0, -0.25]
    assert of_drawn.tolist() == [0.0, 0.25]
