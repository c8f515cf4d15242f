"""Tokens at both ends, and what the objective and the schedules refuse."""

import numpy as np
import pytest
from bad_input import assert_refused, refusals

from transformer_math.gradient import cross_entropy_vjp
from transformer_math.scaling import LARGEST_LOG
from transformer_math.training import (
    begin_and_end,
    cosine_schedule,
    cross_entropy,
    perplexity,
    shift,
)


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
    assert np.isfinite(perplexity(LARGEST_LOG))
    with pytest.raises(ValueError, match="beyond float64"):
        perplexity(np.nextafter(LARGEST_LOG, np.inf))


def loss_of_the_twin(*arguments):
    return cross_entropy_vjp(*arguments)[0]


LOSSES = pytest.mark.parametrize("loss", [cross_entropy, loss_of_the_twin])


@LOSSES
@pytest.mark.parametrize(("dtype", "far"), [(np.float32, 2e38), (np.float64, 1e308)])
def test_a_model_that_is_as_sure_as_can_be_has_no_loss(loss, dtype, far):
    with np.errstate(over="ignore"):
        assert loss(np.array([[far, -far]], dtype), np.array([0])) == 0
        with pytest.raises(ValueError, match="comes to inf"):
            loss(np.array([[far, -far]], dtype), np.array([1]))


@LOSSES
@pytest.mark.parametrize(
    ("dtype", "weight"),
    [
        (np.float32, 3e38),
        (np.float32, 1e-45),
        (np.float64, 1.7e308),
        (np.float64, 5e-324),
    ],
)
def test_weights_of_any_size_are_ratios(loss, dtype, weight):
    logits = np.log(np.array([[0.5, 0.5], [0.25, 0.75]], dtype))
    weights = np.array([weight, weight], dtype)
    wanted = (np.log(2) + np.log(4)) / 2
    assert loss(logits, np.array([0, 0]), weights) == pytest.approx(wanted, rel=1e-6)
    one = loss(logits[0], np.array(0), weights[0, ...])
    assert one == pytest.approx(np.log(2), rel=1e-6)


def test_weights_of_any_size_share_the_gradient():
    logits, targets = np.zeros((2, 2), np.float32), np.array([0, 1])
    _, pullback = cross_entropy_vjp(logits, targets, np.float32([3e38, 3e38]))
    assert pullback(1.0)[0].tolist() == [[-0.25, 0.25], [0.25, -0.25]]
