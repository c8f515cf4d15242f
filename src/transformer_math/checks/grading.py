"""Grade a reader's own function with the checks that guard the package, and say what is wrong with it."""

from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from transformer_math.checks.recording import (
    Fault,
    Trial,
    first_difference,
    same,
    show,
    try_case,
)
from transformer_math.checks.registry import Check, WrongVersion, checks_for


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
        return f'<div class="grade {kind}" style="white-space: pre-wrap"><strong>{"✓" if self.passed else "✗"}</strong> {escape(self.message)}</div>'


def grade(mine: Callable, like: Callable) -> Grade:
    """Run every check of the package's function `like` on the reader's own function `mine`.

    A wrong function is compared with the wrong versions that the check knows: where one gives the same results, its
    message says what is wrong. Raises ValueError where `like` is no function of the package that has a check.
    """
    checks = _checks_for(like)
    largest = 0.0
    for check in checks:
        trials = [try_case(check, mine, number) for number in range(check.cases)]
        failed = [trial for trial in trials if trial.error > check.tolerance]
        if failed:
            return Grade(
                False,
                explain(
                    check,
                    failed,
                    [wrong for check in checks for wrong in check.wrong_versions],
                ),
            )
        largest = max(largest, *(trial.error for trial in trials))
    cases = sum(check.cases for check in checks)
    oracles = "; ".join(dict.fromkeys(check.oracle for check in checks))
    return Grade(
        True,
        f"Right. {cases} random cases agree with {oracles}. Largest error: {largest:.1e}.",
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


def explain(check: Check, failed: list[Trial], known: list[WrongVersion]) -> str:
    """Say why a function failed: the hint of the wrong version that it behaves like, and the smallest case that shows it."""
    first = failed[0].exception
    if isinstance(first, NotImplementedError):
        return "Nothing is written yet: replace “raise NotImplementedError” by your formula."
    if isinstance(first, Fault):
        return str(first)
    twin = closest_wrong_version(check, failed[:20], known)
    hint = [] if twin is None else [twin.message]
    return "\n".join([*hint, _example(check, min(failed, key=_size))])


def closest_wrong_version(
    check: Check, failed: list[Trial], known: list[WrongVersion]
) -> WrongVersion | None:
    """The wrong version that ends like the reader's function in most failed cases, if it does in a fifth of them."""
    agreements = [
        sum(_ends_like(check, trial, wrong) for trial in failed) for wrong in known
    ]
    most = max(agreements, default=0)
    return known[agreements.index(most)] if most >= max(1, len(failed) / 5) else None


def _ends_like(check: Check, trial: Trial, wrong: WrongVersion) -> bool:
    other = try_case(check, wrong.implementation, trial.number)
    outputs, others = ([call.output for call in t.calls] for t in (trial, other))
    return type(trial.exception) is type(other.exception) and same(outputs, others)


def _size(trial: Trial) -> int:
    return (
        sum(len(repr(argument)) for call in trial.calls for argument in call.arguments)
        or 10**9
    )


def _example(check: Check, trial: Trial) -> str:
    if trial.exception is not None:
        return f"In case {trial.number + 1} it raised {type(trial.exception).__name__}: {trial.exception}"
    for call in trial.calls:
        wanted = check.target(*call.arguments, **call.settings)
        if not same(call.output, wanted):
            given = [
                *map(show, call.arguments),
                *(f"{key}={show(value)}" for key, value in call.settings.items()),
            ]
            return f"For {check.target.__name__}({', '.join(given)}) {first_difference(call.output, wanted)}."
    return f"In case {trial.number + 1} it differs from {check.oracle} by {trial.error:.1e}."
