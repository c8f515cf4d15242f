"""What a function answers is looked at as its arguments are: finite numbers, and -inf only where its signature says so."""

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from transformer_math.contract.arrays import Array, all_finite
from transformer_math.contract.functions import Parts
from transformer_math.contract.rules import Record, rule_of
from transformer_math.contract.scalars import Scalar

REAL = (float, np.floating)


class Answer:
    """What the return annotation of a function says of the numbers that come back."""

    def __init__(self, function: Callable) -> None:
        signature = inspect.signature(inspect.unwrap(function))
        self.said = f"{function.__name__}(…)"
        self.rule = rule_of(signature.return_annotation, frozenset())
        self.always = isinstance(self.rule, Array) and self.rule.always

    def look(self, value: Any) -> Any:
        """The value; ValueError where numbers have left the range of floating point."""
        _look(self.said, value, self.rule)
        return value


def _look(said: str, value: Any, rule: Any) -> None:
    if isinstance(rule, Parts):
        for number, (part, one) in enumerate(zip(value, rule.rules)):
            _look(f"{said}[{number}]", part, one)
    elif isinstance(rule, Record):
        for name, field in rule.rules:
            _look(f"{said}.{name}", getattr(value, name), field)
    elif isinstance(rule, Array) and rule.lowest is not None:
        if not value.max() < math.inf:
            raise _beyond(said, value, value < math.inf)
    elif isinstance(rule, Array) or (
        isinstance(rule, Scalar) and not rule.holds(value)
    ):
        require_finite(said, value)


def require_finite(said: str, value: Any) -> None:
    """Refuse an array or a number of floating point that is not finite; anything else is none of its business."""
    real = value.dtype.kind == "f" if isinstance(value, np.ndarray) else isinstance(value, REAL)  # fmt: skip
    if real and not all_finite(np.asarray(value)):
        raise _beyond(said, np.asarray(value), np.isfinite(value))


def _beyond(said: str, value: np.ndarray, fine: Any) -> ValueError:
    where = tuple(int(i) for i in np.argwhere(~np.asarray(fine))[0])
    place = f" at index {where}" if where else ""
    return ValueError(
        f"{said} comes to {value[where]}{place}; wanted finite numbers. "
        f"Fix: something overflows in {value.dtype}, or is divided by 0: bring the arguments nearer to 1."
    )
