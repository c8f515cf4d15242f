"""GloVe's training: repeatable, in the precision of its counts, and right about what was planted."""

import numpy as np
import pytest
from bad_input import assert_refused

from transformer_math.embedding import (
    analogy_accuracy,
    cooccurrences,
    frequent_words,
    glove_loss,
    number_analogies,
    planted_analogies,
    planted_sentences,
)
from transformer_math.training import glove_start, train_glove

rng = np.random.default_rng(3)
X = np.exp(rng.normal(size=(9, 9)))
X = X + X.T


def trained(X=X, seed=0, **settings):
    return train_glove(X, 4, 20, np.random.default_rng(seed), **settings)


def test_the_same_seed_gives_the_same_vectors_and_another_one_others():
    one, again, other = trained()[0], trained()[0], trained(seed=1)[0]
    assert all(np.array_equal(a, b) for a, b in zip(one, again))
    assert not np.array_equal(one.W, other.W)


def test_counts_stay_as_they_are_and_give_the_precision():
    counts = X.astype(np.float32)
    kept = counts.copy()
    glove, _ = trained(counts)
    assert {part.dtype for part in glove} == {np.dtype(np.float32)}
    np.testing.assert_array_equal(counts, kept)
    assert {part.dtype for part in trained()[0]} == {np.dtype(np.float64)}


def test_the_first_loss_of_a_single_block_is_that_of_the_start():
    _, losses = trained(rows_at_once=9)
    start = glove_start(9, 4, np.random.default_rng(0), np.float64)
    assert losses[0] == pytest.approx(glove_loss(X, *start))
    assert losses[-1] < losses[0] / 10


def test_what_nobody_says_are_the_settings_of_the_paper_and_blocks_of_a_hundred():
    X = np.exp(3 * np.random.default_rng(1).normal(size=(101, 101)))
    said = {"learning_rate": 0.2, "rows_at_once": 100, "x_max": 100.0, "alpha": 0.75}
    both = [train_glove(X + X.T, 2, 2, np.random.default_rng(0), **s) for s in ({}, said)]  # fmt: skip
    np.testing.assert_array_equal(both[0][1], both[1][1])


def test_vectors_begin_small_on_both_sides_of_0():
    for part in glove_start(3000, 2, np.random.default_rng(0)):
        extremes = np.array([part.min(), part.max()]) * 2 * 2
        assert np.abs(extremes).max() <= 1
        np.testing.assert_allclose(extremes, [-1, 1], atol=5e-3)


def test_every_row_moves_in_every_epoch():
    glove, _ = train_glove(X, 4, 1, np.random.default_rng(0), rows_at_once=2)
    start = glove_start(9, 4, np.random.default_rng(0), np.float64)
    assert all((a != b).all() for a, b in zip(glove, start))


def test_vectors_are_the_sum_of_both():
    glove, _ = trained()
    np.testing.assert_array_equal(glove.vectors, glove.W + glove.W_context)


def test_planted_analogies_are_found():
    sentences = planted_sentences(np.random.default_rng(0), 20_000)
    tokens = [word for sentence in sentences for word in (*sentence, ".")]
    known = frequent_words([word for word in tokens if word != "."], 1)
    ids_of = {word: i for i, word in enumerate(known)}
    ids = np.array([ids_of.get(word, -1) for word in tokens])
    counts = cooccurrences(ids, len(known), 5).astype(np.float32)
    glove, _ = train_glove(
        counts, 50, 50, np.random.default_rng(0), learning_rate=0.1, rows_at_once=50
    )
    for asked in planted_analogies().values():
        assert analogy_accuracy(glove.vectors, number_analogies(asked, known)) > 0.97


def test_refusals():
    assert_refused(lambda: trained(X[:4]), ("(4, 9)", "wanted (V, V)"))
    assert_refused(lambda: trained(-X), ("negative count",))
