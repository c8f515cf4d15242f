import numpy as np
import pytest
from bad_input import assert_refused, refusals

from transformer_math.position import (
    clipped_offsets,
    relative_attention,
    relative_attention_by_shift,
    relative_scores,
    skew,
    unskew,
)

rng = np.random.default_rng(3)


@pytest.mark.parametrize("n", [1, 2, 5, 40])
@pytest.mark.parametrize("limit", [0, 1, 7, 60])
def test_the_shift_gives_what_pairs_give(n, limit):
    Q, K = rng.normal(size=(2, 2, 3, n, 4))
    V = rng.normal(size=(2, 3, n, 5))
    tables = rng.normal(size=(2 * limit + 1, 4)), rng.normal(size=(2 * limit + 1, 5))
    pairs = relative_attention(Q, K, V, *tables)
    shifted = relative_attention_by_shift(Q, K, V, *tables)
    assert np.allclose(pairs[0], shifted[0], atol=1e-13)
    assert np.allclose(pairs[1], shifted[1], atol=1e-14)


def test_scores_move_with_the_text():
    Q, K, a_K = (
        rng.normal(size=(9, 4)),
        rng.normal(size=(9, 4)),
        rng.normal(size=(7, 4)),
    )
    whole = relative_scores(Q, K, a_K)
    assert np.allclose(whole[4:, 4:], relative_scores(Q[4:], K[4:], a_K), atol=1e-14)


def test_shifting_back_undoes_the_shift():
    A = rng.normal(size=(2, 6, 6))
    assert np.array_equal(skew(unskew(A)), A)
    R = rng.normal(size=(6, 11))
    assert np.vdot(skew(R), A[0]) == pytest.approx(np.vdot(R, unskew(A[0])))


def test_precision_stays():
    arguments = [
        rng.normal(size=s).astype(np.float32) for s in [(3, 4)] * 3 + [(5, 4)] * 2
    ]
    for function in (relative_attention, relative_attention_by_shift):
        assert {x.dtype for x in function(*arguments)} == {np.dtype(np.float32)}


@refusals(
    ("negative limit", lambda: clipped_offsets(3, -1), ("limit is -1", "at least 0")),
    (
        "even table",
        lambda: relative_scores(np.ones((2, 4)), np.ones((2, 4)), np.ones((4, 4))),
        ("(4, 4)", "odd number of rows"),
    ),
    (
        "table of another width",
        lambda: relative_scores(np.ones((2, 4)), np.ones((2, 4)), np.ones((3, 2))),
        ("a_K has shape (3, 2)", "d_k = 4"),
    ),
    (
        "tables of different lengths",
        lambda: relative_attention(
            *np.ones((3, 2, 4)), np.ones((3, 4)), np.ones((5, 4))
        ),
        ("a_V has shape (5, 4)",),
    ),
    ("offsets missing", lambda: skew(np.ones((3, 4))), ("(3, 4)", "2n - 1 columns")),
    ("not square", lambda: unskew(np.ones((3, 4))), ("(3, 4)",)),
)
def test_bad_input(call, words):
    assert_refused(call, words)
