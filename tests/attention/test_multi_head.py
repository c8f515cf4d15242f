import numpy as np
from bad_input import assert_refused, refusals

from transformer_math.attention import concat_heads, project, score_terms, split_heads

rng = np.random.default_rng(6)


def test_splitting_and_joining_undo_each_other():
    x = rng.normal(size=(2, 3, 12))
    assert np.array_equal(concat_heads(split_heads(x, 4)), x)


@refusals(
    (
        "heads do not divide",
        lambda: split_heads(np.ones((2, 10)), 4),
        ("10", "4 heads"),
    ),
    ("no heads", lambda: split_heads(np.ones((2, 10)), 0), ("n_heads is 0",)),
    (
        "weights transposed",
        lambda: project(np.ones((2, 3)), np.ones((5, 3))),
        ("(2, 3)", "d_in = 3", "W.T"),
    ),
    (
        "bias of another size",
        lambda: project(np.ones((2, 3)), np.ones((3, 5)), np.ones(3)),
        ("(3,)", "d_out = 5"),
    ),
    (
        "positions missing",
        lambda: score_terms(np.ones((3, 4)), np.ones((2, 4)), np.eye(4), np.eye(4)),
        ("(2, 4)",),
    ),
)
def test_bad_input(call, words):
    assert_refused(call, words)
