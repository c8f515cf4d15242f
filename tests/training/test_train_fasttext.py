"""FastText's training: repeatable, in the precision of its counts, with a loss that falls."""

import numpy as np
from bad_input import assert_refused

from transformer_math.embedding import (
    cooccurrences,
    expected_negatives,
    expected_sampling_loss,
    ngram_rows,
    sum_of_ngrams,
)
from transformer_math.training import train_fasttext

KNOWN = ["sea", "seas", "whale"]
ROWS, OWNERS = ngram_rows(KNOWN, 20)
X = cooccurrences(np.array([0, 1, 2, 0, 2, 2, 1]), 3, 2)


def trained(X=X, seed=0, steps=60):
    return train_fasttext(X, ROWS, OWNERS, 23, 4, steps, np.random.default_rng(seed))


def test_the_same_seed_gives_the_same_table():
    np.testing.assert_array_equal(trained()[0], trained()[0])
    assert not np.array_equal(trained()[0], trained(seed=1)[0])


def test_the_loss_is_that_of_the_words_and_falls():
    Z, W_context, losses = trained()
    W = sum_of_ngrams(ROWS, OWNERS, Z)
    last = expected_sampling_loss(X, expected_negatives(X, 5), W, W_context)
    assert last < losses[-1] < losses[0]


def test_the_precision_is_that_of_the_counts():
    Z, W_context, _ = trained(X.astype(np.float32))
    assert Z.dtype == W_context.dtype == np.float32


def test_rows_that_no_word_uses_stay_where_they_began():
    unused = np.setdiff1d(np.arange(23), ROWS)
    np.testing.assert_array_equal(trained()[0][unused], trained(steps=1)[0][unused])


def test_vectors_begin_small_on_both_sides_of_0_and_move_by_a_tenth():
    def trained(*rate):
        return train_fasttext(X, ROWS, OWNERS, 3000, 4, 1, np.random.default_rng(0), *rate)  # fmt: skip

    extremes = [trained(1e-9)[0].min() * 2 * 4, trained(1e-9)[0].max() * 2 * 4]
    assert np.abs(extremes).max() <= 1 + 1e-6
    np.testing.assert_allclose(extremes, [-1, 1], atol=5e-3)
    assert -1 - 1e-6 <= trained(1e-9)[1].min() * 2 * 4 < 0 < trained(1e-9)[1].max()
    np.testing.assert_array_equal(trained()[0], trained(0.1)[0])


def test_refusals():
    assert_refused(lambda: trained(-X), ("negative count",))
