"""Small cases of a formula, chosen so that they tell its wrong versions from it and from each other."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property, wraps
from inspect import signature
from itertools import chain, combinations, combinations_with_replacement, islice
from typing import Any
from warnings import catch_warnings

import numpy as np

from transformer_math.checks.proof import checks_of
from transformer_math.checks.recording import Call, with_defaults_of
from transformer_math.checks.registry import Check, WrongVersion
from transformer_math.explorables.editing._example import fingerprint
from transformer_math.formulas.cases import Case, calls
from transformer_math.formulas.reading import cases_of

NUMBERS = 360  # in one case, at most
MOST_CALLS = 40  # of a check
MOST = 120  # cases that are looked at
IDEAL = 30  # numbers in a case
LEAST, MOST_CHOSEN = 4, 8  # cases that travel
ENOUGH = 120  # numbers after which no further one does
LARGE = 100
TELLS = 1e-6  # how far a wrong version is off where a case tells it
UNBOUNDED = 1e6  # as in grade.js
SAME = 1e-8  # a little more than in book.js


@dataclass(frozen=True, eq=False)
class Trial:
    """One case with what each wrong version gives in it, by message; one that raises gives nothing."""

    case: Case
    wrong: dict[str, Any]

    @property
    def right(self) -> Any:
        """What is wanted of the first part."""
        return next(iter(self.case[1].values()))

    @cached_property
    def told(self) -> set[str]:
        """The wrong versions that this case tells from the right one."""
        return {says for says, value in self.wrong.items() if apart(value, self.right)}

    @property
    def single(self) -> dict[str, float]:
        """What is given as one number."""
        return {name: x for name, x in self.case[0].items() if isinstance(x, int | float)}  # fmt: skip

    @cached_property
    def visited(self) -> set[tuple]:
        """Where its single numbers lie, two by two: a size of 1 hides an index, and 0 may be a border."""
        places = [(name, np.sign(x), x > 1) for name, x in self.single.items()]
        return {*combinations_with_replacement(places, 2)}

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return sum(map(count, self.case[0].values())) + count(self.right)

    @property
    def looks(self) -> tuple[bool, int, int]:
        """How good a case it is, whatever it tells: ordinary numbers, sizes that differ, and neither few numbers nor many."""
        return self.is_ordinary, self.spread, -abs(self.size - IDEAL)

    @property
    def is_ordinary(self) -> bool:
        """Whether all numbers are finite, and none is large."""
        return all(largest(value) < LARGE for value in self.case[0].values())

    @property
    def is_small(self) -> bool:
        """Whether it is numbers, and few."""
        return is_number(self.right) and 2 <= self.size <= NUMBERS

    @property
    def spread(self) -> int:
        """How many different sizes there are: what has one size may be confused."""
        return len({value for value in self.case[0].values() if isinstance(value, int)})


def count(value: Any) -> int:
    """The numbers in a value, trees of parameters included."""
    if isinstance(value, dict):
        return sum(map(count, value.values()))
    return sum(map(count, value)) if isinstance(value, list) else int(np.size(value))


def largest(value: Any) -> float:
    """The largest absolute value, in trees of parameters too; of what is no number, 0."""
    if isinstance(value, dict | list):
        return max(map(largest, value.values() if isinstance(value, dict) else value), default=0)  # fmt: skip
    numbers = np.asarray(value)
    return float(abs(numbers).max(initial=0)) if numbers.dtype.kind in "biuf" else 0.0


def apart(value: Any, right: Any) -> bool:
    """Whether two results differ by more than rounding does."""
    if np.shape(value) != np.shape(right):
        return True
    a, b = (tamed(np.ravel(one)) for one in (value, right))
    return bool((abs(a - b) > TELLS * np.maximum(1, abs(b))).any())


def tamed(values: np.ndarray) -> np.ndarray:
    """Numbers with large finite ones for what is not finite, so that they can be summed."""
    limits = {"nan": 2 * UNBOUNDED, "posinf": UNBOUNDED, "neginf": -UNBOUNDED}
    return np.nan_to_num(np.asarray(values, float), **limits)


def trials(label: str) -> list[Trial]:
    """All small cases of a formula's checks, numbers in and numbers out."""
    checks = checks_of(label)
    wrong = [one for check in checks for one in check.wrong_versions]
    # rounded, a row may have no variance
    with catch_warnings(action="ignore"), np.errstate(all="ignore"):
        return list(chain.from_iterable(tried_by(check, wrong) for check in checks))


def tried_by(check: Check, wrong: list[WrongVersion]) -> Iterator[Trial]:
    """The small cases of one check."""
    short = (shortened(check, call) for call in calls(check, MOST_CALLS))
    made = (trial for call in short for trial in tried(check, call, wrong))
    return (trial for trial in islice(made, MOST) if trial.is_small)


