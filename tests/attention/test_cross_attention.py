import numpy as np
from bad_input import assert_refused, refusals

from transformer_math.attention import (
    AttentionParameters,
    attention,
    cross_attention,
    multi_head_attention,
    padding_mask,
)

rng = np.random.default_rng(8)
Z, memory = rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 5, 6))
W_Q, W_K, W_V = (
    rng.normal(size=(4, 7)),
    rng.normal(size=(6, 7)),
    rng.normal(size=(6, 2)),
)


def test_queries_by_keys_and_queries_by_values():
    O, A = cross_attention(Z, memory, W_Q, W_K, W_V)
    assert O.shape == (2, 3, 2) and A.shape == (2, 3, 5)
    assert np.allclose(A.sum(axis=-1), 1)


def test_of_itself_it_is_self_attention():
    O, A = cross_attention(Z, Z, W_Q, W_K[:4], W_V[:4])
    wanted = attention(Z @ W_Q, Z @ W_K[:4], Z @ W_V[:4])
    assert np.array_equal(O, wanted[0]) and np.array_equal(A, wanted[1])


def test_one_head_of_the_layer_of_many():
    """Multi-head attention of a single head with the identity after it."""
    I, zero = np.eye(4), np.zeros(4)
    W = rng.normal(size=(3, 4, 4))
    other = rng.normal(size=(2, 5, 4))
    wanted, A = multi_head_attention(
        Z, other, AttentionParameters(*W, I, zero, zero, zero, zero), 1
    )
    O, weights = cross_attention(Z, other, *W)
    assert np.allclose(O, wanted, atol=1e-14)
    assert np.array_equal(weights, A[:, 0])


def test_the_order_of_the_memory_does_not_matter_to_the_output():
    order = rng.permutation(5)
    O, A = cross_attention(Z, memory, W_Q, W_K, W_V)
    O_2, A_2 = cross_attention(Z, memory[:, order], W_Q, W_K, W_V)
    assert np.allclose(O, O_2, atol=1e-13)
    assert np.allclose(A[..., order], A_2, atol=1e-13)


def test_padding_of_the_memory_is_hidden():
    mask = padding_mask(np.array([5, 2]), 5)[:, 0]
    _, A = cross_attention(Z, memory, W_Q, W_K, W_V, mask)
    assert np.all(A[1, :, 2:] == 0) and np.all(A[0] > 0)


@refusals(
    ("narrow memory", lambda: cross_attention(Z, memory[..., :3], W_Q, W_K, W_V), ("W_K has shape (6, 7)", "d_memory = 3")),
    ("memory of another batch", lambda: cross_attention(Z, memory[0], W_Q, W_K, W_V), ("memory has shape (5, 6)", "(2,)")),
    ("W_K of another size", lambda: cross_attention(Z, memory, W_Q, W_K[:, :3], W_V), ("W_K has shape (6, 3)", "d_k = 7")),
    ("mask turned", lambda: cross_attention(Z, memory, W_Q, W_K, W_V, np.ones((5, 3), bool)), ("mask has shape (5, 3)", "mask.T")),
    ("NaN in the memory", lambda: cross_attention(Z, memory * np.nan, W_Q, W_K, W_V), ("memory holds nan",)),
)  # fmt: skip
def test_bad_input(call, words):
    assert_refused(call, words)
