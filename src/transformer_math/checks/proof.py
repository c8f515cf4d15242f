"""Run checks: the error of an implementation over all cases, which wrong versions a check rejects, which edges it leaves out."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from transformer_math.checks.compare import worst
from transformer_math.checks.edges import Watched
from transformer_math.checks.registry import (
    Check,
    WrongVersion,
    all_checks,
    checks_for,
)


@dataclass(frozen=True)
class Outcome:
    """What came of running an implementation: its largest error, and the first case that failed, with what it raised."""

    error: float
    failed_case: int | None = None
    exception: Exception | None = None


@dataclass(frozen=True)
class Proof:
    """The outcome of a check for one implementation, and the wrong versions that the check let through.

    `unvisited` are the edges of the implementation to which neither this check comes nor another of the same function.
    """

    check: Check
    outcome: Outcome
    missed: tuple[WrongVersion, ...]
    unvisited: tuple[str, ...] = ()

    @cached_property
    def holds(self) -> bool:
        """Whether every case agreed, every wrong version (one at least) was rejected, and every edge was visited."""
        return (
            self.outcome.failed_case is None
            and not self.missed
            and not self.unvisited
            and len(self.check.wrong_versions) > 0
        )


def run(check: Check, implementation: Callable) -> Outcome:
    """Run all cases, or up to the first that fails."""
    largest = 0.0
    for number in range(check.cases):
        try:
            error = check.error(implementation, number)
        except Exception as exception:
            return Outcome(np.inf, number, exception)
        largest = worst([largest, error])
        if error > check.tolerance:
            return Outcome(largest, number)
    return Outcome(largest)


def rejects(check: Check, wrong: WrongVersion) -> bool:
    """Whether some case tells the wrong version from the right one by its value, or ends as it is declared to end."""
    with np.errstate(all="ignore"):
        return any(_caught(check, wrong, number) for number in range(check.cases))


def _caught(check: Check, wrong: WrongVersion, number: int) -> bool:
    try:
        error = check.error(wrong.implementation, number)
    except Exception:
        return wrong.raises
    return error > check.tolerance and not wrong.raises


def prove(check: Check) -> Proof:
    """Check the package's own implementation, and the check itself by its wrong versions and by the edges that it visits."""
    missed = tuple(wrong for wrong in check.wrong_versions if not rejects(check, wrong))
    watched = Watched(check.target)
    outcome = run(check, watched)
    if outcome.failed_case is not None:
        return Proof(check, outcome, missed)
    others = [other for other in checks_for(check.target) if other is not check]
    return Proof(check, outcome, missed, tuple(watched.unvisited(others)))


def checks_of(equation: str) -> list[Check]:
    """The checks that prove the equation with this label, in the order of their registration."""
    return [check for check in all_checks().values() if check.equation == equation]


def equations() -> list[str]:
    """The labels of all equations that have a check, in reading order."""
    return list(dict.fromkeys(check.equation for check in all_checks().values()))
