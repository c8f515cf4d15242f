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


# ---- what is refused, one thing wrong at a time ----

PAIRS = [("he", "his", "she", "her")]
WORDS = ["her", "his", "she", "he"]
COSINES = np.arange(10.0).reshape(2, 5)


@pytest.mark.parametrize("analogies", [[], [("he", "his", "she")], [*PAIRS, ("he",)]])
def test_what_is_no_quadruple_is_refused(analogies):
    with pytest.raises(ValueError, match="no quadruple, or there is none"):
        number_analogies(analogies, WORDS)


@pytest.mark.parametrize("questions", [[[0, -1], [1, 2]], [[1, 2], [3, 5]]])
def test_words_beyond_the_cosines_are_refused(questions):
    with pytest.raises(ValueError, match="no column"):
        exclude_asked(COSINES, np.array(questions))


@pytest.mark.parametrize("questions", [[[0, 4], [4, 0]], [[0, 0], [0, 0]]])
def test_first_and_last_word_can_be_asked(questions):
    kept = exclude_asked(COSINES, np.array(questions))
    asked = np.isneginf(kept)
    assert [set(np.flatnonzero(row)) for row in asked] == [set(q) for q in questions]


@pytest.mark.parametrize("at", [0, 1])
@pytest.mark.parametrize("wrong", [-1, 5])
def test_ids_outside_the_vocabulary_are_refused(at, wrong):
    W = rng_of(1).normal(size=(5, 3))
    four = np.array([[0, 1, 2, 3], [4, 3, 2, 1]])
    four[at, 2] = wrong
    for function, ids in (
        (analogy_cosines, four[:, :3]),
        (analogy_accuracy, four),
        (analogy_accuracy_unrestricted, four),
    ):
        with pytest.raises(ValueError, match=r"wanted (three|four) columns"):
            function(W, ids)


def test_shares_are_counted_question_by_question():
    W = rng_of(2).normal(size=(6, 2))
    four = rng_of(3).integers(6, size=(40, 4))
    unit = W / np.linalg.norm(W, axis=1, keepdims=True)
    free, found = 0, 0
    for a, b, c, d in four:
        target = unit[b] - unit[a] + unit[c]
        near = [float(target @ u) for u in unit]
        free += max(range(6), key=near.__getitem__) == d
        others = [v for v in range(6) if v not in (a, b, c)]
        found += max(others, key=near.__getitem__) == d
    assert analogy_accuracy_unrestricted(W, four) == free / 40 > 0
    assert analogy_accuracy(W, four) == found / 40 > 0


def rng_of(seed):
    return np.random.default_rng(seed)
