import tracemalloc
from functools import partial

import numpy as np
import pytest
from bad_input import assert_refused, refusals

from transformer_math.attention import (
    attention,
    blockwise_attention,
    causal_mask,
    online_softmax,
    sliding_window_mask,
)

rng = np.random.default_rng(8)
Q, K, V = rng.normal(size=(3, 2, 50, 8))


@pytest.mark.parametrize("block", [1, 7, 25, 50, 64])
@pytest.mark.parametrize("mask", [None, causal_mask(50), sliding_window_mask(50, 3)])
def test_whatever_the_block_the_result_is_that_of_attention(block, mask):
    wanted, _ = attention(Q, K, V, mask)
    assert np.allclose(blockwise_attention(Q, K, V, mask, block), wanted, atol=1e-14)


def test_single_precision_stays_single():
    single = [x.astype(np.float32) for x in (Q, K, V)]
    output = blockwise_attention(*single, block=16)
    assert output.dtype == np.float32
    assert np.allclose(output, attention(*single)[0], atol=1e-6)


def test_weights_come_out_of_the_running_maximum_and_sum():
    S, V = np.array([[1.0, 3.0, 2.0]]), np.eye(3)
    state = np.array([-np.inf]), np.zeros(1), np.zeros((1, 3))
    for j in range(3):
        state = online_softmax(*state, S[:, j : j + 1], V[j : j + 1])
    m, l, o = state
    assert np.allclose(o / l[:, None], np.exp(S - m[:, None]) / l[:, None])


def test_keys_that_are_forbidden_to_all_are_not_even_looked_at():
    """Blocks above the diagonal are skipped: scores that would overflow there are never computed."""
    huge = np.ones((8, 1))
    huge[4:] = 1e200
    Q = np.ones((8, 1))
    Q[:4] = 1e200
    mask = np.arange(8) < 4
    mask = mask[None, :] & mask[:, None] | (~mask[None, :] & ~mask[:, None])
    values = np.arange(8.0)[:, None]
    output = blockwise_attention(Q, huge, values, mask, block=4)
    assert np.array_equal(output.ravel(), [1.5] * 4 + [5.5] * 4)


def peak(function, n, d=16):
    """The most memory that a call takes beside its arguments, in bytes."""
    arrays = np.random.default_rng(0).normal(size=(3, n, d)).astype(np.float32)
    function(*arrays)
    tracemalloc.start()
    try:
        function(*arrays)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_grows_with_n_and_not_with_its_square():
    blockwise = partial(blockwise_attention, block=128)
    ours = [peak(blockwise, n) for n in (2048, 4096)]
    whole = [peak(attention, n) for n in (2048, 4096)]
    assert whole[1] > 3.9 * whole[0]
    assert ours[1] < 2.1 * ours[0]
    assert ours[1] < whole[1] / 100
    assert ours[1] - ours[0] < 3 * 2048 * 16 * 4, "no more than output and rounding"


huge = np.full((2, 2), 1e200)
S, V_4, two = np.ones((2, 4)), np.ones((4, 1)), np.zeros(2)


@refusals(
    ("no block", lambda: blockwise_attention(Q, K, V, block=0), ("block is 0", "at least 1")),
    ("half a block", lambda: blockwise_attention(Q, K, V, block=2.5), ("block is 2.5", "whole number")),
    ("keys of another size", lambda: blockwise_attention(Q, K[..., :3], V), ("K has shape (2, 50, 3)", "d_k = 8")),
    ("values missing", lambda: blockwise_attention(Q, K, V[:, :4]), ("V has shape (2, 4, 8)", "m = 50")),
    ("mask of numbers", lambda: blockwise_attention(Q, K, V, np.ones((50, 50))), ("float64", "bool")),
    ("mask that does not fit", lambda: blockwise_attention(Q, K, V, np.ones((3, 50), bool)), ("(3, 50)", "n or 1")),
    ("NaN in V", lambda: blockwise_attention(Q, K, V * np.nan), ("V holds nan",)),
    ("scores that overflow", lambda: blockwise_attention(huge, huge, huge), ("overflow",)),
    ("scores of one query that overflow", lambda: blockwise_attention(np.concatenate([0 * huge, huge]), huge, huge), ("overflow",)),
    ("a sum of another shape", lambda: online_softmax(two, np.zeros(3), two[:, None], S, V_4), ("l has shape (3,)", "n = 2")),
    ("values of other keys", lambda: online_softmax(two, two, two[:, None], S, V_4[:3]), ("V has shape (3, 1)", "c = 4")),
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:overflow")
def test_bad_input(call, words):
    assert_refused(call, words)
