"""Watch a reader's function at work: what goes in, what comes out, and the faults that any function can have."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

import numpy as np

from transformer_math.checks.registry import Check


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

    number: int
    calls: list[Call] = field(default_factory=list)
    error: float = np.inf
    exception: Exception | None = None


def try_case(check: Check, function: Callable, number: int) -> Trial:
    """Run one case and keep what happened, exceptions included."""
    trial = Trial(number)

    def recorded(*arguments, **settings):
        kept = deepcopy(arguments)
        output = function(*arguments, **settings)
        trial.calls.append(Call(kept, settings, output))
        if output is None or output is ...:
            raise Fault(
                "Your function returned nothing. Is it written to the end, with a `return`?"
            )
        if not same(arguments, kept):
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


def same(a: Any, b: Any) -> bool:
    """Whether two results are equal, numbers up to rounding, NaN equal to NaN."""
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if is_dataclass(a) and type(a) is type(b):
        return all(
            same(getattr(a, part.name), getattr(b, part.name)) for part in fields(a)
        )
    try:
        return np.shape(a) == np.shape(b) and np.allclose(
            a, b, rtol=1e-9, atol=1e-12, equal_nan=True
        )
    except (TypeError, ValueError):
        return type(a) is type(b) and a == b


def show(value: Any, digits: int = 3) -> str:
    """A value in few words: small arrays in full, large ones by their shape."""
    if isinstance(value, np.ndarray):
        return (
            np.array2string(value, precision=digits, separator=", ")
            if value.size <= 9
            else f"an array of shape {value.shape}"
        )
    if isinstance(value, (tuple, list)) and any(
        isinstance(part, np.ndarray) for part in value
    ):
        return "(" + ", ".join(show(part, digits) for part in value) + ")"
    if callable(value):
        return "a function"
    if is_dataclass(value):
        parts = (
            f"{part.name}={show(getattr(value, part.name), digits)}"
            for part in fields(value)
        )
        text = f"{type(value).__name__}({', '.join(parts)})"
    else:
        text = f"{value:.{digits + 1}g}" if isinstance(value, float) else repr(value)
    return text if len(text) <= 160 else f"{text[:157]}…"


def first_difference(got: Any, wanted: Any) -> str:
    """Where two results part ways, in one line, with as many digits as it takes to see it."""
    if (
        isinstance(got, (tuple, list))
        and isinstance(wanted, (tuple, list))
        and len(got) == len(wanted)
    ):
        i = next((i for i, (a, b) in enumerate(zip(got, wanted)) if not same(a, b)), 0)
        return f"part {i + 1} of the result: {first_difference(got[i], wanted[i])}"
    place = ""
    if (
        isinstance(got, np.ndarray)
        and isinstance(wanted, np.ndarray)
        and wanted.size > 9
    ):
        if got.shape != wanted.shape:
            return f"it gave an array of shape {got.shape}; wanted shape {wanted.shape}"
        where = tuple(
            int(i)
            for i in np.argwhere(
                ~np.isclose(got, wanted, rtol=1e-9, atol=1e-12, equal_nan=True)
            )[0]
        )
        place, got, wanted = (
            f"at index {where} ",
            got[where].item(),
            wanted[where].item(),
        )
    digits = next(
        (digits for digits in (3, 6, 9) if show(got, digits) != show(wanted, digits)),
        12,
    )
    return f"{place}it gave {show(got, digits)}; wanted {show(wanted, digits)}"
