"""The traits of explorables: what each can take is stated once, checked here, and read by JavaScript.

A trait's `bounds` travel in the state. `high` may depend on another trait: `below=("d", 2)` means less than d / 2.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import traitlets


class InvalidState(traitlets.TraitError, ValueError):
    """A value that a trait cannot take; traitlets takes back what was set together with it."""


def require(condition: bool | np.bool, message: str) -> None:
    """Raise `InvalidState(message)`, a `ValueError`, unless the condition holds."""
    if not condition:
        raise InvalidState(message)


class Bounded(traitlets.Float):
    """A number from `low` to `high`.

    >>> class Oven(traitlets.HasTraits):
    ...     heat = Bounded(180.0, low=50, high=250)
    >>> Oven(heat=300)
    Traceback (most recent call last):
    transformer_math.explorables._traits.InvalidState: heat is 300.0; wanted 50..250.
    """

    def __init__(self, default: float, low: float | int, high: float | int):
        super().__init__(default)
        self.bounds = {"low": low, "high": high}
        self.tag(sync=True)

    def validate(self, obj: Any, value: Any) -> float:
        """The number, unless it is outside; NaN is outside."""
        number = super().validate(obj, value)
        low, high = self.bounds["low"], self.bounds["high"]
        require(
            low <= number <= high, f"{self.name} is {number}; wanted {low}..{high}."
        )
        return number


class Whole(traitlets.Int):
    """A whole number from `low` to `high` in steps, or below what another trait allows.

    >>> class Row(traitlets.HasTraits):
    ...     size = Whole(4, low=2, high=8, step=2)
    ...     pair = Whole(0, low=0, below=("size", 2))
    >>> Row(pair=2)
    Traceback (most recent call last):
    transformer_math.explorables._traits.InvalidState: pair is 2; wanted 0..1. Fix: set a larger size first.
    """

    def __init__(
        self,
        default: int,
        low: int,
        high: int | None = None,
        step: int = 1,
        below: tuple[str, int] | None = None,
    ):
        super().__init__(default)
        self.bounds = {"low": low, "step": step}
        self.bounds |= {"high": high} if below is None else {"below": list(below)}
        self.tag(sync=True)

    def highest(self, obj: traitlets.HasTraits) -> int:
        """The largest number that the trait can take in an object as it is now."""
        if "below" not in self.bounds:
            return self.bounds["high"]
        name, divisor = self.bounds["below"]
        return getattr(obj, name) // divisor - 1

    def _cross_validate(self, obj: Any, value: Any) -> int:
        """Compare with the other trait once all that is set together has been set."""
        number = super()._cross_validate(obj, value)
        low, high, step = self.bounds["low"], self.highest(obj), self.bounds["step"]
        name = self.bounds.get("below", [None])[0]
        fix = f" Fix: set a larger {name} first." if name and number > high else ""
        kind = (
            f"one of {low}, {low + step}, …, {high}" if step > 1 else f"{low}..{high}"
        )
        fits = low <= number <= high and (number - low) % step == 0
        require(fits, f"{self.name} is {number}; wanted {kind}.{fix}")
        return number


class Choice(traitlets.Unicode):
    """One of a few words; each has a label for the reader.

    >>> class Drink(traitlets.HasTraits):
    ...     kind = Choice({"tea": "a tea", "milk": "a milk"})
    >>> Drink(kind="rum")
    Traceback (most recent call last):
    transformer_math.explorables._traits.InvalidState: kind is 'rum'; wanted one of tea, milk.
    """

    def __init__(self, labels: dict[str, str]):
        super().__init__(next(iter(labels)))
        self.bounds = {"labels": labels}
        self.tag(sync=True)

    def validate(self, obj: Any, value: Any) -> str:
        """The word, unless it is none of the choices."""
        word, labels = super().validate(obj, value), self.bounds["labels"]
        known = ", ".join(labels)
        require(word in labels, f"{self.name} is {word!r}; wanted one of {known}.")
        return word


class Numbers(traitlets.List):
    """A list of finite numbers of one length, each from -`size` to `size`."""

    def __init__(self, default: list[float], size: float):
        super().__init__(traitlets.Float(), default)
        self.count, self.bounds = len(default), {"low": -size, "high": size}
        self.tag(sync=True)

    def validate(self, obj: Any, value: Any) -> list[float]:
        """The numbers, unless there are too many, too few, or one is outside."""
        numbers = super().validate(obj, value)
        require(
            len(numbers) == self.count,
            f"{self.name} has {len(numbers)} numbers; wanted {self.count}. Fix: fill up with zeros.",
        )
        within(self.name, np.array(numbers), self.bounds)
        return numbers


def within(
    name: str | None, numbers: np.ndarray, bounds: dict[str, float | int]
) -> None:
    """Refuse numbers outside the bounds, and NaN."""
    low, high = bounds["low"], bounds["high"]
    outside = numbers[~((numbers >= low) & (numbers <= high))]
    require(
        outside.size == 0,
        f"{name} holds {outside[:1].tolist()}; wanted finite numbers in {low:g}..{high:g}.",
    )


class Weights(traitlets.Bytes):
    """Packed arrays that a module asks for by the trait's name: `await weights(model, name)`.

    A widget sends them as they are, in binary; a built page holds them in a file of their own, once per book, which is
    loaded when a module asks. They are no state: `pack` says what they hold, and they never change.
    """

    def __init__(self, make: Callable[[], bytes]):
        super().__init__(read_only=True)
        self.make = make
        self.tag(sync=True)

    def default(self, obj: Any = None) -> bytes:
        """The bytes, made when they are first asked for."""
        return self.make()
