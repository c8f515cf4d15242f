"""Count, while NumPy computes, which elementary operations are done and how many bytes they read and write."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from transformer_math.contract import contract

_NAMES = {
    "matmul": "matrix multiplication",
    "add": "addition",
    "subtract": "addition",
    "multiply": "multiplication",
    "divide": "division",
    "exp": "exponentiation",
    "square": "multiplication",
    "power": "multiplication",
    "sqrt": "square root",
    "sin": "sine",
    "cos": "cosine",
    "maximum": "comparison",
    "less": "comparison",
    "equal": "comparison",
    "isfinite": "comparison",
    "logical_and": "comparison",
    "isnan": "comparison",
}
BYTES = "bytes read and written"
_COPIES = (
    np.where,
    np.concatenate,
)  # functions that compute nothing, but read and write every number


class CountingArray(np.ndarray):
    """An array that tallies every NumPy operation it takes part in; whatever is computed from it does the same."""

    tally: Counter

    def __array_finalize__(self, parent) -> None:
        """Pass the tally on to views and copies."""
        self.tally = getattr(parent, "tally", None)  # type: ignore[assignment]

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **settings):
        """Do the operation on plain arrays, tally it, and let the result go on counting."""
        plain = [_plain(array) for array in inputs]
        if out is not None:
            settings["out"] = tuple(_plain(array) for array in out)
        result = getattr(ufunc, method)(*plain, **settings)
        self.tally[_NAMES.get(ufunc.__name__, ufunc.__name__)] += _operations(
            ufunc, method, plain, result
        )
        self.tally[BYTES] += sum(np.asarray(array).nbytes for array in (*plain, result))
        return _counting(result, self.tally)

    def __array_function__(self, function, types, arguments, settings):
        """Let functions that only move numbers (where, stack, swapaxes, ...) return counting arrays too."""
        result = super().__array_function__(function, types, arguments, settings)
        return _counting(
            self._moved(result) if function in _COPIES else result, self.tally
        )

    def __getitem__(self, key):
        """Look up rows: no operation, but bytes that are read and written."""
        return self._moved(super().__getitem__(key))

    def reshape(self, *shape, **settings):
        """Give the numbers another shape, which moves them where their order in memory changes."""
        return self._moved(super().reshape(*shape, **settings))

    def argmax(self, axis=None, **settings):
        """Find the largest entry: one comparison for each that is not the first. (NumPy's argmax is no ufunc.)"""
        place = super().argmax(axis, **settings)
        self.tally["comparison"] += self.size - np.size(place)
        self.tally[BYTES] += self.nbytes + np.asarray(place).nbytes
        return place

    def _moved(self, result):
        if isinstance(result, np.ndarray) and not np.may_share_memory(result, self):
            self.tally[BYTES] += 2 * result.nbytes
        return result


@contract
def count_operations(
    function: Callable, x: np.ndarray, *others: Any, **settings: Any
) -> tuple[Any, Counter[str]]:
    """Call `function(x, *others, **settings)`; return its result and the tally of operations on x and its offspring.

    >>> result, tally = count_operations(lambda x: x @ np.ones((3, 5)) + 1, np.ones((2, 3)))
    >>> tally["matrix multiplication"], tally["addition"]
    (60, 10)
    """
    tally: Counter = Counter()
    result = function(_counting(x, tally), *others, **settings)
    return (
        tuple(map(_plain, result)) if isinstance(result, tuple) else _plain(result)
    ), tally


def _plain(array):
    return array.view(np.ndarray) if isinstance(array, CountingArray) else array


def _counting(array, tally: Counter):
    if not isinstance(array, np.ndarray):
        return array
    counting = array.view(CountingArray)
    counting.tally = tally
    return counting


def _operations(ufunc, method: str, inputs: list, result) -> int:
    if ufunc is np.matmul:
        return 2 * result.size * inputs[0].shape[-1]
    if method == "reduce":
        return np.size(inputs[0]) - np.size(result)
    return np.size(result)
