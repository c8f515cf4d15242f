"""Tokens at both ends, and what the objective and the schedules refuse."""

import numpy as np
import pytest
from bad_input import assert_refused, refusals

from transformer_math.training import (
    begin_and_end,
    cosine_schedule,
    perplexity,
    shift,
)
from transformer_math.training.objective import MOST


@refusals(
    ("one token", lambda: shift(np.array([[5], [3]])), ["(2, 1)", "no next one"]),
    (
        "a warm-up of all steps",
        lambda: cosine_schedule(1, 0.1, warm_up=5, steps=5),
        ["5 of 5 steps"],
    ),
)
def test_bad_input_is_refused_in_words(call, words):
    assert_refused(call, words)


def test_every_sequence_of_a_batch_gets_a_begin_and_an_end():
    ids = np.array([[5, 3], [7, 8]])
    wanted = [[1, 5, 3, 2], [1, 7, 8, 2]]
    assert begin_and_end(ids, begin=1, end=2).tolist() == wanted


def test_the_largest_loss_has_a_perplexity_and_the_next_one_is_refused():
    assert np.isfinite(perplexity(MOST))
    with pytest.raises(ValueError, match="beyond float64"):
        perplexity(np.nextafter(MOST, np.inf))
