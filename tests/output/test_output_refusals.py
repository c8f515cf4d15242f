"""What the conditions of the output refuse, just outside of what they take, and what they let through."""

import warnings

import numpy as np
import pytest

from transformer_math.output import log_softmax, probabilities, sample

NOTHING = [-np.inf, -np.inf]


@pytest.mark.parametrize("rows", [[NOTHING], [NOTHING, [0.0, 1.0]], [[0.0, 1.0], NOTHING]], ids=str)  # fmt: skip
def test_a_row_without_a_possible_token(rows):
    assert log_softmax(np.array([[-np.inf, 5.0]])).tolist() == [[-np.inf, 0.0]]
    with pytest.raises(ValueError, match="no token is possible"):
        log_softmax(np.array(rows))
    with pytest.raises(ValueError, match="no token is possible"):
        probabilities(np.array(rows))


@pytest.mark.parametrize("logits, temperature", [([1e308, 0.0], 1e-3), ([1.0, 0.0], 1e-310), ([0.0, -1e308], 0.1)])  # fmt: skip
def test_a_temperature_at_which_one_logit_overflows(logits, temperature):
    """In a sentence, and without a warning of NumPy's before it."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ValueError, match="overflow"):
            probabilities(np.array(logits), temperature)
    assert probabilities(np.array([1e-320, 0.0]), 1e-310).sum() == pytest.approx(1)


def test_probabilities_that_add_up_to_one_in_few_digits_are_drawn_with():
    p = np.array([0.25, 0.75]) * (1 + 1.2e-8)
    drawn = sample(lambda ids: np.zeros(2), np.array([0]), 5, np.random.default_rng(0), lambda x: p)  # fmt: skip
    assert set(drawn[1:].tolist()) <= {0, 1}
