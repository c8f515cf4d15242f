import numpy as np
import pytest
from bad_input import assert_refused, refusals

from transformer_math.attention import (
    entropy,
    softmax,
    softmax_jacobian,
)
from transformer_math.output import probabilities

rng = np.random.default_rng(4)
x = rng.normal(size=(2, 3))


def spoilt(row, value):
    scores = np.zeros((3, 4))
    scores[row, 2] = value
    return scores


def test_softmax_is_stable_at_ten_thousand():
    weights = softmax(np.array([[1e4, -1e4, 1e4]]))
    assert np.array_equal(weights, [[0.5, 0.0, 0.5]])


def test_the_largest_numbers_there_are_do_not_overflow():
    largest = np.finfo(float).max
    assert np.array_equal(softmax(np.array([largest, largest])), [0.5, 0.5])
    with np.errstate(over="ignore"):  # the difference of the two is -inf
        assert np.array_equal(softmax(np.array([largest, -largest])), [1, 0])


def test_a_row_of_nothing_gets_no_weight():
    assert np.array_equal(softmax(np.full((2, 3), -np.inf)), np.zeros((2, 3)))
    assert softmax(np.full((2, 3), -np.inf, np.float32)).dtype == np.float32


def test_scores_are_left_alone_and_integers_are_welcome():
    whole = np.array([[0, 0, 7]])
    assert np.allclose(softmax(whole), softmax(whole.astype(float)), rtol=0, atol=0)
    assert np.array_equal(whole, [[0, 0, 7]])


def test_entropy_runs_from_zero_to_log2():
    assert np.array_equal(entropy(np.array([[1.0, 0.0], [0.5, 0.5]])), [0, 1])
    assert np.array_equal(entropy(np.full((1, 8), 1 / 8)), [3])


def test_entropy_of_whole_numbers_is_that_of_real_ones():
    assert np.array_equal(entropy(np.array([[0, 1], [1, 0]])), [0, 0])


def test_the_jacobian_sends_a_constant_to_zero():
    assert np.allclose(softmax_jacobian(softmax(x)).sum(axis=-1), 0, atol=1e-16)


@refusals(
    ("NaN in the last row", lambda: softmax(spoilt(2, np.nan)), ("x holds nan at index (2, 2)",)),
    ("+inf in the first row", lambda: softmax(spoilt(0, np.inf)), ("x holds inf at index (0, 2)", "-inf")),
    ("scores that overflow on the way", lambda: probabilities(np.array([1e300, 0.0]), 1e-300), ("1e-300", "overflow")),
    ("a number", lambda: softmax(1.0), ("x is 1.0", "np.array(x)")),
    ("no scores", lambda: softmax(np.ones((3, 0))), ("(3, 0)",)),
    ("negative weight", lambda: entropy(np.array([-0.5, 1.5])), ("negative",)),
    ("weight NaN", lambda: entropy(spoilt(1, np.nan)), ("weights holds nan at index (1, 2)",)),
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:overflow")
def test_bad_input(call, words):
    assert_refused(call, words)
