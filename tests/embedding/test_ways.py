"""The plane of a question and the order of similarities: what follows from their definitions."""

import numpy as np
import pytest

from transformer_math.embedding import plane_of_question, rank_correlation

rng = np.random.default_rng(7)


def test_the_fourth_corner_is_drawn_where_it_is():
    W = rng.normal(size=(4, 30))
    W[3] = W[1] - W[0] + W[2]
    Y = plane_of_question(W, 0, 1, 2)
    np.testing.assert_allclose(Y[3], Y[1] - Y[0] + Y[2], atol=1e-12)
    apart = np.linalg.norm(W[:, None] - W, axis=-1)
    drawn = np.linalg.norm(Y[:, None] - Y, axis=-1)
    np.testing.assert_allclose(drawn, apart, atol=1e-12)


def test_nothing_is_drawn_further_away_than_it_is():
    W = rng.normal(size=(50, 10))
    Y = plane_of_question(W, 4, 8, 15)
    apart = np.linalg.norm(W[:, None] - W, axis=-1)
    assert (np.linalg.norm(Y[:, None] - Y, axis=-1) <= apart + 1e-12).all()


def test_only_the_order_counts():
    x, y = rng.normal(size=(2, 20))
    rho = rank_correlation(x, y)
    assert rank_correlation(np.exp(x), y**3) == rho
    assert np.isclose(rank_correlation(x, -y), -rho)
    assert rank_correlation(x, x) == 1


@pytest.mark.parametrize("asked", [(-1, 1, 2), (0, 4, 2), (0, 1, 4)])
def test_words_that_have_no_vector_are_refused(asked):
    with pytest.raises(ValueError, match="of 4 vectors"):
        plane_of_question(rng.normal(size=(4, 3)), *asked)


def test_what_is_all_the_same_has_no_order():
    different, same = np.arange(3.0), np.ones(3)
    for pair in ((different, same), (same, different)):
        with pytest.raises(ValueError, match="all numbers of x or of y are equal"):
            rank_correlation(*pair)
