import numpy as np
import pytest
from bad_input import assert_refused, refusals

from transformer_math.attention import attention, causal_mask
from transformer_math.position import bag_of_words, permutation_matrix, permute_mask

rng = np.random.default_rng(7)


def test_the_transpose_undoes_a_permutation():
    Pi = permutation_matrix(rng.permutation(7))
    assert np.array_equal(Pi.T @ Pi, np.eye(7))


def test_the_matrix_moves_rows_and_the_mask_moves_with_them():
    order, X, M = rng.permutation(5), rng.normal(size=(5, 3)), rng.random((5, 5)) < 0.5
    Pi = permutation_matrix(order)
    assert np.array_equal(Pi @ X, X[order])
    assert np.array_equal(Pi @ M @ Pi.T > 0.5, permute_mask(M, order))


def test_attention_moves_with_its_tokens_if_the_mask_does():
    order, X, M = rng.permutation(6), rng.normal(size=(6, 4)), causal_mask(6)
    wanted = attention(X, X, X, M)[0][order]
    moved = (X[order],) * 3
    assert np.allclose(attention(*moved, permute_mask(M, order))[0], wanted)
    assert not np.allclose(attention(*moved, M)[0], wanted)


def test_a_bag_has_no_order():
    ids = rng.integers(9, size=20)
    assert np.array_equal(bag_of_words(ids, 9), bag_of_words(rng.permutation(ids), 9))
    assert bag_of_words(ids, 9).sum() == 20


@refusals(
    (
        "a place twice",
        lambda: permutation_matrix(np.array([0, 0])),
        ("order is [0 0]", "once"),
    ),
    (
        "counted from one",
        lambda: permutation_matrix(np.array([1, 2])),
        ("order is [1 2]",),
    ),
    (
        "mask of other tokens",
        lambda: permute_mask(np.ones((3, 3), bool), np.array([1, 0])),
        ("order", "mask"),
    ),
    (
        "mask twice a place",
        lambda: permute_mask(np.ones((2, 2), bool), np.array([1, 1])),
        ("order is [1 1]",),
    ),
    (
        "unknown token",
        lambda: bag_of_words(np.array([3]), 3),
        ("ids hold [3]", "vocab_size is 3"),
    ),
    ("negative token", lambda: bag_of_words(np.array([-1]), 3), ("ids hold [-1]",)),
)
def test_bad_input(call, words):
    assert_refused(call, words)


@pytest.mark.parametrize("ids", [[0, -1, 2], [3, 0, 4], [-1, 4]], ids=str)
def test_a_bag_holds_words_of_its_vocabulary_alone(ids):
    assert bag_of_words(np.array([0, 3]), 4).sum() == 2
    with pytest.raises(ValueError, match="wanted ids in 0"):
        bag_of_words(np.array(ids), 4)
