"""Answers of analogies: against a loop over words, and where the plant is perfect."""

from itertools import chain

import numpy as np
import pytest

from transformer_math.embedding import (
    analogy_accuracy,
    analogy_accuracy_unrestricted,
    analogy_cosines,
    exclude_asked,
    frequent_words,
    number_analogies,
    number_sentences,
    planted_analogies,
    planted_sentences,
)
from transformer_math.embedding.word_vectors import count_neighbours, ppmi, word_vectors


def test_cosines_equal_a_loop_over_words():
    rng = np.random.default_rng(0)
    W, questions = rng.normal(size=(7, 3)), rng.integers(0, 7, size=(5, 3))
    unit = [row / np.linalg.norm(row) for row in W]
    for (a, b, c), found in zip(questions, analogy_cosines(W, questions)):
        target = unit[b] - unit[a] + unit[c]
        wanted = [row @ target / np.linalg.norm(target) for row in unit]
        np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_the_words_of_a_question_answer_it_only_where_they_may():
    W = np.array([[1.0, 0.1], [0.9, 0.2], [-1.0, 0.1], [0.0, 1.0]])
    cosines = analogy_cosines(W, np.array([[0, 1, 2]]))
    assert cosines.argmax() == 2
    assert exclude_asked(cosines, np.array([[0, 1, 2]])).argmax() == 3
    for d, among_others, among_all in ((2, 0, 1), (3, 1, 0)):
        assert analogy_accuracy(W, np.array([[0, 1, 2, d]])) == among_others
        assert analogy_accuracy_unrestricted(W, np.array([[0, 1, 2, d]])) == among_all


def test_a_word_of_zeros_is_near_nothing():
    W = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    assert analogy_cosines(W, np.array([[1, 1, 2]])).tolist() == [[0, 0, 1]]
    assert analogy_cosines(W, np.array([[2, 2, 0]])).tolist() == [[0, 0, 0]]


@pytest.mark.parametrize("seed", range(3))
def test_counting_recovers_the_plant_and_the_shuffled_corpus_does_not(seed):
    rng = np.random.default_rng(seed)
    sentences = planted_sentences(rng, 8000)
    pool = np.array([word for sentence in sentences for word in sentence])
    words = frequent_words(pool.tolist(), at_least=1)
    asked = number_analogies([*chain(*planted_analogies().values())], words)

    def accuracy(ids):
        C = count_neighbours(ids, len(words), len(words), window=3)
        return analogy_accuracy(word_vectors(ppmi(C), 40), asked)

    assert accuracy(number_sentences(sentences, words, gap=3)) > 0.95
    assert (
        accuracy(number_sentences([rng.permutation(pool).tolist()], words, gap=3)) < 0.1
    )
