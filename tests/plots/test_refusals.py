"""What cannot be drawn, said or asked is refused in words, before something else is shown."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from bad_input import assert_refused, refusals

from transformer_math.plots import (
    arcs,
    ask,
    canvas,
    choose,
    estimate,
    heatmap,
    heatmaps,
    listen,
    matrix,
    number,
    shapes,
    source,
    spread,
)
from transformer_math.plots.heatmap import draw

ALT = "A picture of numbers, for a test."
M = np.eye(2)
NINE = list("abcdefghi")


def drawn(values, **options):
    return draw(canvas()[1], values, **options)


@pytest.mark.parametrize("drawing", [lambda x, **o: heatmap(x, ALT, **o), drawn])
@pytest.mark.parametrize(
    ("values", "options", "words"),
    [
        (M, {"columns": NINE}, ("9 names for 2 columns",)),
        (M, {"rows": NINE}, ("9 names for 2 rows",)),
        (M, {"rows": ["a"]}, ("1 name for 2 rows",)),
        (M, {"limit": -1}, ("limit is -1",)),
        (M, {"limit": 0}, ("limit is 0", "above 0")),
        (M, {"limit": np.nan}, ("limit is", "nan")),
        (M + 1j, {}, ("complex128", "real")),
        (np.ones(3), {}, ("(3,)", "(rows, columns)")),
        (np.ones((2, 2, 2)), {}, ("(2, 2, 2)",)),
        (np.ones((0, 2)), {}, ("(0, 2)",)),
    ],
)
def test_what_is_no_heatmap(drawing, values, options, words):
    assert_refused(lambda: drawing(values, **options), words)


@refusals(
    ("no matrix", lambda: heatmaps({}, ALT), ("no matrix",)),
    ("no words", lambda: heatmap(M, None), ("alt is None",)),
    ("too many rows", lambda: matrix(M, NINE[:3]), ("3 names for 2 rows",)),
    ("too few columns", lambda: matrix(M, columns=["a"]), ("1 name for 2 columns",)),
    ("a negative number of rows", lambda: matrix(M, most=-1), ("most is -1",)),
    ("three axes", lambda: matrix(np.ones((2, 2, 2))), ("(2, 2, 2)",)),
    ("weights of NaN", lambda: arcs(M * np.nan, ["a", "b"], ALT), ("from nan",)),
    ("weights below 0", lambda: arcs(-M, ["a", "b"], ALT), ("-1.0", "0 to 1")),
    ("weights above 1", lambda: arcs(5 * M, ["a", "b"], ALT), ("5.0", "softmax")),
    ("samples of NaN", lambda: listen(np.array([np.nan]), 8000, ""), ("NaN",)),
    ("half a rate", lambda: listen(np.zeros(1), 8000.5, ""), ("rate is 8000.5",)),
    ("no rate", lambda: listen(np.zeros(1), 0, ""), ("rate is 0",)),
    ("no number", lambda: number(None), ("None", "real number")),
    ("decimals below 0", lambda: number(1.5, -1), ("-1", "decimals")),
    ("an answer of NaN", lambda: ask("q", np.nan, (1, "no")), ("nan", "typed")),
    ("a mistake of infinity", lambda: ask("q", 1, (np.inf, "no")), ("inf", "typed")),
    ("an endless slider", lambda: estimate("q", 1, 0, np.inf), ("inf", "finite")),
    (
        "arrays to choose from",
        lambda: choose("q", M, (M, "yes"), (-M, "no")),
        ("array", "tolist"),
    ),
    ("no code", lambda: source(len), ("len", "def or class")),
    ("a lambda", lambda: source(lambda: 1), ("lambda", "def or class")),
)
def test_what_is_refused(call, words, a_readers_notebook):
    assert_refused(call, words)


def test_lists_are_drawn_as_arrays_are():
    assert arcs([[1, 0], [0, 1]], ["a", "b"], ALT) == arcs(M, ["a", "b"], ALT)
    assert shapes(("A", [[1, 0], [0, 1]]), alt=ALT) == shapes(("A", M), alt=ALT)


def test_true_is_not_one():
    question = choose("q", True, (1, "a number"), (True, "yes"))
    assert question.typed == (("wrong", 0), ("right", 1))


def test_large_values_have_a_mean_and_an_error():
    said = spread(np.linspace(1, 2, 30) * 1.45e301, "seeds")
    assert said.startswith("2.17e+301 ± 8.04e+299") and "inf" not in said


def test_names_may_be_an_array():
    assert matrix(M, np.array(["a", "b"])) is not None
    with pytest.raises(ValueError, match="3 names for 2 rows"):
        matrix(M, np.array(["a", "b", "c"]))


@pytest.mark.parametrize(
    ("value", "text"), [(Fraction(1, 3), "0.33"), (Decimal("-0.125"), "−0.12"), (10**20, "100 000 000 000 000 000 000.00")]
)  # fmt: skip
def test_every_real_number_is_told(value, text):
    assert number(value, 2) == text.replace(" ", "\u202f")
