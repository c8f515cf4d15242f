"""FastText's pieces, rows and sums, beyond their equations."""

import numpy as np
from bad_input import assert_refused

from transformer_math.embedding import (
    character_ngrams,
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
    Z = np.ones((3, 2))
    assert_refused(lambda: character_ngrams("sea", 4, 3), ("4", "3"))
    assert_refused(
        lambda: sum_of_ngrams(np.array([3]), np.array([0]), Z), ("rows hold 3", "0..2")
    )
    assert_refused(
        lambda: sum_of_ngrams(np.array([0, 1]), np.array([0, 2]), Z), ("owners",)
    )
