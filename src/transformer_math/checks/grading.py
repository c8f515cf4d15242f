"""Grade a reader's own function with the checks that guard the package, and say what is wrong with it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from transformer_math.checks.compare import worst
from transformer_math.checks.copies import only_calls, same_code
from transformer_math.checks.diagnosis import diagnose, tried
from transformer_math.checks.draws import (
    drawn_alike,
    drawn_by,
    draws,
    parting,
    too_few_to_compare,
)
from transformer_math.checks.exception_diagnosis import diagnose_exceptions
from transformer_math.checks.recording import (
    AGAIN,
    ARRIVING,
    Call,
    Fault,
    Trial,
    same,
    try_case,
)
from transformer_math.checks.registry import REGISTRY, Check, WrongVersion, checks_for
from transformer_math.checks.showing import (
    as_html,
    first_difference,
    show,
    show_call,
    visible,
)
from transformer_math.trees import leaves

SIGNS = {"right": "✓", "wrong": "✗", "open": "·"}


@dataclass(frozen=True)
class Grade:
    """The verdict on a reader's function, right, wrong or open: shown as text in a notebook, true in an `if` when right."""

    verdict: str
    message: str

    def __bool__(self) -> bool:
        """Whether every check passed."""
        return self.verdict == "right"

    def __repr__(self) -> str:
        """The verdict as plain text."""
        return f"{SIGNS[self.verdict]} {self.message}"

    def _repr_html_(self) -> str:
        return (
            f'<div class="grade {self.verdict}" style="white-space: pre-wrap">'
            f"<strong>{SIGNS[self.verdict]}</strong> {as_html(self.message)}</div>"
        )


def grade(mine: Callable, like: Callable) -> Grade:
    """Run every check of the package's function `like` on the reader's own function `mine`.

    A wrong function is compared with the wrong versions that the checks know: where one gives the same results in every
    case, its message says what is wrong. Raises ValueError where `like` is no function of the package that has a check.
    """
    checks = _checks_for(like)
    if not callable(mine):
        raise ValueError(
            f"{show(mine)} is no function. Fix: give the function itself, without brackets: grade(my_softmax, like=softmax)."
        )
    trials = _trials(checks, mine)
    failed = [trial for trial in trials if trial.failed]
    if all(isinstance(trial.exception, NotImplementedError) for trial in trials):
        return Grade(
            "open",
            "Nothing is written yet: replace “raise NotImplementedError” by your code.",
        )
    if failed:
        return Grade("wrong", explain(mine, trials))
    oracles = "; ".join(dict.fromkeys(check.oracle for check in checks))
    largest = worst(trial.error for trial in trials)
    return Grade(
        "right",
        f"Right. {len(trials)} random cases agree with {oracles}. Largest error: {_few(largest)}.",
    )


def grade_written(mine: Callable, like: Callable) -> Grade:
    """Grade a function that the reader was asked to write, as `grade` does; a copy of `like` stays open, as does a call of it.

    Its code is compared but for the names of arguments and variables. Raises ValueError as `grade` does.
    """
    verdict = grade(mine, like)
    name = like.__name__
    if verdict and only_calls(mine, like):
        message = f"This calls `{name}` itself. Write it out, in the way that the exercise asks for."
        return Grade("open", message)
    if verdict and same_code(mine, like):
        message = f"This is the book's own code for `{name}`. Write it in the way that the exercise asks for."
        return Grade("open", message)
    return verdict


def _trials(checks: list[Check], mine: Callable) -> list[Trial]:
    """All cases, or those up to a fault, which needs no more of them."""
    trials = []
    for check in checks:
        for number in range(check.cases):
            trials.append(try_case(check, mine, number))
            if isinstance(trials[-1].exception, Fault):
                return trials
    return trials


def _checks_for(like: Callable) -> list[Check]:
    if not callable(like):
        raise ValueError(
            f"`like` is {like!r}; wanted the function itself. Fix: grade(mine, like=softmax), with softmax imported "
            "from the package."
        )
    checks = checks_for(like)
    if not checks:
        name = getattr(like, "__qualname__", repr(like))
        raise ValueError(
            f"there is no check for {name}. Fix: pass the package's own function that yours should be like."
        )
    return checks


def explain(mine: Callable, trials: list[Trial]) -> str:
    """Say why a function failed: the fault, the wrong version that it is, or what its results show; and an example.

    What fits the usual cases and not the longest one is said, too: who has two mistakes hears of the more usual one.
    """
    failed = [trial for trial in trials if trial.failed]
    if isinstance(failed[-1].exception, Fault):
        return str(failed[-1].exception)
    usual = [trial for trial in trials if trial.usual]
    some = [trials, usual] if any(trial.failed for trial in usual) else [trials]
    for recognise in (_as_a_wrong_version, diagnose_exceptions, _as_diagnosed(mine)):
        for found in filter(None, map(recognise, some)):
            hint, spoken_of = found
            return f"{hint}\n{example(spoken_of)}"
    return example(failed)


def _as_a_wrong_version(trials: list[Trial]) -> tuple[str, list[Trial]] | None:
    if (wrong := twin_among_wrong_versions(trials)) is None:
        return None
    return wrong.message, [trial for trial in trials if trial.failed]


