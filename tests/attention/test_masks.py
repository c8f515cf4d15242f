import numpy as np
import pytest
from bad_input import assert_refused, refusals

from transformer_math.attention import (
    additive_mask,
    apply_mask,
    attention,
    causal_mask,
    causal_padding_mask,
    padding_mask,
    prefix_mask,
    sliding_window_mask,
    softmax,
)

rng = np.random.default_rng(4)


def test_the_future_does_not_matter_behind_a_causal_mask():
    X = rng.normal(size=(5, 4))
    changed = X.copy()
    changed[3:] += 1
    before, after = (attention(x, x, x, causal_mask(5))[0] for x in (X, changed))
    assert np.array_equal(before[:3], after[:3])


def test_whole_scores_can_be_masked():
    masked = apply_mask(np.array([[1, 2]]), np.array([[True, False]]))
    assert np.array_equal(masked, [[1.0, -np.inf]])
    assert np.array_equal(
        apply_mask(masked, np.array([[False, True]])), [[-np.inf] * 2]
    )


def test_a_padding_mask_has_axes_for_heads_and_queries():
    mask = padding_mask(np.array([0, 2, 3], dtype=np.uint8), 3)
    assert mask.shape == (3, 1, 1, 3)
    assert np.array_equal(mask.sum(axis=-1).ravel(), [0, 2, 3])


def test_adding_minus_infinity_is_setting_it():
    S, mask = rng.normal(size=(2, 5, 7)), rng.random((5, 7)) < 0.5
    assert np.array_equal(S + additive_mask(mask), apply_mask(S, mask))


def test_an_additive_mask_widens_no_single_precision():
    S = np.ones((2, 2), np.float32)
    assert (S + additive_mask(np.eye(2, dtype=bool))).dtype == np.float32


def test_both_masks_forbid_what_either_forbids():
    lengths = np.array([1, 4, 5])
    both = causal_padding_mask(lengths, 5)
    assert both.shape == (3, 1, 5, 5)
    assert np.array_equal(both, causal_mask(5) & padding_mask(lengths, 5))


def test_windows_and_prefixes_end_as_causal_masks_do():
    assert np.array_equal(sliding_window_mask(5, 5), causal_mask(5))
    assert np.array_equal(sliding_window_mask(5, 1), np.eye(5, dtype=bool))
    assert np.array_equal(prefix_mask(5, 1), causal_mask(5))
    assert prefix_mask(5, 5).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_minus_a_billion_forgets_the_mask_where_nothing_is_allowed(dtype):
    S = np.array([[1, 2, 3]], dtype)
    nothing = np.zeros((1, 3), bool)
    assert np.array_equal(softmax(apply_mask(S, nothing)), [[0, 0, 0]])
    assert np.allclose(softmax(np.where(nothing, S, dtype(-1e9))), 1 / 3)
    added = softmax(S + np.where(nothing, dtype(0), dtype(-1e9)))
    wanted = softmax(S) if dtype is np.float64 else np.full((1, 3), 1 / 3)
    assert np.allclose(added, wanted, atol=1e-6)


S = np.ones((2, 2))


def of_ones(*shape):
    return np.ones(shape, dtype=bool)


@refusals(
    ("mask of numbers", lambda: apply_mask(S, S), ("float64", "bool", "mask == 0")),
    ("mask of 0 and 1", lambda: apply_mask(S, S.astype(int)), ("int64", "mask.astype(bool)")),
    ("mask does not fit", lambda: apply_mask(S, of_ones(3, 2)), ("mask has shape (3, 2)", "n = 2", "S of shape (2, 2)")),
    ("mask with too many axes", lambda: apply_mask(S, of_ones(1, 2, 2)), ("(1, 2, 2)", "*batch = ()")),
    ("mask of one axis", lambda: apply_mask(S, of_ones(2)), ("mask has shape (2,)", "mask[None, :]")),
    ("NaN score", lambda: apply_mask(S * np.nan, of_ones(2, 2)), ("S holds nan", "finite numbers or -inf")),
    ("no tokens", lambda: causal_mask(0), ("n is 0", "at least 1")),
    ("half a token", lambda: causal_mask(2.5), ("n is 2.5", "round(n)")),
    ("length too large", lambda: padding_mask(np.array([4]), 3), ("[4]", "0..3")),
    ("one length too large", lambda: padding_mask(np.array([1, 4]), 3), ("[1 4]", "0..3")),
    ("negative length", lambda: padding_mask(np.array([1, -1]), 3), ("-1", "0..3")),
    ("real lengths", lambda: padding_mask(np.array([1.0]), 3), ("float64", "lengths.astype(int)")),
    ("no sentences", lambda: padding_mask(np.array([], int), 3), ("(0,)",)),
    ("length too large for both", lambda: causal_padding_mask(np.array([4]), 3), ("[4]", "0..3")),
    ("negative length for both", lambda: causal_padding_mask(np.array([-1]), 3), ("-1", "0..3")),
    ("mask of numbers to add", lambda: additive_mask(np.zeros((2, 2))), ("float64", "mask == 0")),
    ("no window", lambda: sliding_window_mask(3, 0), ("window is 0", "at least 1")),
    ("no prefix", lambda: prefix_mask(3, 0), ("prefix is 0", "at least 1")),
    ("prefix longer than the text", lambda: prefix_mask(3, 4), ("prefix is 4", "3 positions", "prefix <= n")),
)  # fmt: skip
def test_bad_input(call, words):
    assert_refused(call, words)
