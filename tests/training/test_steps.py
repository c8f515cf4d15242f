"""What a step of an optimiser refuses, whichever it is."""

import numpy as np
import pytest

from transformer_math.training import adagrad_step, adam_start, adam_step

b = {"b": np.array([1.0, 2.0])}


@pytest.mark.parametrize("odd", [np.nan, np.inf])
@pytest.mark.parametrize(
    "step",
    [
        lambda gradients: adam_step(b, gradients, adam_start(b), 0.1),
        lambda gradients: adagrad_step(b, gradients, b, 0.1),
    ],
    ids=["adam", "adagrad"],
)
def test_gradients_that_are_not_finite_are_refused(step, odd):
    with pytest.raises(ValueError, match=r"gradients hold NaN or infinity.*Fix: \S"):
        step({"b": np.array([0.3, odd])})
    step({"b": np.array([0.3, 1e150])})
