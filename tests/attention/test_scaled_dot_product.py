import numpy as np
from bad_input import assert_refused, refusals

from transformer_math.attention import (
    apply_mask,
    attention,
    causal_mask,
    dot_product_variance,
    entropy,
    padding_mask,
    scores,
    softmax,
)

rng = np.random.default_rng(4)


def test_softmax_is_stable_at_ten_thousand():
    weights = softmax(np.array([[1e4, -1e4, 1e4]]))
    assert np.array_equal(weights, [[0.5, 0.0, 0.5]])


def test_a_row_of_nothing_gets_no_weight():
    assert np.array_equal(softmax(np.full((2, 3), -np.inf)), np.zeros((2, 3)))


def test_scores_are_left_alone_and_integers_are_welcome():
    x = np.array([[0, 0, 7]])
    assert np.allclose(softmax(x), softmax(x.astype(float)), rtol=0, atol=0)
    assert np.array_equal(x, [[0, 0, 7]])


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


def test_the_future_does_not_matter_behind_a_causal_mask():
    X = rng.normal(size=(5, 4))
    changed = X.copy()
    changed[3:] += 1
    before, after = (attention(x, x, x, causal_mask(5))[0] for x in (X, changed))
    assert np.array_equal(before[:3], after[:3])


def test_entropy_runs_from_zero_to_log2():
    assert np.array_equal(entropy(np.array([[1.0, 0.0], [0.5, 0.5]])), [0, 1])
    assert np.array_equal(entropy(np.full((1, 8), 1 / 8)), [3])


Q, K, V = np.ones((3, 4)), np.ones((5, 4)), np.ones((5, 2))
spoilt = np.where(np.eye(3, 4) > 0, np.nan, Q)


@refusals(
    ("keys of another size", lambda: scores(Q, np.ones((5, 3))), ("(5, 3)", "d_k = 4")),
    (
        "values missing",
        lambda: attention(Q, K, np.ones((4, 2))),
        ("V", "(4, 2)", "m = 5"),
    ),
    ("NaN", lambda: attention(spoilt, K, V), ("Q holds nan", "(0, 0)")),
    ("infinite key", lambda: attention(Q, K * np.inf, V), ("K holds inf",)),
    (
        "mask of numbers",
        lambda: apply_mask(np.ones((2, 2)), np.ones((2, 2))),
        ("float64", "bool"),
    ),
    (
        "mask does not fit",
        lambda: apply_mask(np.ones((2, 2)), np.ones((3, 2), dtype=bool)),
        ("(3, 2)", "(2, 2)"),
    ),
    (
        "mask with too many axes",
        lambda: apply_mask(np.ones((2, 2)), np.ones((1, 2, 2), dtype=bool)),
        ("(1, 2, 2)",),
    ),
    ("NaN score", lambda: softmax(np.array([np.nan, 1.0])), ("nan at index (0,)",)),
    (
        "infinite score",
        lambda: softmax(np.array([np.inf, 1.0])),
        ("inf at index (0,)",),
    ),
    ("no tokens", lambda: causal_mask(0), ("n is 0",)),
    ("length too large", lambda: padding_mask(np.array([4]), 3), ("[4]", "0..3")),
    ("negative weight", lambda: entropy(np.array([-0.5, 1.5])), ("negative",)),
    ("no dimensions", lambda: dot_product_variance(0), ("d_k is 0",)),
)
def test_bad_input(call, words):
    assert_refused(call, words)
