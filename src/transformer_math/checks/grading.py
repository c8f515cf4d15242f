"""Grade a reader's own function with the checks that guard the package, and say what is wrong with it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from html import escape

import numpy as np

from transformer_math.checks.compare import worst
from transformer_math.checks.diagnosis import diagnose, wanted_of
from transformer_math.checks.recording import Call, Fault, Trial, same, try_case
from transformer_math.checks.registry import REGISTRY, Check, WrongVersion, checks_for
from transformer_math.checks.showing import first_difference, show_call, visible
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
            f"<strong>{SIGNS[self.verdict]}</strong> {escape(self.message)}</div>"
        )


def grade(mine: Callable, like: Callable) -> Grade:
    """Run every check of the package's function `like` on the reader's own function `mine`.

    A wrong function is compared with the wrong versions that the checks know: where one gives the same results, its
    message says what is wrong. Raises ValueError where `like` is no function of the package that has a check.
    """
    checks = _checks_for(like)
    trials = [
        try_case(check, mine, number)
        for check in checks
        for number in range(check.cases)
    ]
    failed = [trial for trial in trials if trial.failed]
    if all(isinstance(trial.exception, NotImplementedError) for trial in trials):
        return Grade(
            "open",
            "Nothing is written yet: replace “raise NotImplementedError” by your formula.",
        )
    if failed:
        return Grade("wrong", explain(trials))
    oracles = "; ".join(dict.fromkeys(check.oracle for check in checks))
    largest = worst(trial.error for trial in trials)
    return Grade(
        "right",
        f"Right. {len(trials)} random cases agree with {oracles}. Largest error: {_few(largest)}.",
    )


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


def explain(trials: list[Trial]) -> str:
    """Say why a function failed: the fault, the wrong version that it is, or what its results show; and an example."""
    failed = [trial for trial in trials if trial.failed]
    fault = next(
        (trial.exception for trial in failed if isinstance(trial.exception, Fault)),
        None,
    )
    if fault is not None:
        return str(fault)
    twin = twin_among_wrong_versions(trials)
    hint = diagnose(failed[0].check.target, trials) if twin is None else twin.message
    return "\n".join([*([hint] if hint else []), example(failed)])


def twin_among_wrong_versions(trials: list[Trial]) -> WrongVersion | None:
    """The wrong version that ends like the reader's function in all failed cases; of several, the one that does so elsewhere too.

    Where none does in all, one that does in three quarters of them is close enough.
    """
    known = {
        wrong.name + wrong.message: wrong
        for trial in trials
        for wrong in trial.check.wrong_versions
    }
    failed = [trial for trial in trials if trial.failed]
    best, most = None, (0.75, 0.0)
    for wrong in known.values():
        if not any(_ends_like(trial, wrong) for trial in failed[:3]):
            continue  # no twin: most mistakes are told apart by a glance
        share = _agreement(failed[:60], wrong)
        if share >= most[0] and (found := (share, _agreement(trials, wrong))) > most:
            best, most = wrong, found
    return best


def _agreement(trials: list[Trial], wrong: WrongVersion) -> float:
    return sum(_ends_like(trial, wrong) for trial in trials) / len(trials)


def _ends_like(trial: Trial, wrong: WrongVersion) -> bool:
    ending, outputs = _end_of(trial.check.name, wrong.implementation, trial.number)
    if type(trial.exception) is not ending or len(trial.calls) != len(outputs):
        return False
    return all(same(call.output, output) for call, output in zip(trial.calls, outputs))


@cache
def _end_of(check: str, wrong: Callable, number: int) -> tuple[type, list]:
    trial = try_case(REGISTRY[check], wrong, number)
    return type(trial.exception), [call.output for call in trial.calls]


def example(failed: list[Trial]) -> str:
    """The smallest call that shows the mistake: one whose difference can be seen in three digits, if there is one."""
    calls = [(trial, call) for trial in failed for call in trial.calls]
    wrong = [pair for pair in calls if not _right(*pair)]
    wrong.sort(key=lambda pair: _size(pair[1]))
    for visibly in (True, False):
        for trial, call in wrong:
            wanted = wanted_of(trial.check.target, call)
            if visible(call.output, wanted) or not visibly:
                name = trial.check.target.__name__
                return f"For {show_call(name, call)} {first_difference(call.output, wanted)}."
    first = failed[0]
    if first.exception is not None:
        return f"In case {first.number + 1} it raised {type(first.exception).__name__}: {first.exception}"
    return f"In case {first.number + 1} it differs from {first.check.oracle} by {_few(first.error)}."


def _right(trial: Trial, call: Call) -> bool:
    return same(call.output, wanted_of(trial.check.target, call))


def _size(call: Call) -> int:
    parts = leaves(call.arguments).values()
    return sum(len(part) if isinstance(part, str) else np.size(part) for part in parts)


def _few(error: float) -> str:
    return f"{error:.1e}".replace("-", "−")
