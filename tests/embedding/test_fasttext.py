"""FastText's pieces, rows and sums, beyond their equations."""

import numpy as np
import pytest
from bad_input import assert_refused

from transformer_math.embedding import (
    character_ngrams,
    expected_negatives,
    expected_sampling_loss,
    fnv_1a,
    ngram_rows,
    sum_of_ngrams,
    unseen_vector,
)


def test_the_example_of_the_paper():
    assert character_ngrams("where", longest=3) == [
        "<wh",
        "whe",
        "her",
        "ere",
        "re>",
        "<where>",
    ]


def test_a_short_word_is_listed_once():
    assert character_ngrams("a") == ["<a>"]
    assert character_ngrams("at") == ["<at", "at>", "<at>"]


def test_characters_are_not_cut():
    assert character_ngrams("鯨", shortest=2, longest=2) == ["<鯨", "鯨>", "<鯨>"]


def test_known_words_have_rows_of_their_own_behind_the_buckets():
    rows, owners = ngram_rows(["sea", "鯨", "seas"], n_buckets=50)
    last = np.flatnonzero(np.diff(owners, append=3))
    assert rows[last].tolist() == [50, 51, 52]
    assert (np.delete(rows, last) < 50).all()
    assert rows[0] == fnv_1a("<se") % 50


def test_a_word_never_seen_is_its_known_sum_without_its_own_row():
    Z = np.random.default_rng(0).normal(size=(52, 4))
    known = sum_of_ngrams(*ngram_rows(["sea", "seas"], 50), Z)
    np.testing.assert_allclose(unseen_vector("seas", Z, 50), known[1] - Z[51])
    np.testing.assert_array_equal(unseen_vector("a", Z, 50), np.zeros(4))


def test_refusals():
    assert_refused(lambda: fnv_1a("\ud800"), ("a lone surrogate",))
    Z = np.ones((3, 2))
    assert_refused(lambda: character_ngrams("sea", 4, 3), ("4", "3"))
    assert_refused(
        lambda: sum_of_ngrams(np.array([3]), np.array([0]), Z), ("rows hold 3", "0..2")
    )
    assert_refused(
        lambda: sum_of_ngrams(np.array([0, 1]), np.array([0, 2]), Z), ("owners",)
    )


def test_runs_have_up_to_six_characters_unless_told_otherwise():
    rows, _ = ngram_rows(["abcdefgh"], n_buckets=10**6)
    longer, _ = ngram_rows(["abcdefgh"], n_buckets=10**6, longest=6)
    assert rows.tolist() == longer.tolist() and len(rows) == 8 + 7 + 6 + 5 + 1
    Z = np.eye(1000)
    told = unseen_vector("abcdefgh", Z, n_buckets=1000, longest=6)
    assert unseen_vector("abcdefgh", Z, n_buckets=1000).tolist() == told.tolist()
    assert told.sum() == 26


@pytest.mark.parametrize("rows", [[-1, 1], [1, -1], [3, 1], [1, 3]])
def test_rows_that_the_table_lacks_are_refused(rows):
    with pytest.raises(ValueError, match=r"outside 0\.\.2"):
        sum_of_ngrams(np.array(rows), np.array([0, 1]), np.ones((3, 2)))


NEGATIVE = np.array([[1.0, -0.5], [2.0, 3.0]])


@pytest.mark.parametrize("X", [NEGATIVE, np.zeros((2, 2))])
def test_counts_that_are_none_are_refused(X):
    with pytest.raises(ValueError, match="negative count"):
        expected_negatives(X, k=2)


@pytest.mark.parametrize("first", [True, False])
def test_a_loss_of_negative_counts_is_refused(first):
    counts = np.ones((2, 2))
    given = (NEGATIVE, counts) if first else (counts, NEGATIVE)
    with pytest.raises(ValueError, match="negative count"):
        expected_sampling_loss(*given, np.ones((2, 3)), np.ones((2, 3)))
