"""How cases of a formula are read where a function's arguments are not its symbols: `formulas/<group>/<idea>.py` says it."""

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from transformer_math.checks.recording import Call
from transformer_math.checks.registry import Check
from transformer_math.formulas.cases import (
    MOST_CASES,
    MOST_SLICES,
    Case,
    Change,
    calls,
    given,
    gradient_cases,
    letters,
    plain_cases,
    slices,
)
from transformer_math.formulas.sources import READ, note

Reading = Callable[[dict[str, Any], tuple[Any, ...], dict[str, Any]], Iterator[Case]]
CallsReading = Callable[[list[Call]], Iterator[Case]]

READINGS: dict[str, Reading] = {}
READINGS_OF_CALLS: dict[str, CallsReading] = {}
ARGUMENTS: dict[str, Change] = {}


def reading(label: str) -> Callable[[Reading], Reading]:
    """Register how one call becomes cases of a formula: from its arguments as symbols, its results, its arguments."""

    def register(read: Reading) -> Reading:
        READINGS[label] = read
        return read

    return register


def with_arguments(label: str) -> Callable[[Change], Change]:
    """Register what a function is given for its formula's cases, from the arguments of a call: the formula's own mask."""

    def register(change: Change) -> Change:
        ARGUMENTS[label] = change
        return change

    return register


def calls_reading(label: str) -> Callable[[CallsReading], CallsReading]:
    """Register how all calls of a check together become cases, where one call is not enough."""

    def register(read: CallsReading) -> CallsReading:
        READINGS_OF_CALLS[label] = read
        return read

    return register


def cases_of(
    check: Check, made: Iterable[Call] | None = None, most: int = MOST_SLICES
) -> Iterator[Case]:
    """The cases of a check, or of some calls of its function, as values of the printed symbols; `most` of each call's batch."""
    _load(check)
    if check.equation in READINGS or check.equation in READINGS_OF_CALLS:
        note(READ)
    made = calls(check, MOST_CASES) if made is None else made
    if check.equation in READINGS_OF_CALLS:
        yield from READINGS_OF_CALLS[check.equation](list(made))
    elif check.equation in READINGS:
        yield from _read(check, made, most)
    else:
        cases = gradient_cases if check.wrt else plain_cases
        yield from cases(check, made, most, ARGUMENTS.get(check.equation))


def _read(check: Check, made: Iterable[Call], most: int) -> Iterator[Case]:
    axes, read = letters(check), READINGS[check.equation]
    for call in made:
        for arguments, outputs in slices(check.target, call, axes, most):
            symbols = given(check.target, arguments, axes, check.symbols)
            yield from read(symbols, outputs, arguments)


def has_reading(check: Check) -> bool:
    """Whether a formula's cases are read by a function of their own."""
    _load(check)
    return any(
        check.equation in own for own in (READINGS, READINGS_OF_CALLS, ARGUMENTS)
    )


def _load(check: Check) -> None:
    """Load the readings of the idea that a check's function belongs to, if it has any."""
    idea = check.target.__module__.removeprefix("transformer_math.")
    name = f"{__package__}.{idea}"
    if find_spec(name.rpartition(".")[0]) and find_spec(name):
        import_module(name)
