"""Numbers and texts with bounds, as types for signatures: `n: Size`, `eps: NonNegative`, `text: Text`."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np

WHOLE = (int, np.integer)
REAL = (int, float, np.integer, np.floating)


@dataclass(frozen=True)
class Scalar:
    """What a value must be: its types, its bounds, how both are said, and what to do where they do not hold."""

    types: tuple[type, ...]
    plain: type
    holds: Callable[[Any], bool]
    wanted: str
    fix: str | Callable[[Any], str]

    def take(self, name: str, value: Any, sizes: dict, scan: bool) -> Any:
        """The value as a plain int, float or str, so that no NumPy number widens a float32 array by its own type."""
        if (
            not isinstance(value, self.types)
            or isinstance(value, (bool, np.bool_))
            or not self.holds(value)
        ):
            raise ValueError(
                f"{name} is {shown(value)}; wanted {self.wanted}. Fix: {self._fix(name, value)}."
            )
        return self.plain(value)

    def _fix(self, name: str, value: Any) -> str:
        fraction = self.plain is int and isinstance(value, (float, np.floating))
        if fraction and math.isfinite(value) and self.holds(round(value)):
            return f"round({name}), if the fraction is a slip"
        return self.fix(value) if callable(self.fix) else self.fix.format(name=name)

    def with_fix(self, fix: str) -> "Scalar":
        """The same rule with advice of its own."""
        return replace(self, fix=fix)


def _next_even(value: Any) -> str:
    odd = isinstance(value, WHOLE) and value > 0
    return f"use {value + 1}" if odd else "use at least 2"


def shown(value: Any) -> str:
    """A value in a few words: numbers and short texts as they are, anything else by its type."""
    if value is None or isinstance(value, (bool, np.bool_, *REAL, complex)):
        return str(value)
    if isinstance(value, (str, bytes)) and len(value) <= 40:
        return repr(value)
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    kind = type(value)
    home = "" if kind.__module__ == "builtins" else kind.__module__.split(".")[0] + "."
    article = "an" if kind.__name__[0] in "aeiou" and not home else "a"
    return f"{article} {home}{kind.__name__}"


Whole = Annotated[
    int,
    Scalar(WHOLE, int, lambda n: True, "a whole number", "pass an int"),
]
Size = Annotated[
    int,
    Scalar(
        WHOLE,
        int,
        lambda n: n >= 1,
        "a whole number of at least 1",
        "{name} = 1 or more",
    ),
]
EvenSize = Annotated[
    int,
    Scalar(
        WHOLE,
        int,
        lambda n: n >= 2 and n % 2 == 0,
        "a positive even number, since dimensions come in pairs",
        _next_even,
    ),
]
Number = Annotated[
    float,
    Scalar(REAL, float, math.isfinite, "a finite number", "pass a float"),
]
NumberOrInfinity = Annotated[
    float,
    Scalar(REAL, float, lambda x: x > -math.inf, "a number, or ∞", "pass a float"),
]
POSITIVE = Scalar(
    REAL,
    float,
    lambda x: 0 < x < math.inf,
    "a finite number greater than 0",
    "{name} > 0",
)
Positive = Annotated[float, POSITIVE]
NonNegative = Annotated[
    float,
    Scalar(
        REAL,
        float,
        lambda x: 0 <= x < math.inf,
        "a finite number of at least 0",
        "{name} = 0 or more",
    ),
]
Fraction = Annotated[
    float,
    Scalar(
        REAL,
        float,
        lambda x: 0 <= x < 1,
        "a number of at least 0 and less than 1",
        "{name} = 0.1, or 0 for none",
    ),
]
Text = Annotated[
    str,
    Scalar(
        (str,),
        str,
        lambda text: text != "",
        "a text that is not empty",
        'pass some text, such as "Hello"',
    ),
]
