"""GloVe's counts, shares, weights and loss, beyond their equations."""

import numpy as np
from bad_input import assert_refused

from transformer_math.embedding import (
    context_probabilities,
    cooccurrences,
    count_neighbours,
    glove_loss,
    glove_weights,
)

rng = np.random.default_rng(11)
IDS = rng.integers(-1, 7, size=200)
X = cooccurrences(IDS, 7, 4)


def test_counts_are_symmetric_and_a_window_of_one_is_a_plain_count():
    np.testing.assert_array_equal(X, X.T)
    np.testing.assert_array_equal(
        cooccurrences(IDS, 7, 1), count_neighbours(IDS, 7, 7, 1)
    )


def test_small_integers_do_not_overflow():
    large = cooccurrences(np.array([99, 98, 99], np.int8), 100, 2)
    assert large[99, 98] == 2 and large[99, 99] == 1 and large.sum() == 5


def test_a_window_wider_than_the_text_sees_the_whole_text():
    np.testing.assert_array_equal(
        cooccurrences(IDS[:5], 7, 50), cooccurrences(IDS[:5], 7, 4)
    )


def test_shares_sum_to_one_where_a_word_has_neighbours():
    P = context_probabilities(np.vstack([X, np.zeros(7)]))
    np.testing.assert_allclose(P.sum(axis=1), [1] * 7 + [0])


def test_weights_rise_to_one_and_stay():
    f = glove_weights(np.linspace(0, 300, 301)[None])[0]
    assert f[0] == 0 and (np.diff(f[:101]) > 0).all() and (f[100:] == 1).all()


def test_vectors_that_fit_have_no_loss():
    W, C, b, c = (
        rng.normal(size=(4, 3)),
        rng.normal(size=(5, 3)),
        *rng.normal(size=(2, 5)),
    )
    counts = np.exp(W @ C.T + b[:4, None] + c)
    assert glove_loss(counts, W, C, b[:4], c) < 1e-20


def test_refusals():
    for function in (context_probabilities, glove_weights):
        assert_refused(lambda f=function: f(-X), ("negative count",))
    assert_refused(lambda: cooccurrences(np.array([7]), 7, 1), ("hold [7]", "-1..6"))
