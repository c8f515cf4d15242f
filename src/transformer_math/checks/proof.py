"""Run checks: the error of an implementation over all cases, and which wrong versions a check rejects."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from transformer_math.checks.compare import worst
from transformer_math.checks.registry import Check, WrongVersion, all_checks


@dataclass(frozen=True)
class Outcome:
    """What came of running an implementation: its largest error, and the first case that failed, with what it raised."""

    error: float
    failed_case: int | None = None
    exception: Exception | None = None


@dataclass(frozen=True)
class Proof:
    """The outcome of a check for one implementation, and the wrong versions that the check let through."""

    check: Check
    outcome: Outcome
    missed: tuple[WrongVersion, ...]

    @cached_property
    def holds(self) -> bool:
        """Whether every case agreed and every wrong version, of which there must be one, was rejected."""
        return (
            self.outcome.failed_case is None
            and not self.missed
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
    """Check the package's own implementation, and the check itself by its wrong versions."""
    missed = tuple(wrong for wrong in check.wrong_versions if not rejects(check, wrong))
    return Proof(check, run(check, check.target), missed)


def checks_of(equation: str) -> list[Check]:
    """The checks that prove the equation with this label, in the order of their registration."""
    return [check for check in all_checks().values() if check.equation == equation]


def equations() -> list[str]:
    """The labels of all equations that have a check, in reading order."""
    return list(dict.fromkeys(check.equation for check in all_checks().values()))
