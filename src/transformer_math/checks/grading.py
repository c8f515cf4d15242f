"""Grade a reader's own function with the checks that guard the package, and say what is wrong with it."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np

from transformer_math.checks.proof import Outcome, run
from transformer_math.checks.registry import REGISTRY, Check, WrongVersion, difference


class Fault(Exception):
    """A fault that any function can have, whatever it computes; its text is the hint."""


class Recorder:
    """Calls a function and keeps what went in and what came out; refuses None, and changed arguments."""

    def __init__(self, function: Callable) -> None:
        self.function = function
        self.calls: list[tuple[tuple, dict, Any]] = []

    def __call__(self, *arguments, **settings):
        """Call the function; raise a Fault where it returned nothing or changed what it was given."""
        kept = deepcopy(arguments)
        output = self.function(*arguments, **settings)
        self.calls.append((kept, settings, output))
        if output is None or output is ...:
            raise Fault("Your function returned nothing. Is it written to the end, with a `return`?")
        if not all(_same(a, b) for a, b in zip(arguments, kept)):
            raise Fault(
                "Your function changes an argument in place. Make a new array: `x = x - m` instead of `x -= m`."
            )
        return output


@dataclass(frozen=True)
class Grade:
    """The verdict on a reader's function: shown as text in a notebook, true in an `if` when all is right."""

    passed: bool
    message: str

    def __bool__(self) -> bool:
        """Whether every check passed."""
        return self.passed

    def __repr__(self) -> str:
        """The verdict as plain text."""
        return f"{'✓' if self.passed else '✗'} {self.message}"

    def _repr_html_(self) -> str:
        kind = "right" if self.passed else "wrong"
        text = self.message.replace("&", "&amp;").replace("<", "&lt;").replace("\n", "<br>")
        return f'<div class="grade {kind}" role="status"><strong>{"✓" if self.passed else "✗"}</strong> {text}</div>'


def grade(function: Callable, name: str) -> Grade:
    """Run every check of the package's function `name` on the reader's own `function`.

    A wrong function is compared with the wrong versions that the check knows: where one gives the same results in
    every case, its message says what is wrong. Raises ValueError for a name that has no check.
    """
    checks = [check for check in REGISTRY.values() if check.target.__name__ == name]
    if not checks:
        known = ", ".join(sorted({check.target.__name__ for check in REGISTRY.values()}))
        raise ValueError(f"there is no check for {name!r}. Fix: one of {known}.")
    errors = []
    for check in checks:
        outcome = run(check, Recorder(function))
        if outcome.failed_case is not None:
            return Grade(False, f"Not yet: {explain(check, function, outcome)}")
        errors.append(outcome.error)
    cases = sum(check.cases for check in checks)
    oracles = " and ".join(dict.fromkeys(check.oracle for check in checks))
    return Grade(True, f"Right: {cases} random cases agree with {oracles}; largest error {max(errors):.1e}.")


def explain(check: Check, function: Callable, outcome: Outcome) -> str:
    """Say why a function failed: the hint of the wrong version it equals, and the first case that shows it."""
    if isinstance(outcome.exception, (Fault, NotImplementedError)):
        return str(outcome.exception) or "nothing is written yet. Replace `raise NotImplementedError` by your formula."
    twin = next((wrong for wrong in check.wrong_versions if _agrees(check, function, wrong)), None)
    hint = "" if twin is None else f"{twin.message}\n"
    return hint + _example(check, function, outcome)


def _agrees(check: Check, function: Callable, wrong: WrongVersion) -> bool:
    numbers = range(min(check.cases, 12))
    return all(_same(_results(check, function, n), _results(check, wrong.implementation, n)) for n in numbers)


def _results(check: Check, function: Callable, number: int) -> list:
    recorder = Recorder(function)
    try:
        with np.errstate(all="ignore"):
            check.error(recorder, number)
    except Exception as exception:
        return [*(output for _, _, output in recorder.calls), type(exception).__name__]
    return [output for _, _, output in recorder.calls]


def _example(check: Check, function: Callable, outcome: Outcome) -> str:
    recorder = Recorder(function)
    try:
        check.error(recorder, outcome.failed_case)
    except Exception as exception:
        return f"in case {outcome.failed_case + 1} it raised {type(exception).__name__}: {exception}"
    for arguments, settings, output in recorder.calls:
        wanted = check.target(*arguments, **settings)
        if not _same(output, wanted):
            given = ", ".join([*map(_show, arguments), *(f"{key}={_show(value)}" for key, value in settings.items())])
            return f"in case {outcome.failed_case + 1}, {check.target.__name__}({given}) gave {_show(output)}; wanted {_show(wanted)}."
    return f"in case {outcome.failed_case + 1} it differs from {check.oracle} by {outcome.error:.1e}."


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return len(a) == len(b) and all(_same(x, y) for x, y in zip(a, b))
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        try:
            return np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=1e-9, atol=1e-12, equal_nan=True)
        except TypeError:
            return False
    if isinstance(a, float) and isinstance(b, (int, float)):
        return difference(a, b) < 1e-9 or (a != a and b != b)
    return type(a) is type(b) and a == b


def _show(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return (
            np.array2string(value, precision=3, separator=", ")
            if value.size <= 6
            else f"an array of shape {value.shape}"
        )
    if isinstance(value, (tuple, list)) and any(isinstance(part, np.ndarray) for part in value):
        return "(" + ", ".join(map(_show, value)) + ")"
    text = f"{value:.4g}" if isinstance(value, float) else repr(value)
    return text if len(text) <= 80 else f"{text[:77]}…"
