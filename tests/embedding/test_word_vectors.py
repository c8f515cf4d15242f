"""Word vectors of the novel: deterministic, complete for the running sentence, with neighbours that make sense."""

import re
from collections import Counter
from itertools import product

import numpy as np
import pytest

from transformer_math.corpus import SENTENCE, moby_dick
from transformer_math.embedding import (
    count_neighbours,
    frequent_words,
    letters_vector,
    nearest_words,
    ppmi,
    vectors_of_text,
    word_vectors,
)
from transformer_math.tokenization.units import words


def test_what_happens_once_or_never_is_no_surprise():
    assert ppmi(np.array([[1.0]])).tolist() == [[0.0]]
    assert ppmi(np.zeros((2, 3))).tolist() == [[0.0] * 3] * 2


def test_the_nearest_words_come_in_order_and_the_word_itself_is_not_among_them():
    known = ["sea", "zero", "ship", "cat", "lake", "desert"]
    W = np.array([[2.0, 0], [0, 0], [3, 4], [0, 2], [5, 0], [-1, 0]])
    found = nearest_words("sea", known, W)
    assert [word for word, _ in found][:2] == ["lake", "ship"]
    assert {word for word, _ in found[2:]} == {"zero", "cat"}
    np.testing.assert_allclose([cosine for _, cosine in found], [1, 0.6, 0, 0])
    assert nearest_words("sea", known, W, k=5)[-1] == ("desert", -1.0)
    assert len(nearest_words("sea", known, W, k=9)) == 5


def test_words_equally_near_keep_their_order():
    known = [f"word {number}" for number in range(60)]
    W = np.tile(np.eye(2), (30, 1))
    found = [word for word, _ in nearest_words("word 0", known, W, k=59)]
    assert found == known[2::2] + known[1::2]


def test_the_table_is_rebuilt_from_all_directions():
    I = np.abs(np.random.default_rng(0).normal(size=(4, 4)))
    I = I @ I.T  # symmetric and positive: words and neighbours have the same vectors
    W = word_vectors(I, 4)
    np.testing.assert_allclose(W @ W.T, I, atol=1e-12)


def test_equals_are_numbered_in_the_order_of_a_dictionary():
    assert frequent_words(list("cabbac"), at_least=2) == ["a", "b", "c"]


def test_a_word_that_shares_no_letters_gets_zeros():
    assert letters_vector("xyzzy", ["sea"], np.ones((1, 2))).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: count_neighbours(np.array([3]), 3, 3, 1), r"hold \[3\]; wanted -1..2"),
        (lambda: count_neighbours(np.array([0, 3]), 3, 3, 1), r"hold \[3\]"),
        (lambda: count_neighbours(np.array([0, -2]), 3, 3, 1), r"hold \[-2\]"),
        (lambda: count_neighbours(np.array([-1, 5, 4]), 3, 3, 1), r"hold \[5\]"),
        (lambda: ppmi(np.array([[1.0, -1.0]])), "negative count"),
        (lambda: word_vectors(np.ones((2, 3)), 3), r"wanted 1..2"),
        (lambda: letters_vector("a", ["sea"], np.ones((2, 2))), "1 words for the 2"),
        (lambda: nearest_words("a", ["a"], np.ones((2, 2))), "1 words for the 2"),
        (lambda: ppmi(np.array([[-1.0]])), "negative count"),
        (lambda: word_vectors(np.ones((3, 2)), 3), r"wanted 1..2"),
        (lambda: nearest_words("cat", ["sea"], np.ones((1, 2))), "no vector"),
    ],
)
def test_refusals(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.fixture(scope="module")
def novel():
    return vectors_of_text(moby_dick(), d=50, always=words(SENTENCE.lower()))


def test_the_running_sentence_and_common_words_are_known(novel):
    known, W = novel
    assert set(words(SENTENCE.lower())) <= set(known)
    assert {"the", "sea", "king", "water", "red", "three"} <= set(known)
    assert W.shape == (len(known), 50) and len(set(known)) == len(known) > 4000


def test_words_used_alike_are_neighbours(novel):
    found = {
        word: dict(nearest_words(word, *novel, k=6)).keys()
        for word in ("three", "my", "whale", "head")
    }
    assert {"two", "four", "five"} <= found["three"]
    assert {"his", "our", "your"} <= found["my"]
    assert "leviathan" in found["whale"] and "tail" in found["head"]


def test_signs_are_fixed_and_the_text_alone_decides(novel):
    W = novel[1]
    largest = W[np.abs(W).argmax(axis=0), np.arange(W.shape[1])]
    assert (largest > 0).all()
    again = vectors_of_text(moby_dick(), d=50, always=words(SENTENCE.lower()))
    np.testing.assert_array_equal(again[1], W)


def test_the_vectors_of_a_text_are_its_steps_one_after_the_other(novel):
    known, W = novel
    tokens = words(moby_dick().lower())
    counts = Counter(t for t in tokens if re.fullmatch(r"[a-z]+|[.,:;!?()]", t))
    often = [word for word in counts if counts[word] >= 5]
    rare = [w for w in dict.fromkeys(words(SENTENCE.lower())) if counts[w] < 5]
    assert known == sorted(often, key=lambda word: (-counts[word], word)) + rare
    numbers = {word: i for i, word in enumerate(known)}
    ids = np.array([numbers.get(token, -1) for token in tokens])
    C = count_neighbours(ids, len(known), n_contexts=500, window=1)
    np.testing.assert_array_equal(word_vectors(ppmi(C), 50), W)


def test_what_nobody_says_are_five_times_500_contexts_and_direct_neighbours():
    rng = np.random.default_rng(0)
    names = ["".join(letters) for letters in product("abcdefghi", repeat=3)][:600]
    tokens = names * 5 + ["rare"] * 4 + ["known"] * 5
    text = " ".join(rng.permutation(tokens))
    known, W = vectors_of_text(text, 2)
    said, W_said = vectors_of_text(text, 2, at_least=5, n_contexts=500, window=1)
    assert known == said and set(known) == {*names, "known"}
    np.testing.assert_array_equal(W, W_said)
    assert len(nearest_words("known", known, W)) == 4
