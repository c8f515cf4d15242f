import numpy as np
import pytest

from transformer_math.modalities import (
    attention_rollout,
    patchify,
    unpatchify,
    vit_attention,
    vit_logits,
)
from transformer_math.signals.digits import digits
from transformer_math.trained.digits import N_HEADS, initial_vit


@pytest.fixture
def reader():
    return initial_vit(np.random.default_rng(3), 2)


@pytest.fixture
def X():
    return np.random.default_rng(4).random((5, 8, 8, 1))


def test_pictures_pass_one_by_one(reader, X):
    one = vit_logits(X[2], 2, reader, N_HEADS)
    assert np.allclose(vit_logits(X, 2, reader, N_HEADS)[2], one)


def test_attention_has_a_row_of_weights_for_every_token(reader, X):
    A = vit_attention(X, 2, reader, N_HEADS)
    assert A.shape == (5, 2, N_HEADS, 17, 17)
    assert np.allclose(A.sum(axis=-1), 1)


def test_nobody_looks_at_a_patch_that_is_hidden(reader, X):
    mask = np.ones((5, 1, 1, 17), bool)
    mask[..., 6] = False
    assert not vit_attention(X, 2, reader, N_HEADS, mask)[..., 6].any()
    T = patchify(X, 2)
    T[:, 5] = 1 - T[:, 5]  # patch 5 is token 6
    other = unpatchify(T, 2, 8, 8)
    scores = [vit_logits(x, 2, reader, N_HEADS, mask) for x in (X, other)]
    assert np.allclose(*scores)


def test_rows_of_rollout_add_up_to_one(reader, X):
    R = attention_rollout(vit_attention(X, 2, reader, N_HEADS))
    assert R.shape == (5, 17, 17) and np.allclose(R.sum(axis=-1), 1)


@pytest.mark.parametrize("row", [[1.0, 1.0], [-0.5, 1.5], [0.5, 0.50015]])
def test_scores_are_no_attention(row):
    with pytest.raises(ValueError, match="does not add up to 1"):
        attention_rollout(np.array([[[row, [0.5, 0.5]]]]))


def test_rows_of_single_precision_add_up_closely_enough():
    rows = np.array([[[[0.5, 0.50005], [0.5, 0.49995]]]])
    assert attention_rollout(rows).shape == (2, 2)


def test_digits_are_those_of_scikit_learn():
    from sklearn.datasets import load_digits

    X, y = digits()
    theirs = load_digits()
    assert np.array_equal(X[..., 0] * 16, theirs.images)
    assert np.array_equal(y, theirs.target)
