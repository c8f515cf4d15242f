import numpy as np
from bad_input import assert_refused, refusals

from transformer_math.attention import (
    concat_heads,
    project,
    score_terms,
    scores,
    split_heads,
)

rng = np.random.default_rng(6)
Z, X, P = rng.normal(size=(3, 4)), rng.normal(size=(3, 4)), rng.normal(size=(3, 4))
W_Q, W_K = rng.normal(size=(2, 4, 2))


def test_splitting_and_joining_undo_each_other():
    x = rng.normal(size=(2, 3, 12))
    assert np.array_equal(concat_heads(split_heads(x, 4)), x)


def test_the_four_terms_are_the_whole_score():
    whole = scores((X + P) @ W_Q, (X + P) @ W_K)
    assert np.allclose(score_terms(X, P, W_Q, W_K).sum(axis=0), whole, atol=1e-12)


def test_a_single_vector_is_projected_too():
    assert np.array_equal(project(Z[0], W_Q), Z[0] @ W_Q)


@refusals(
    ("weights transposed", lambda: project(Z, W_Q.T), ("W has shape (2, 4)", "d_in = 4", "W.T", "PyTorch")),
    ("bias of another size", lambda: project(Z, W_Q, np.ones(3)), ("b has shape (3,)", "d_out = 2")),
    ("bias of size 1", lambda: project(Z, W_Q, np.ones(1)), ("b has shape (1,)", "d_out = 2")),
    ("bias for each token", lambda: project(Z, W_Q, np.ones((3, 2))), ("b has shape (3, 2)",)),
    ("bias that is NaN", lambda: project(Z, W_Q, np.nan), ("b is nan",)),
    ("weights with a batch", lambda: project(Z, W_Q[None]), ("W has shape (1, 4, 2)", "2 axes")),
    ("heads do not divide", lambda: split_heads(np.ones((2, 10)), 4), ("(2, 10)", "4 heads")),
    ("no heads", lambda: split_heads(np.ones((2, 10)), 0), ("n_heads is 0",)),
    ("negative heads", lambda: split_heads(np.ones((2, 10)), -2), ("n_heads is -2",)),
    ("half a head", lambda: split_heads(np.ones((2, 10)), 2.5), ("n_heads is 2.5", "whole number")),
    ("heads yes", lambda: split_heads(np.ones((2, 10)), True), ("n_heads is True",)),
    ("one row", lambda: split_heads(np.ones(10), 2), ("x has shape (10,)", "x[None, :]")),
    ("heads without an axis", lambda: concat_heads(np.ones((3, 4))), ("O has shape (3, 4)", "at least 3 axes")),
    ("positions missing", lambda: score_terms(X, P[:2], W_Q, W_K), ("P has shape (2, 4)", "n = 3")),
    ("one position for all", lambda: score_terms(X, P[:1], W_Q, W_K), ("P has shape (1, 4)",)),
    ("two sizes of d_k", lambda: score_terms(X, P, W_Q, W_K[:, :1]), ("W_K has shape (4, 1)", "d_k = 2")),
)  # fmt: skip
def test_bad_input(call, words):
    assert_refused(call, words)
