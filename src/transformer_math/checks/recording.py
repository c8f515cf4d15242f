"""Watch a function at work: what goes in, what comes out, and the faults that any function can have."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from traceback import walk_tb
from typing import Any

import numpy as np

from transformer_math.checks.compare import difference, plain
from transformer_math.checks.patience import OutOfTime, at_most
from transformer_math.checks.registry import Check

ROUNDING = 1e-9  # results that differ by less are the same result
SECONDS = 5  # of the processor, for one call; a case takes milliseconds
ARRIVING = -1.75  # the gradient of a value that is one number: no 1, which would hide that it is ignored

AGAIN = "Your pullback gives something else when it is called a second time: it must not write over what it needs."


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
    begun: Call | None = None  # the call that never came to its end
    error: float = np.inf
    exception: Exception | None = None

    @property
    def failed(self) -> bool:
        """Whether the case told the function from a right one."""
        return self.exception is not None or self.error > self.check.tolerance

    @property
    def usual(self) -> bool:
        """Whether its numbers are of usual size: not the longest case, the last but one."""
        return self.number != self.check.cases - 2

    @property
    def raised(self) -> bool:
        """Whether the function or its pullback raised, and not the check, which cannot read what came."""
        if self.exception is None or self.begun is not None or not self.check.wrt:
            return self.begun is not None
        frames = walk_tb(self.exception.__traceback__)
        modules = [frame.f_globals.get("__name__", "") for frame, _ in frames]
        own = [name for name in modules if name.split(".")[0] not in ("numpy", "torch")]
        return not own[-1].startswith(__package__)


def try_case(check: Check, function: Callable, number: int) -> Trial:
    """Run one case and keep what happened, exceptions included."""
    trial = Trial(check, number)
    call = with_defaults_of(check.target, function)

    def recorded(*arguments, **settings):
        kept = deepcopy(arguments)
        trial.begun = Call(kept, settings, None)
        output = _in_time(call, arguments, settings)
        _accept(output)
        trial.begun = None
        trial.calls.append(Call(kept, settings, deepcopy(opened(output))))
        _untouched(check.target, arguments, kept)
        return output

    try:
        with np.errstate(all="ignore"):
            trial.error = check.error(recorded, number)
    except Exception as exception:
        trial.exception = exception
    return trial


def _in_time(function: Callable, arguments: tuple, settings: dict) -> Any:
    try:
        with at_most(SECONDS):
            return function(*arguments, **settings)
    except OutOfTime:
        raise Fault(
            f"Your function was not done after {SECONDS} seconds: does a loop of it never end? (Print what should change in it.)"
        ) from None
    except SystemExit:
        raise Fault(
            "Your function ends the whole program: `exit` leaves Python, `return` leaves the function."
        ) from None


def _accept(output: Any) -> None:
    if output is None or output is ...:
        raise Fault(
            "Your function returned nothing. Is it written to the end, with a `return`? (`print` shows a result and returns none.)"
        )
    if inspect.iscoroutine(output):
        output.close()
        raise Fault(
            "Your function is `async`: it promises a result and gives none. Leave the word out."
        )
    if isinstance(output, Iterator):
        raise Fault(
            f"Your function returns a {type(output).__name__}, which gives its items once and then is empty: `list(…)` makes a list of it."
        )


def _untouched(like: Callable, arguments: tuple, kept: tuple) -> None:
    """All arguments must be as before, but generators, which are there to be drawn from."""
    for name, now, before in zip(_signature_of(like).parameters, arguments, kept):
        if not isinstance(now, np.random.Generator) and not same(now, before):
            raise Fault(
                f"Your function changes an argument in place: `{name}`. {_remedy(before)}"
            )


def _remedy(argument: Any) -> str:
    if isinstance(argument, (list, Mapping)):
        return "Work on a copy, `x = x.copy()`; `x += …`, `append`, `pop` and `x[i] = …` change what was given."
    return "Make a new array: `x = x - m` instead of `x -= m`, and `x = x.copy()` before `x[i] = …`."


def opened(output: Any) -> Any:
    """What can be compared: for a pullback stand the gradients that it makes of a fixed one, for named tuples in a list plain ones."""
    if isinstance(output, list):
        return [tuple(one) if hasattr(one, "_fields") else one for one in output]
    if not (isinstance(output, tuple) and len(output) == 2 and callable(output[1])):
        return plain(output)
    value, pullback = output
    shape = np.shape(value)
    gradient = np.random.default_rng(7).normal(size=shape) if shape else ARRIVING
    try:
        return value, pullback(gradient)
    except Exception:
        return output


_signature_of = cache(inspect.signature)  # of the package's own functions


def with_defaults_of(like: Callable, function: Callable) -> Callable:
    """The function, called with the defaults of another one for what it wants and is not given."""
    try:
        mine, theirs = inspect.signature(function), _signature_of(like)
    except (TypeError, ValueError):
        return function

    def called(*arguments, **settings):
        try:
            mine.bind(*arguments, **settings)
        except TypeError:
            filled = theirs.bind(*arguments, **settings)
            filled.apply_defaults()
            places, names = _handed(mine, filled.arguments)
            try:
                mine.bind(*places, **names)
            except TypeError:
                _too_few(mine, theirs, len(arguments) + len(settings))
            return function(*places, **names)
        return function(*arguments, **settings)

    return called


def _handed(mine: inspect.Signature, arguments: dict) -> tuple[list, dict]:
    """Arguments by their places, but by their names what a function wants by name."""
    named = {p.name for p in mine.parameters.values() if p.kind is p.KEYWORD_ONLY}
    places = [value for name, value in arguments.items() if name not in named]
    return places, {name: arguments[name] for name in arguments if name in named}


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
