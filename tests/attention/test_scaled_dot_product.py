import numpy as np
import pytest
from bad_input import assert_refused, refusals

from transformer_math.attention import (
    attention,
    causal_mask,
    dot_product_variance,
    scores,
)

rng = np.random.default_rng(4)


def test_single_precision_stays_single():
    Q, K, V = rng.normal(size=(3, 4, 8)).astype(np.float32)
    output, weights = attention(Q, K, V, causal_mask(4))
    assert output.dtype == weights.dtype == np.float32


def test_arguments_are_left_alone():
    Q, K, V = rng.normal(size=(3, 4, 8))
    kept = Q.copy(), K.copy(), V.copy()
    attention(Q, K, V, causal_mask(4))
    assert all(np.array_equal(a, b) for a, b in zip((Q, K, V), kept))


def test_shuffled_tokens_give_shuffled_outputs():
    X, order = rng.normal(size=(6, 4)), rng.permutation(6)
    shuffled = X[order]
    assert np.allclose(
        attention(shuffled, shuffled, shuffled)[0],
        attention(X, X, X)[0][order],
        atol=1e-12,
    )


def test_a_query_that_may_see_nothing_gets_zeros():
    X = rng.normal(size=(2, 3))
    output, weights = attention(X, X, X, np.array([[True, True], [False, False]]))
    assert np.array_equal(output[1], np.zeros(3))
    assert np.array_equal(weights[1], np.zeros(2))


Q, K, V = np.ones((3, 4)), np.ones((5, 4)), np.ones((5, 2))
spoilt = np.where(np.eye(3, 4) > 0, np.nan, Q)
huge = np.full((2, 2), 1e200)


def of_ones(*shape):
    return np.ones(shape, dtype=bool)


@refusals(
    ("keys of another size", lambda: scores(Q, np.ones((5, 3))), ("K has shape (5, 3)", "d_k = 4", "Q of shape (3, 4)")),
    ("no dimensions", lambda: scores(Q[:, :0], K[:, :0]), ("(3, 0)", "nothing empty")),
    ("no keys", lambda: attention(Q, K[:0], V[:0]), ("K has shape (0, 4)",)),
    ("values missing", lambda: attention(Q, K, V[:4]), ("V has shape (4, 2)", "m = 5", "K")),
    ("values for another batch", lambda: attention(Q, K, V[None]), ("V has shape (1, 5, 2)", "*batch = ()")),
    ("keys shared by a batch", lambda: attention(Q[None], K, V), ("K has shape (5, 4)", "*batch = (1,)")),
    ("NaN in Q", lambda: attention(spoilt, K, V), ("Q holds nan", "(0, 0)")),
    ("infinite key", lambda: attention(Q, K * np.inf, V), ("K holds inf",)),
    ("NaN in V", lambda: attention(Q, K, V * np.nan), ("V holds nan",)),
    ("scores that overflow", lambda: attention(huge, huge, huge), ("scores(…) comes to inf at index (0, 0)", "overflow")),
    ("a list of queries", lambda: attention(Q.tolist(), K, V), ("Q is a list", "np.array(Q)")),
    ("mask in attention", lambda: attention(Q, K, V, of_ones(5, 3)), ("mask has shape (5, 3)", "mask.T")),
    ("no dimensions to sum", lambda: dot_product_variance(0), ("d_k is 0",)),
    ("negative variance", lambda: dot_product_variance(4, -1.0), ("variance is -1.0",)),
    ("variance without end", lambda: dot_product_variance(4, 1e200), ("variance 1e+200", "beyond")),
    ("variance times a size", lambda: dot_product_variance(64, 1e154), ("d_k is 64", "beyond")),
    ("a size beyond floats", lambda: dot_product_variance(10**400), ("d_k is 1", "beyond")),
    ("variance NaN", lambda: dot_product_variance(4, np.nan), ("variance is nan",)),
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:overflow")
def test_bad_input(call, words):
    assert_refused(call, words)
