import numpy as np
from bad_input import assert_refused, refusals

from transformer_math.gradient import add_learned_position_vjp, add_position_vjp
from transformer_math.position import add_learned_position, add_position

rng = np.random.default_rng(7)


def test_a_table_that_just_fits_is_added_as_it_is():
    X, P = rng.normal(size=(2, 5, 4)), rng.normal(size=(5, 4))
    assert np.array_equal(add_learned_position(X, P), add_position(X, P))
    gradient = rng.normal(size=X.shape)
    for ours, theirs in zip(
        *(f(X, P)[1](gradient) for f in (add_learned_position_vjp, add_position_vjp))
    ):
        assert np.array_equal(ours, theirs)


def test_rows_that_nobody_reached_take_no_gradient():
    _, pullback = add_learned_position_vjp(np.ones((3, 2, 4)), np.ones((5, 4)))
    _, dP = pullback(np.ones((3, 2, 4)))
    assert dP[:, 0].tolist() == [3, 3, 0, 0, 0]


@refusals(
    (
        "more tokens than rows",
        lambda: add_learned_position(np.ones((3, 4)), np.ones((2, 4))),
        ("(3, 4)", "(2, 4)", "no row for every token"),
    ),
    (
        "another width",
        lambda: add_learned_position(np.ones((3, 4)), np.ones((5, 2))),
        ("(5, 2)",),
    ),
)
def test_bad_input(call, words):
    assert_refused(call, words)
