import numpy as np
from bad_input import assert_refused, refusals

from transformer_math.embedding import embed, one_hot

E = np.arange(6.0).reshape(3, 2)


def test_rows_are_copies():
    X = embed(np.array([0]), E)
    X += 1
    assert E[0, 0] == 0


@refusals(
    ("id NaN", lambda: embed(np.array([np.nan]), E), ("float64", "integers")),
    ("truth values", lambda: embed(np.array([True]), E), ("bool", "integers")),
    ("ids as a list", lambda: embed([1], E), ("ids is a list", "np.array(ids)")),
    ("one id", lambda: embed(np.array(1), E), ("()", "at least 1 axis")),
    ("no ids", lambda: embed(np.array([], int), E), ("(0,)",)),
    ("E with NaN", lambda: embed(np.array([1]), E * np.nan), ("E holds nan",)),
    ("no vocabulary", lambda: one_hot(np.array([0]), 0), ("vocab_size is 0",)),
    ("half a vocabulary", lambda: one_hot(np.array([0]), 2.5), ("vocab_size is 2.5",)),
    ("id too large", lambda: embed(np.array([3]), E), ("[3]", "0..2")),
    ("negative id", lambda: embed(np.array([-1]), E), ("[-1]", "0..2")),
    ("real ids", lambda: embed(np.array([1.0]), E), ("float64", "integers")),
    ("no matrix", lambda: embed(np.array([1]), np.ones(3)), ("(3,)", "(V, d_model)")),
    ("one id too large", lambda: embed(np.array([0, 3]), E), ("[3]", "0..2")),
    ("two wrong ids", lambda: embed(np.array([0, 4, 3]), E), ("[4]", "0..2")),
    ("one negative id", lambda: embed(np.array([1, -1]), E), ("[-1]", "0..2")),
    ("one-hot outside", lambda: one_hot(np.array([5]), 3), ("[5]",)),
    ("one-hot just outside", lambda: one_hot(np.array([0, 3]), 3), ("[3]", "0..2")),
    ("one-hot negative", lambda: one_hot(np.array([1, -1]), 3), ("[-1]", "0..2")),
)
def test_bad_input(call, words):
    assert_refused(call, words)
