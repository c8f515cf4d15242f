"""Powers of two to divide by, so that no square leaves the range of floating point."""

import inspect
import math
import sys
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, TypeVar, cast

import numpy as np

from transformer_math.trees import map_leaves

Norm = TypeVar("Norm", bound=Callable)
Scaled = TypeVar("Scaled", bound=Callable)
LARGEST_LOG = math.log(sys.float_info.max)  # of a number that float64 can hold


def power_of_two(x: np.ndarray, eps: float = 0.0) -> np.ndarray:
    """For each row, the power of two just above its largest magnitude, and above the root of eps.

    To divide by it rounds nothing. The quotients are at most 1, and so their squares neither overflow nor all vanish.

    >>> power_of_two(np.array([[3e200, 4e200], [0.3, 0.0]])).tolist() == [[2.0**667], [0.5]]
    True
    """
    largest = np.maximum(
        np.abs(x).max(axis=-1, keepdims=True), np.sqrt(x.dtype.type(eps))
    )
    numbers = np.finfo(x.dtype)
    exponent = np.clip(np.frexp(largest)[1], numbers.minexp, numbers.maxexp - 1)
    return np.ldexp(x.dtype.type(1), exponent)


def squares_fit(x: np.ndarray, eps: float) -> bool:
    """Whether the squares of the rows neither overflow nor vanish beside eps.

    >>> squares_fit(np.array([3.0, 4e200]), 1e-5), squares_fit(np.array([3e-200, 0.0]), 0.0)
    (False, False)
    """
    numbers, x = np.finfo(x.dtype), np.asarray(x)
    small = math.sqrt(numbers.tiny)
    largest = max(x.max(), -x.min())
    fits = largest <= math.sqrt(float(numbers.max) / x.shape[-1]) / 2
    return bool(fits and (eps >= small or np.abs(x).max(axis=-1).min() >= small))


def _rows(x: np.ndarray, eps: float) -> list[tuple[np.ndarray, float, float]]:
    # each row divided by its power of two, that power, and the eps that goes with it: no 0 where eps is none
    rows = x.reshape(-1, x.shape[-1])
    scales = power_of_two(rows, eps)[:, 0]
    least = float(np.finfo(x.dtype).tiny) if eps else 0.0
    return [
        (row / s, float(s), max(least, float(eps / s / s)))
        for row, s in zip(rows, scales)
    ]


def scale_free(norm: Norm) -> Norm:
    """Let a norm see rows whose squares stay in range: of x / s and eps / s² it makes the same as of x and eps."""
    return _in_range(norm, _by_rows)


def scale_free_vjp(norm_vjp: Norm) -> Norm:
    """The same for the twin of a norm: the gradient of x is that of x / s, divided by s."""
    return _in_range(norm_vjp, _by_rows_vjp)


def _in_range(norm: Any, beyond: Callable) -> Any:
    signature = inspect.signature(norm)

    @wraps(norm)
    def in_range(*args, **kwargs):
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        x, parameters, eps = bound.args
        if squares_fit(x, eps):
            return norm(x, parameters, eps)
        return beyond(norm, x, parameters, eps)

    return in_range


def _by_rows(norm: Callable, x: np.ndarray, parameters: Any, eps: float) -> np.ndarray:
    normed = [norm(row, parameters, small) for row, _, small in _rows(x, eps)]
    return np.reshape(normed, x.shape)


def _by_rows_vjp(
    norm_vjp: Callable, x: np.ndarray, parameters: Any, eps: float
) -> tuple[np.ndarray, Callable]:
    rows = _rows(x, eps)
    normed, pullbacks = zip(*(norm_vjp(row, parameters, e) for row, _, e in rows))

    def pullback(dy):
        of_rows = zip(pullbacks, dy.reshape(-1, dy.shape[-1]))
        dx, dparameters = zip(*(back(of_row) for back, of_row in of_rows))
        dx = [of_row / s for of_row, (_, s, _) in zip(dx, rows)]
        summed = map_leaves(lambda *parts: sum(parts), *dparameters)
        return np.reshape(dx, x.shape), summed

    return np.reshape(normed, x.shape), pullback


