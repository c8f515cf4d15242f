"""The decorator `twin`: a contract for functions that return `(value, pullback)`, and for the gradient that the pullback takes."""

from collections.abc import Callable
from functools import wraps
from typing import Any, get_args

import numpy as np

from transformer_math.contract.answers import require_finite
from transformer_math.contract.arrays import all_finite
from transformer_math.contract.calls import inside, is_inside
from transformer_math.contract.decorator import Decorated, contract
from transformer_math.contract.scalars import Number, shown

Pullback = Callable[[Any], tuple]
_NUMBER = get_args(Number)[1]


def twin(function: Decorated) -> Decorated:
    """Hold the arguments of a twin to its signature, and the gradient that its pullback takes to the form of the value.

    >>> @twin
    ... def double_vjp(x: float) -> tuple[float, Pullback]:
    ...     return 2 * x, lambda gradient: (2 * gradient,)
    >>> double_vjp(3.0)[1](np.ones(2))
    Traceback (most recent call last):
    ...
    ValueError: gradient is an array of shape (2,); wanted a finite number. Fix: pass a float.
    """
    return _with_pullback(contract(function))


def _with_pullback(checked: Any) -> Any:
    @wraps(checked)
    def with_pullback(*args, **kwargs):
        value, pullback = checked(*args, **kwargs)
        take = _array_like(value) if isinstance(value, np.ndarray) else _number
        return value, lambda gradient: _finite(inside(pullback, take(gradient)))

    return with_pullback


def _finite(gradients: tuple) -> tuple:
    if not is_inside():
        for number, gradient in enumerate(gradients):
            require_finite(f"pullback(…)[{number}]", gradient)
    return gradients


def _number(gradient: Any) -> float:
    return _NUMBER.take("gradient", gradient, {}, True)


def _array_like(value: np.ndarray) -> Callable[[Any], np.ndarray]:
    shape, dtype = value.shape, value.dtype  # to keep the value would cost memory

    def take(gradient: Any) -> np.ndarray:
        if type(gradient) is not np.ndarray or gradient.shape != shape:
            raise ValueError(
                f"gradient is {shown(gradient)}; wanted an array of shape {shape}. "
                "Fix: the gradient of a loss has the form of the value that the twin returned."
            )
        if gradient.dtype != dtype:
            raise ValueError(
                f"gradient has dtype {gradient.dtype}; wanted {dtype}, as the value has. Fix: gradient.astype(np.{dtype})."
            )
        if not (is_inside() or all_finite(gradient)):
            where = tuple(int(i) for i in np.argwhere(~np.isfinite(gradient))[0])
            raise ValueError(
                f"gradient holds {gradient[where]} at index {where}; wanted finite numbers. Fix: look for the step that made it."
            )
        return gradient

    return take
