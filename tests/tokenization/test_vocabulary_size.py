"""Laws of words on the book's own text, and what is refused."""

from collections import Counter

import numpy as np
import pytest
from bad_input import assert_refused, refusals

from transformer_math.corpus import moby_dick
from transformer_math.tokenization import (
    fit_power_law,
    rare_share,
    words,
    zipf_exponent,
    zipf_log_likelihood,
)


@pytest.fixture(scope="module")
def counts():
    read = Counter(words(moby_dick()[:200_000]))
    return np.array([count for _, count in read.most_common()], dtype=float)


def test_the_likeliest_exponent_beats_its_neighbours_on_real_text(counts):
    best = zipf_exponent(counts)
    assert 0.9 < best < 1.1
    highest = zipf_log_likelihood(counts, best)
    for other in (best - 0.01, best + 0.01):
        assert zipf_log_likelihood(counts, other) < highest


def test_a_text_that_follows_the_law_gives_its_exponent_back():
    ranks = np.arange(1.0, 2000)
    assert zipf_exponent(1e6 * ranks**-1.3) == pytest.approx(1.3)
    assert fit_power_law(ranks, 1e6 * ranks**-1.3) == pytest.approx((1e6, -1.3))


def test_a_steep_text_has_a_large_exponent():
    for first in (1e6, 1e15):
        steep = np.array([first, 1.0])
        assert zipf_exponent(steep) == pytest.approx(np.log2(first))


def test_the_most_frequent_words_may_be_as_frequent_as_each_other():
    """Of the words of rank 1, 2 and 3 the law expects the mean logarithm that was observed."""
    ranks = np.arange(1, 4)
    powers = ranks ** -zipf_exponent(np.array([3.0, 3.0, 1.0]))
    expected = powers @ np.log(ranks) / powers.sum()
    assert expected == pytest.approx((3 * np.log(2) + np.log(3)) / 7)


def test_rare_is_below_and_not_at():
    assert rare_share(np.array([5.0, 4.0, 0.0, 6.0]), 5) == 0.5


ONE = np.ones(1)


@refusals(
    ("one place", lambda: fit_power_law(np.ones(3), np.ones(3)), ("two different",)),
    ("zero x", lambda: fit_power_law(np.arange(2.0), np.ones(2)), ("x and y",)),
    ("zero y", lambda: fit_power_law(np.ones(2), np.arange(2.0)), ("x and y",)),
    ("unsorted", lambda: zipf_exponent(np.array([1.0, 2.0])), ("largest first",)),
    ("one word", lambda: zipf_log_likelihood(ONE, 1.0), ("at least two",)),
    ("a zero", lambda: zipf_exponent(np.array([1.0, 0.0])), ("positive",)),
    ("all equal", lambda: zipf_exponent(np.ones(3)), ("equal",)),
    ("negative", lambda: rare_share(np.array([9.0, -1.0]), 5), ("at least 0",)),
)
def test_bad_input(call, words):
    assert_refused(call, words)
