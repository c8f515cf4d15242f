"""Numbers that are no words: one too small or too large, anywhere, is refused, and the outermost that are words are taken."""

import numpy as np
import pytest

from transformer_math.embedding import (
    cbow_context,
    cooccurrences,
    count_neighbours,
    nearest_words,
    negative_sampling_loss,
    ngram_rows,
    number_analogies,
    number_sentences,
    shifted_pmi,
    skip_gram,
    skip_gram_objective,
    vectors_of_text,
    window_contexts,
    window_pairs,
)

rng = np.random.default_rng(0)
V = 4
E, U = rng.normal(size=(2, V, 3))
ALL = np.arange(V)
OUTSIDE = [np.array([-1, 2]), np.array([1, V]), np.array([-1, V])]


@pytest.mark.parametrize("centres", OUTSIDE, ids=str)
def test_centres(centres):
    assert skip_gram(ALL, E, U).shape == (V, V)
    with pytest.raises(ValueError, match="centres"):
        skip_gram(centres, E, U)


@pytest.mark.parametrize("ids", [np.array([0, 1, -1, 2]), np.array([0, V, 1]), np.array([-1, V])], ids=str)  # fmt: skip
def test_texts(ids):
    assert skip_gram_objective(ALL, E, U, 1) > 0
    with pytest.raises(ValueError, match="ids"):
        skip_gram_objective(ids, E, U, 1)


@pytest.mark.parametrize("contexts", [np.array([[-2, 0]]), np.array([[0, V]]), np.array([[1, 2], [-2, -1]])], ids=str)  # fmt: skip
def test_contexts(contexts):
    assert cbow_context(np.array([[-1, V - 1], [0, -1]]), E).shape == (2, 3)
    with pytest.raises(ValueError, match="contexts"):
        cbow_context(contexts, E)


@pytest.mark.parametrize("wrong", OUTSIDE, ids=str)
def test_targets_and_invented_words(wrong):
    H, right = rng.normal(size=(2, 3)), np.array([0, V - 1])
    assert negative_sampling_loss(H, right, right[:, None], U) > 0
    with pytest.raises(ValueError, match="targets run from"):
        negative_sampling_loss(H, wrong, right[:, None], U)
    with pytest.raises(ValueError, match="negatives from"):
        negative_sampling_loss(H, right, wrong[:, None], U)


@pytest.mark.parametrize(
    "C",
    [
        np.array([[3.0, -1.0], [1.0, 2.0]]),
        np.array([[0.0, 0.0], [1.0, 2.0]]),
        np.array([[1.0, 0.0], [2.0, 0.0]]),
        np.array([[0.0, 0.0, 0.0], [1.0, 2.0, 4.0]]),
        np.array([[1.0, 0.0], [2.0, 0.0], [5.0, 0.0]]),
        np.array([[0.5, 0.0], [0.25, 0.0]]),
    ],
    ids=str,
)
def test_counts_of_words_that_never_met_anything(C):
    assert np.isneginf(shifted_pmi(np.array([[0.0, 0.5], [0.25, 1.0]]), k=1)[0, 0])
    with pytest.raises(ValueError, match="never counted"):
        shifted_pmi(C, k=1)


def test_words_that_come_twice_have_no_number():
    twice = ["a", "b", "a"]
    for call in (
        lambda: number_sentences([["a"]], twice, 1),
        lambda: nearest_words("b", twice, rng.normal(size=(3, 2))),
        lambda: number_analogies([("a", "b", "a", "b")], twice),
    ):
        with pytest.raises(ValueError, match=r"'a' stands 2 times .*Fix: \S"):
            call()


@pytest.mark.parametrize("window", [4, 10**9, 10**30])
def test_a_window_larger_than_the_text_holds_all_of_it(window):
    ids, text = np.array([0, 1, 0, -1, 2]), "The sea. The."
    for call in (
        lambda window: count_neighbours(ids, 3, 2, window),
        lambda window: cooccurrences(ids, 3, window),
        lambda window: window_pairs(ids, window),
        lambda window: vectors_of_text(text, 2, 2, window=window)[1],
    ):
        assert np.array_equal(call(window), call(4))
    assert not count_neighbours(np.array([1]), 2, 2, window).any()
    assert window_pairs(np.array([1]), window).shape == (0, 2)


def test_a_window_that_no_table_can_hold_is_refused():
    assert window_contexts(np.array([5, 6]), 3).shape == (2, 6)
    with pytest.raises(ValueError, match=r"window is 10{30}; .*Fix: \S"):
        window_contexts(ALL, 10**30)


def test_runs_of_characters_belong_to_words_and_have_a_row():
    for words, buckets in ([], 100), (["at"], 2**32 + 1), (["at"], 10**30):
        with pytest.raises(ValueError, match=r"Fix: \S"):
            ngram_rows(words, buckets)
    assert [x.dtype.kind for x in ngram_rows(["at"], 2**32)] == ["i", "i"]
