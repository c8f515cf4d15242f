"""Results are compared part by part; NaN, shapes, kinds and text cannot slip through."""

from collections import Counter
from dataclasses import dataclass
from math import inf, nan
from typing import NamedTuple

import numpy as np
import pytest
import torch

from transformer_math.checks import difference, worst


@dataclass(frozen=True)
class Layer:
    W: np.ndarray
    b: float


class BPE(NamedTuple):
    tokens: tuple
    merges: dict


O, A = np.array([[1.0, 2.0]]), np.array([[0.25, 0.75]])

EQUAL = [
    (1, 1.0),
    ([1, 2], np.array([1.0, 2.0])),
    ([1, 2], np.array([1, 2])),
    ((1.0, 2.0), [1.0, 2.0]),
    ((O, A), [torch.from_numpy(O), torch.from_numpy(A)]),
    ([O, A], (O, A)),
    ([], np.zeros(0, int)),
    ([], np.zeros((0, 2), int)),
    ([[1.0], [2.0]], np.array([[1.0], [2.0]])),
    ([np.array([1.0]), np.array([2.0])], np.array([[1.0], [2.0]])),
    ([nan, inf, -inf], np.array([nan, inf, -inf])),
    (np.array([True, False]), [True, False]),
    (np.int8(3), 3),
    (np.uint64(2**63), np.uint64(2**63)),
    (["ab", "c"], ("ab", "c")),
    ({"a": 1}, Counter(a=1)),
    (Layer(O, 1.0), Layer(O.copy(), 1.0)),
    (BPE(("a",), {(0, 0): 1}), BPE(("a",), {(0, 0): 1})),
    (None, None),
    ([], []),
    (np.zeros((0, 3)), np.zeros((0, 3))),
]

DIFFERENT = [
    ("42", 42),
    (np.zeros(0), np.zeros((0, 2))),
    ([], np.zeros((2, 0))),
    (42, "42"),
    (" 42", "42"),
    (["1"], [1]),
    (b"a", "a"),
    (True, 1),
    (1.0, True),
    (np.array([1.0, 0.0]), np.array([True, False])),
    ([True, 1.0], [1.0, 1.0]),
    (None, 0.0),
    (0.0, None),
    (nan, 0.0),
    (0.0, nan),
    (1.0, 1),
    (np.float64(3.0), 3),
    (np.array([1.0, 2.0]), np.array([1, 2])),
    ([1.0, 2.0], np.array([1, 2])),
    ([1, 2.0], (1, 2)),
    ((O, 2.0), (O, 2)),
    (np.full((2, 2), nan), np.zeros((2, 2))),
    (inf, 1.0),
    (1.0, inf),
    (-inf, inf),
    ([1.0, 2.0], [1.0]),
    (np.zeros((2, 1)), np.zeros((1, 2))),
    (np.zeros(3), np.zeros((1, 3))),
    (O, (O, A)),
    ((O,), (O, A)),
    ((A, O), (O, A)),
    ((O, np.full((1, 2), nan)), (O, A)),
    ({"a": 1}, {"b": 1}),
    ({"a": 1}, {"a": 1, "b": 2}),
    ({"a": 1}, [1]),
    (Layer(O, 3.0), Layer(O, 1.0)),
    (Layer(O, 1.0), (O, 1.0)),
    (BPE(("a",), {}), ("a", {})),
    (["ab"], ["ab", "c"]),
    ("ab", ["a", "b"]),
    ([1, None], [1, 2]),
    (2**60, 2**60 + 1),
    (object(), 1.0),
]


@pytest.mark.parametrize(("got", "wanted"), EQUAL)
def test_equal_results_have_no_difference(got, wanted):
    assert difference(got, wanted) == 0.0


@pytest.mark.parametrize(("got", "wanted"), DIFFERENT)
def test_other_results_differ(got, wanted):
    assert difference(got, wanted) >= 1.0


@pytest.mark.parametrize(
    ("got", "wanted", "error"),
    [
        (1.5, 1.0, 0.5),
        (0.5, 1.0, 0.5),
        (150.0, 100.0, 0.5),
        (-3.0, -2.0, 0.5),
        (0.001, 0.0, 0.001),
        ([0.0, 1.0, 3.0], [0.0, 1.25, 2.0], 0.5),
        (103, 100, 3.0),
        ([O, A + 0.125], [O, A], 0.125),
        ({"a": 1.0, "b": 2.5}, {"a": 1.0, "b": 2.0}, 0.25),
    ],
)
def test_real_numbers_differ_relatively_and_whole_ones_by_what_they_are_apart(
    got, wanted, error
):
    assert difference(got, wanted) == error


def test_the_worst_error_is_not_hidden_by_another():
    assert worst([0.1, 0.3, 0.2]) == 0.3
    assert worst([0.5, nan, 0.1]) == inf
    assert worst([nan]) == inf
    assert worst([inf, 1.0]) == inf
    assert worst([]) == 0.0


def test_a_real_number_is_no_whole_one_however_near():
    assert difference(3.0, 3) == inf
    assert difference(3, 3.0) == 0.0


def test_weights_of_nan_are_not_right():
    assert difference((O, A * nan), (O, A)) == inf
