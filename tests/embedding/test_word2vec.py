"""Word2vec: its windows, and what training brings about on a corpus with planted analogies."""

import numpy as np
import pytest

from transformer_math.embedding import (
    analogy_accuracy,
    cbow_context,
    count_neighbours,
    frequent_words,
    noise_distribution,
    number_analogies,
    number_sentences,
    planted_analogies,
    planted_sentences,
    shifted_pmi,
    skip_gram_objective,
    window_contexts,
    window_pairs,
)
from transformer_math.training import train_word2vec


def test_the_pairs_are_the_counts_of_neighbours():
    ids = np.random.default_rng(0).integers(-1, 6, size=200)
    C = np.zeros((6, 6))
    np.add.at(C, tuple(window_pairs(ids, window=3).T), 1)
    assert np.array_equal(C, count_neighbours(ids, 6, 6, window=3))


def test_a_text_of_one_word_has_no_pair_and_no_loss():
    assert window_pairs(np.array([3]), window=2).shape == (0, 2)
    assert window_contexts(np.array([3]), window=1).tolist() == [[-1, -1]]
    assert skip_gram_objective(np.array([0]), np.eye(2), np.eye(2), window=2) == 0


def test_with_one_word_around_the_mean_is_its_vector():
    E = np.random.default_rng(0).normal(size=(4, 3))
    assert np.array_equal(cbow_context(np.array([[2], [0]]), E), E[[2, 0]])


def test_a_place_with_nothing_around_is_refused():
    with pytest.raises(ValueError, match="nothing to average"):
        cbow_context(np.array([[-1, -1]]), np.eye(2))


@pytest.mark.parametrize("seed", range(3))
def test_skip_gram_finds_the_planted_analogies_and_the_shifted_pmi(seed):
    rng = np.random.default_rng(seed)
    sentences = planted_sentences(rng, 6000)
    words = frequent_words([w for s in sentences for w in s], at_least=1)
    ids = number_sentences(sentences, words, gap=3)
    C = count_neighbours(ids, len(words), len(words), window=3)
    centres, contexts = window_pairs(ids, window=3).T
    noise = noise_distribution(C.sum(axis=0))
    model = train_word2vec(
        centres[:, None], contexts, noise, rng, d=40, steps=500, learning_rate=0.03
    )
    assert model.losses[-50:].mean() < 0.5 * model.losses[0]
    asked = [four for questions in planted_analogies().values() for four in questions]
    assert analogy_accuracy(model.E, number_analogies(asked, words)) > 0.95
    often = C >= 10
    scores = (model.E @ model.U.T)[often]
    assert np.corrcoef(scores, shifted_pmi(C, k=5)[often])[0, 1] > 0.85


def test_vectors_begin_small_on_both_sides_of_0():
    """As word2vec's own program draws them: evenly between −1/(2d) and 1/(2d)."""
    contexts, noise = np.array([[0]]), np.full(2000, 1 / 2000)
    rng = np.random.default_rng(0)
    model = train_word2vec(contexts, np.array([1]), noise, rng, d=4, steps=1)
    extremes = np.array([model.E.min(), model.E.max()]) * 2 * 4
    assert np.abs(extremes).max() <= 1
    np.testing.assert_allclose(extremes, [-1, 1], atol=1e-3)


def test_what_nobody_says_is_five_invented_words_and_a_thousand_steps():
    def trained(**settings):
        contexts, noise = np.array([[0], [1]]), np.full(3, 1 / 3)
        rng = np.random.default_rng(0)
        return train_word2vec(contexts, np.array([1, 2]), noise, rng, 2, **settings)

    assert len(trained(batch_size=1).losses) == 1000
    said = trained(k=5, batch_size=512, learning_rate=0.01, steps=3)
    assert np.array_equal(trained(steps=3).E, said.E)


def test_a_seed_gives_the_same_vectors():
    def trained(seed):
        rng = np.random.default_rng(seed)
        contexts, noise = np.array([[0], [1]]), np.full(3, 1 / 3)
        return train_word2vec(contexts, np.array([1, 2]), noise, rng, d=2, steps=3).E

    assert np.array_equal(trained(0), trained(0))
    assert not np.array_equal(trained(0), trained(1))