def shortened(check: Check, call: Call) -> Call:
    """The same call with two decimals for each number, where the function takes them: fewer digits travel."""
    arguments = tuple(map(two_decimals, call.arguments))
    settings = {name: two_decimals(value) for name, value in call.settings.items()}
    try:
        return Call(arguments, settings, check.target(*arguments, **settings))
    except ValueError:  # no longer a distribution, for example
        return call


def two_decimals(value: Any) -> Any:
    """An array of fractions, rounded; anything else as it is."""
    is_long = isinstance(value, np.ndarray) and value.dtype.kind == "f"
    return np.round(value, 2) if is_long else value


def is_number(value: Any) -> bool:
    """Whether a result is a number, or an array of some."""
    return np.asarray(value).dtype.kind in "biuf" and np.size(value) > 0


def tried(check: Check, call: Call, wrong: list[WrongVersion]) -> Iterator[Trial]:
    """One call as cases, each with what the wrong versions give in it."""
    cases = list(cases_of(check, [call]))
    is_wanted = any(Trial(case, {}).is_small for case in cases if case[1])
    others = {one.plain: outcomes(check, call, one) for one in wrong if is_wanted}  # fmt: skip
    for number, case in enumerate(cases):
        name = next(iter(case[1]), None)
        if (
            name is None or len(check.wrt) > 1
        ):  # of several gradients none is the result
            continue
        found = {says: some[number][1].get(name) for says, some in others.items() if number < len(some)}  # fmt: skip
        yield Trial(case, {says: value for says, value in found.items() if is_number(value)})  # fmt: skip


def outcomes(check: Check, call: Call, wrong: WrongVersion) -> list[Case]:
    """The cases of a call with the results of a wrong version; none where it ends in an exception."""
    version = standing_in(check.target, wrong.implementation)
    try:
        with np.errstate(all="ignore"):
            again = replace(call, output=version(*call.arguments, **call.settings))
            return list(cases_of(replace(check, target=version), [again]))
    except Exception:  # it does not take this call: nobody's formula can be it
        return []


@cache
def standing_in(target: Callable, implementation: Callable) -> Callable:
    """A wrong version under the name and the signature of the right one."""
    call, own = with_defaults_of(target, implementation), signature(target)

    @wraps(target)
    def version(*arguments: Any, **settings: Any) -> Any:
        given = own.bind(*arguments, **settings)
        return call(*given.args, **given.kwargs)

    return version


def chosen(all_trials: list[Trial]) -> list[Trial]:
    """A few cases that tell as many wrong versions as can be told; of equal ones those that go where none has been."""
    rest, found = list(all_trials), list[Trial]()
    told, visited = set[str](), set[tuple]()
    while rest and len(found) < MOST_CHOSEN and not is_enough(found):
        best = max(rest, key=lambda one: (len(one.told - told), len(one.visited - visited), *one.looks))  # fmt: skip
        rest.remove(best)
        found.append(best)
        told |= best.told
        visited |= best.visited
    return found


def twins(some: list[Trial]) -> bool:
    """Whether two given numbers are the same in every case: nobody could tell them apart."""
    pairs = combinations(some[0].single, 2)
    return any(all(one.case[0].get(a) == one.case[0].get(b) for one in some) for a, b in pairs)  # fmt: skip


def is_enough(some: list[Trial]) -> bool:
    """Whether there are numbers enough to travel."""
    return len(some) >= LEAST and sum(one.size for one in some) >= ENOUGH


def known(some: list[Trial]) -> list[dict[str, Any]]:
    """What each wrong version gives in some cases, as a fingerprint, with its message; no result comes twice."""
    found: list[dict[str, Any]] = []
    for says in dict.fromkeys(says for one in some for says in one.wrong):
        if any(says in one.told for one in some) and all(says in one.wrong for one in some):  # fmt: skip
            print_ = of_values([one.wrong[says] for one in some])
            if not any(alike(print_, one["print"]) for one in found):
                found.append({"says": says, "print": print_})
    return found


def alike(a: dict[str, list[float]] | None, b: dict[str, list[float]] | None) -> bool:
    """Whether a page might take two fingerprints for one: then the first one's mistake is named."""
    if a is None or b is None:
        return a is b
    return bool(np.allclose(a["it"], b["it"], rtol=SAME, atol=SAME))


def of_values(values: list[Any]) -> dict[str, list[float]] | None:
    """The fingerprint of results, one after the other."""
    return fingerprint(
        {"it": np.concatenate([tamed(np.ravel(value)) for value in values])}
    )
