"""Watch a function at work: what goes in, what comes out, and the faults that any function can have."""

import inspect
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import Check

ROUNDING = 1e-9  # results that differ by less are the same result


class Fault(Exception):
    """A fault that any function can have, whatever it computes; its text is the hint."""


@dataclass
class Call:
    """One call of a function: its arguments, as they were before, and its output."""

    arguments: tuple
    settings: dict
    output: Any


@dataclass
class Trial:
    """One case of a check, with every call it made and the way it ended."""

    check: Check
    number: int
    calls: list[Call] = field(default_factory=list)
    error: float = np.inf
    exception: Exception | None = None

    @property
    def failed(self) -> bool:
        """Whether the case told the function from a right one."""
        return self.exception is not None or self.error > self.check.tolerance


def try_case(check: Check, function: Callable, number: int) -> Trial:
    """Run one case and keep what happened, exceptions included."""
    trial = Trial(check, number)
    call = with_defaults_of(check.target, function)

    def recorded(*arguments, **settings):
        kept = deepcopy(arguments)
        output = call(*arguments, **settings)
        trial.calls.append(Call(kept, settings, deepcopy(opened(output))))
        if output is None or output is ...:
            raise Fault(
                "Your function returned nothing. Is it written to the end, with a `return`?"
            )
        if not same(_still(arguments), _still(kept)):
            raise Fault(
                "Your function changes an argument in place. Make a new array: `x = x - m` instead of `x -= m`."
            )
        return output

    try:
        with np.errstate(all="ignore"):
            trial.error = check.error(recorded, number)
    except Exception as exception:
        trial.exception = exception
    return trial


def _still(arguments: tuple) -> list:
    """The arguments that a call must leave alone: all but generators, which are there to be drawn from."""
    return [one for one in arguments if not isinstance(one, np.random.Generator)]


def opened(output: Any) -> Any:
    """A value and its pullback as two results that can be compared: for the pullback stand the gradients that it makes of a fixed one."""
    if not (isinstance(output, tuple) and len(output) == 2 and callable(output[1])):
        return output
    value, pullback = output
    shape = np.shape(value)
    gradient = np.random.default_rng(7).normal(size=shape) if shape else 1.0
    try:
        return value, pullback(gradient)
    except Exception:
        return output


def with_defaults_of(like: Callable, function: Callable) -> Callable:
    """The function, called with the defaults of another one for what it wants and is not given."""
    try:
        mine, theirs = inspect.signature(function), inspect.signature(like)
    except (TypeError, ValueError):
        return function

    def called(*arguments, **settings):
        try:
            mine.bind(*arguments, **settings)
        except TypeError:
            filled = theirs.bind(*arguments, **settings)
            filled.apply_defaults()
            try:
                mine.bind(*filled.args)
            except TypeError:
                _too_few(mine, theirs, len(arguments))
            return function(*filled.args)
        return function(*arguments, **settings)

    return called


def _too_few(mine: inspect.Signature, theirs: inspect.Signature, given: int) -> None:
    if len(mine.parameters) < given:
        raise Fault(
            f"Your function takes {len(mine.parameters)} of {len(theirs.parameters)} arguments; wanted "
            f"({', '.join(_written(parameter) for parameter in theirs.parameters.values())})."
        ) from None


def _written(parameter: inspect.Parameter) -> str:
    if parameter.default is parameter.empty:
        return parameter.name
    default = getattr(parameter.default, "__name__", repr(parameter.default))
    return f"{parameter.name}={default}"


def same(a: Any, b: Any) -> bool:
    """Whether two results are equal up to rounding."""
    return difference(a, b) <= ROUNDING
