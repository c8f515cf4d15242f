from dataclasses import replace

import numpy as np
import pytest
from bad_input import assert_refused, refusals

from transformer_math.attention import (
    AttentionParameters,
    causal_mask,
    multi_head_attention,
    padding_mask,
)
from transformer_math.model import initialise

rng = np.random.default_rng(6)
p = initialise(rng, 11, 4, 2, 7, 1).layers[0].attention
Z, source = rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 5, 4))
lengths = np.array([5, 2])


def weights(mask, Z=Z, source=source):
    return multi_head_attention(Z, source, p, n_heads=2, mask=mask)[1]


def test_a_padding_mask_masks_sentences_even_with_as_many_heads():
    A = weights(padding_mask(lengths, 5))
    assert np.all(A[0] > 0)
    assert np.all(A[1, :, :, :2] > 0) and np.all(A[1, :, :, 2:] == 0)


def test_a_mask_of_two_axes_is_shared_by_all():
    mask = rng.random((3, 5)) < 0.5
    mask[:, 0] = True
    assert np.array_equal(weights(mask) > 0, np.broadcast_to(mask, (2, 2, 3, 5)))


@pytest.mark.parametrize("shape", [(2, 2, 3, 5), (2, 1, 3, 5), (2, 2, 1, 5), (2, 1, 1, 5)])  # fmt: skip
def test_a_mask_with_the_axes_of_the_scores_is_taken_axis_by_axis(shape):
    mask = rng.random(shape) < 0.5
    mask[..., 0] = True
    assert np.array_equal(weights(mask) > 0, np.broadcast_to(mask, (2, 2, 3, 5)))


def test_without_a_batch_a_mask_may_differ_between_heads():
    mask = np.stack([causal_mask(3), np.ones((3, 3), bool)])
    A = weights(mask, Z[0], Z[0])
    assert np.array_equal(A > 0, mask)


def test_values_may_be_wider_than_keys():
    wide = replace(p, W_V=np.ones((4, 6)), b_V=np.ones(6), W_O=np.ones((6, 4)))
    assert multi_head_attention(Z, source, wide, 2)[0].shape == (2, 3, 4)


def masked(*shape):
    return lambda: weights(np.ones(shape, bool))


def with_parts(**parts):
    return lambda: AttentionParameters(**{**vars(p), **parts})


def of_three_columns(*names):
    """Two heads of attention where some of the matrices have three columns, which two heads cannot share."""
    parts = {f"W_{name}": np.ones((4, 3)) for name in names}
    parts |= {f"b_{name}": np.zeros(3) for name in names}
    parts |= {"W_O": np.ones((3, 4))} if "V" in names else {}
    return lambda: multi_head_attention(Z, source, with_parts(**parts)(), 2)


@refusals(
    ("mask of three axes", masked(2, 3, 5), ("mask has shape (2, 3, 5)", "Fix: mask[:, None]", "(2, 1, 3, 5)")),
    ("mask of the old padding", masked(2, 1, 5), ("(2, 1, 5)", "mask[:, None]")),
    ("mask of one sentence", masked(1, 1, 3, 5), ("(1, 1, 3, 5)", "... = (2,)")),
    ("mask of three heads", masked(2, 3, 3, 5), ("(2, 3, 3, 5)", "n_heads = 2")),
    ("mask transposed", masked(5, 3), ("(5, 3)", "mask.T")),
    ("mask of one axis", masked(5), ("(5,)", "mask[None, :]")),
    ("additive mask", lambda: weights(np.zeros((3, 5))), ("float64", "mask == 0")),
    ("sources of another batch", lambda: weights(None, Z, source[:1]), ("source has shape (1, 5, 4)", "... = (2,)")),
    ("source of another width", lambda: weights(None, Z, source[..., :3]), ("source", "d_model = 4")),
    ("tokens with NaN", lambda: weights(None, Z * np.nan), ("Z holds nan",)),
    ("heads do not divide", lambda: multi_head_attention(Z, Z, p, 3), ("W_Q has shape (4, 4)", "3 heads")),
    ("heads do not divide queries", of_three_columns("Q", "K"), ("W_Q has shape (4, 3)", "2 heads")),
    ("heads do not divide values", of_three_columns("V"), ("W_V (4, 3)", "2 heads")),
    ("W_K of another d_k", with_parts(W_K=np.ones((4, 6))), ("W_K has shape (4, 6)", "Hd_k = 4", "W_Q")),
    ("W_O of another width", with_parts(W_O=np.ones((4, 5))), ("W_O has shape (4, 5)", "d_model = 4")),
    ("bias of size 1", with_parts(b_Q=np.ones(1)), ("b_Q has shape (1,)", "Hd_k = 4")),
    ("a matrix as a list", with_parts(W_Q=[[1.0]]), ("W_Q is a list", "np.array(W_Q)")),
    ("no bias", with_parts(b_O=None), ("b_O is None",)),
)  # fmt: skip
def test_bad_input(call, words):
    assert_refused(call, words)