def scale_invariant(function: Scaled) -> Scaled:
    """Let a function that does not depend on the unit of its arrays see them in one in which squares stay in range.

    >>> nearer = scale_invariant(lambda x: int((x**2).argmin()))
    >>> nearer(np.array([3e-200, 2e-200]))
    1
    """
    return _in_one_unit(function, lambda result, exponent: result)


def homogeneous(function: Scaled) -> Scaled:
    """The same for a function whose value grows with its arrays: of x / s it makes the s-th part.

    >>> diagonal = homogeneous(lambda x: np.sqrt((x**2).sum()))
    >>> float(f"{diagonal(np.array([3e200, 4e200])):.6g}")
    5e+200
    """
    return _in_one_unit(function, np.ldexp)


def homogeneous_of_degree_2_vjp(function: Scaled) -> Scaled:
    """The same for the twin of a function that grows with the square of its arrays: gradients grow with the arrays."""
    return _in_one_unit(function, _square_and_pullback)


def _square_and_pullback(twin: tuple, exponent: int) -> tuple:
    value, pullback = twin
    return np.ldexp(value, 2 * exponent), lambda gradient: tuple(
        np.ldexp(part, exponent) for part in pullback(gradient)
    )


def _in_one_unit(function: Any, restore: Callable[[Any, int], Any]) -> Any:
    @wraps(function)
    def in_one_unit(*args, **kwargs):
        exponent = _exponent(filter(_is_real, [*args, *kwargs.values()]))
        if exponent == 0:
            return function(*args, **kwargs)
        args = [_divided(value, exponent) for value in args]
        kwargs = {name: _divided(value, exponent) for name, value in kwargs.items()}
        return restore(function(*args, **kwargs), exponent)

    return in_one_unit


def in_unit(x: np.ndarray) -> np.ndarray:
    """An array as a function that is `scale_invariant` sees it where it is the only one.

    >>> in_unit(np.array([3.0, 4.0])).tolist(), in_unit(np.ldexp([3.0, 4.0], 600)).tolist()
    ([3.0, 4.0], [0.375, 0.5])
    """
    return _divided(x, _exponent([x]))


def powers_fit(x: np.ndarray, power: float) -> bool:
    """Whether no positive number, to a power, vanishes, and the powers leave room for a product with a sum like theirs.

    >>> powers_fit(np.array([2.0, 0.0]), 10.0), powers_fit(np.array([2.0, 0.0]), 1000.0)
    (True, False)
    """
    with np.errstate(over="ignore", under="ignore"):
        powers = x**power
    most = math.sqrt(np.finfo(x.dtype).max)
    return bool((powers[x > 0] > 0).all() and powers.max() < most)


def _divided(value: Any, exponent: int) -> Any:
    return np.ldexp(value, -exponent) if _is_real(value) else value


def _is_real(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"


def _exponent(arrays: Iterable[np.ndarray]) -> int:
    # of the power of two just above the largest number; 0 where fourth powers are far from the ends of the range
    found = [(np.abs(x).max(), np.finfo(x.dtype).maxexp) for x in arrays]
    exponent = math.frexp(max(largest for largest, _ in found))[1]
    return exponent if abs(exponent) > min(most for _, most in found) // 4 else 0


def by_ratios(mean: Norm) -> Norm:
    """Let a weighted mean see weights whose sum stays in range: only their ratios count, so the largest may be 1."""
    signature = inspect.signature(mean)

    @wraps(mean)
    def in_range(*args, **kwargs):
        arguments = signature.bind(*args, **kwargs).arguments
        weights = arguments.get("weights")
        if weights is not None:
            arguments["weights"] = np.asarray(weights / weights.max())
        return mean(**arguments)

    return cast(Norm, in_range)


def length(x: np.ndarray) -> float:
    """The root of the sum of squares of all numbers of an array, of magnitudes from the smallest to the largest.

    >>> float(f"{length(np.array([3e200, 4e200])):.6g}"), length(np.array([300.0, 400.0], np.float16))
    (5e+200, 500.0)
    """
    numbers = np.asarray(x, np.promote_types(x.dtype, np.float32)).reshape(1, -1)
    scale = power_of_two(numbers)
    numbers = numbers / scale
    return float(scale[0, 0]) * math.sqrt(np.vdot(numbers, numbers))