def _as_diagnosed(mine: Callable) -> Callable:
    def recognise(trials: list[Trial]) -> tuple[str, list[Trial]] | None:
        hint = diagnose(mine, trials[0].check.target, trials)
        spoken_of = [trial for trial in trials if trial.failed and not trial.raised]
        return (hint, spoken_of) if hint else None

    return recognise


def twin_among_wrong_versions(trials: list[Trial]) -> WrongVersion | None:
    """The wrong version that ends like the reader's function in every case: no other one may speak for it."""
    known = {
        wrong.name + wrong.message: wrong
        for trial in trials
        for wrong in trial.check.wrong_versions
    }
    failed_first = sorted(trials, key=lambda trial: not trial.failed)
    twins = (
        wrong
        for wrong in known.values()
        if all(_ends_like(trial, wrong) for trial in failed_first)
    )
    return next(twins, None)


def _ends_like(trial: Trial, wrong: WrongVersion) -> bool:
    theirs = _trial_of(trial.check.name, wrong.implementation, trial.number)
    mine, other = trial.calls, theirs.calls
    if trial.failed != theirs.failed:
        return False
    if type(trial.exception) is not type(theirs.exception) or len(mine) != len(other):
        return False
    if draws(mine) and isinstance(other[0].output, (list, tuple)):
        return drawn_alike(mine, [call.output for call in other])
    if all(same(a.output, b.output) for a, b in zip(mine, other)):
        return True
    return too_few_to_compare(mine) and trial.failed


@cache
def _trial_of(check: str, wrong: Callable, number: int) -> Trial:
    return try_case(REGISTRY[check], wrong, number)


def example(failed: list[Trial]) -> str:
    """The smallest call that shows the mistake: one whose difference can be seen in three digits, if there is one.

    Where most cases ended in an exception of the function, the smallest of those.
    """
    raising = [trial for trial in failed if trial.raised]
    if 2 * len(raising) > len(failed):
        return _what_was_raised(raising)
    if draws(failed[0].calls):
        check, calls = failed[0].check, failed[0].calls
        gap = parting(calls, drawn_by(check.target, calls))
        return f"For {show_call(check.target.__name__, calls[0])}: {gap}."
    if telling := _telling(failed):
        check, call, wanted = telling
        return f"For {show_call(check.target.__name__, call)} {_parting(check, call.output, wanted)}."
    if raising:
        return _what_was_raised(raising)
    first = failed[0]
    if first.exception is not None:
        return f"In case {first.number + 1} the check could not read your result: {type(first.exception).__name__}, {first.exception}."
    if first.check.wrt:  # when its pullback was called for the record all was right
        return AGAIN
    return f"In case {first.number + 1} it differs from {first.check.oracle} by {_few(first.error)}."


def _telling(failed: list[Trial]) -> tuple[Check, Call, Any] | None:
    """The smallest call whose difference from what was wanted can be seen, else the smallest with a difference."""
    smallest = None
    calls = [(trial.check, call) for trial in failed for call in trial.calls]
    for check, call in sorted(calls, key=lambda pair: _size(pair[1])):
        wanted = tried(check.target, call)
        if isinstance(wanted, Exception) or same(call.output, wanted):
            continue
        if visible(call.output, wanted):
            return check, call, wanted
        smallest = smallest or (check, call, wanted)
    return smallest


def _parting(check: Check, got: Any, wanted: Any) -> str:
    """Where a result and the wanted one part ways; a gradient that a pullback gave is called by its argument."""
    if check.wrt and _with_gradients(got) and same(got[0], wanted[0]):
        ours, theirs = (_named(check, gradients) for _, gradients in (got, wanted))
        for name in theirs:
            if name in ours and not same(ours[name], theirs[name]):
                arrives = "" if np.ndim(got[0]) else f" where {show(ARRIVING)} arrives"
                return f"the gradient of `{name}`{arrives} is wrong: {first_difference(ours[name], theirs[name])}"
    return first_difference(got, wanted)


def _with_gradients(got: Any) -> bool:
    pair = isinstance(got, (tuple, list)) and len(got) == 2
    return pair and isinstance(got[1], (tuple, list))


def _named(check: Check, gradients: Any) -> dict[str, Any]:
    """Each array among the gradients, by the place of its argument, such as `parameters.W_1`."""
    return {
        name + path: leaf
        for name, gradient in zip(check.wrt, gradients)
        for path, leaf in leaves(gradient).items()
    }


def _what_was_raised(raising: list[Trial]) -> str:
    """The exception of the smallest call that ended in one, or whose pullback did."""
    first = min(raising, key=lambda trial: _size(trial.begun or trial.calls[-1]))
    call = show_call(first.check.target.__name__, first.begun or first.calls[-1])
    it = "it" if first.begun else "its pullback"
    return f"For {call} {it} raised {type(first.exception).__name__}: {first.exception}"


def _size(call: Call) -> int:
    parts = leaves(call.arguments).values()
    return sum(len(part) if isinstance(part, str) else np.size(part) for part in parts)


def _few(error: float) -> str:
    return f"{error:.1e}".replace("-", "−")
