"""Cosines, shares and pointwise mutual information do not depend on the unit of vectors and counts."""

import numpy as np
import pytest
from units_of_arrays import UNITS

from transformer_math.embedding import (
    analogy_accuracy,
    analogy_cosines,
    context_probabilities,
    expected_negatives,
    keep_probability,
    letters_vector,
    nearest_words,
    noise_distribution,
    plane_of_question,
    ppmi,
    shifted_pmi,
)

TABLE = np.array([[3.0, 1.0, 2.0], [1.0, 5.0, 4.0], [2.0, 4.0, 1.0]])
VECTORS = np.array([[3.0, 1.0], [1.0, 3.0], [3.0, 2.0], [2.0, 3.0], [0.0, 0.0]])
WORDS = ["sea", "ship", "whale", "seaman", "none"]


def scaled(dtype, power, x):
    return np.ldexp(x.astype(dtype), power)


@pytest.fixture(params=[ppmi, context_probabilities, lambda C: shifted_pmi(C, 2)])
def of_table(request):
    return request.param


def near(got, wanted, dtype):
    assert got.dtype == dtype
    apart = np.abs(got - wanted).max()
    assert apart <= 4 * np.finfo(dtype).eps * np.abs(wanted).max()


@UNITS
def test_tables_of_counts(of_table, dtype, power):
    near(of_table(scaled(dtype, power, TABLE)), of_table(TABLE.astype(dtype)), dtype)


@UNITS
def test_counts(dtype, power):
    counts = scaled(dtype, power, np.array([16.0, 1.0]))
    near(noise_distribution(counts), [8 / 9, 1 / 9], dtype)
    near(noise_distribution(counts, 1.0), [16 / 17, 1 / 17], dtype)
    near(keep_probability(counts, 1 / 17), [0.25, 1.0], dtype)
    wanted = scaled(dtype, power, np.array([[3.0, 3.0], [3.0, 3.0]]))
    C = scaled(dtype, power, np.diag([3.0, 3.0]))
    near(expected_negatives(C, 2.0), wanted, dtype)


def test_counts_near_the_largest_number():
    counts = np.float32([3e38, 3e38])
    assert noise_distribution(counts, 1.0).tolist() == [0.5, 0.5]
    assert keep_probability(counts).tolist() == pytest.approx([20**0.5 / 1000] * 2)
    near(ppmi(np.diag(counts)), np.log(2) * np.eye(2), np.float32)


def test_powers_out_of_the_range_of_numbers_are_refused():
    for call in (
        lambda: noise_distribution(np.array([1e3, 1.0]), 200.0),
        lambda: ppmi(TABLE * 1e3, smoothing=200.0),
        lambda: shifted_pmi(TABLE * 1e3, 1, smoothing=200.0),
        lambda: ppmi(np.ldexp(TABLE, -500), smoothing=2000.0),
    ):
        with pytest.raises(ValueError, match=r"000?\.0 takes counts .*Fix: \S"):
            call()
    assert noise_distribution(np.array([9.0, 3.0]), 2.0).tolist() == [0.9, 0.1]
    assert not ppmi(np.zeros((2, 2)), smoothing=3.0).any()


@UNITS
def test_cosines(dtype, power):
    W = scaled(dtype, power, VECTORS)
    questions = np.array([[0, 1, 2]])
    wanted = analogy_cosines(VECTORS.astype(dtype), questions)
    assert np.array_equal(analogy_cosines(W, questions), wanted)
    assert not wanted[:, 4].any()
    assert analogy_accuracy(W, np.array([[0, 1, 2, 3]])) == 1.0
    wanted = nearest_words("sea", WORDS, VECTORS.astype(dtype))
    assert nearest_words("sea", WORDS, W) == wanted
    wanted = letters_vector("seas", WORDS, VECTORS.astype(dtype))
    assert np.array_equal(letters_vector("seas", WORDS, W), wanted)
    assert np.linalg.norm(wanted) == pytest.approx(1)


def test_the_unit_may_change_from_row_to_row():
    W = np.ldexp(VECTORS, np.array([[-900], [900], [0], [300], [0]]))
    questions = np.array([[0, 1, 2]])
    assert np.array_equal(
        analogy_cosines(W, questions), analogy_cosines(VECTORS, questions)
    )
    assert nearest_words("sea", WORDS, W) == nearest_words("sea", WORDS, VECTORS)


@UNITS
def test_the_plane_of_a_question(dtype, power):
    W = np.array([[0, 0, 1], [2, 0, 1], [1, 3, 1], [5, 5, 5.0]])
    got = plane_of_question(scaled(dtype, power, W), 0, 1, 2)
    wanted = plane_of_question(W.astype(dtype), 0, 1, 2)
    assert np.array_equal(got, scaled(dtype, power, wanted))
