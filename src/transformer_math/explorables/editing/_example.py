"""What travels with a formula that may be edited: its numbers, what the function gives, and what each wrong version gives."""

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import cache
from typing import Any

import numpy as np

from transformer_math.checks.proof import checks_of
from transformer_math.checks.recording import Call
from transformer_math.explorables.editing.offer import Offer
from transformer_math.explorables.editing.offers import OFFERS
from transformer_math.formulas.cases import Case
from transformer_math.formulas.reading import cases_of

EVERY = 10**6
DIGITS = 12  # of the numbers that travel
WAVES = 3  # numbers of a fingerprint


@cache
def example(label: str) -> dict[str, Any]:
    """The example of a formula, ready to travel as JSON."""
    offer = OFFERS[label]
    function = checks_of(label)[0].target
    cases = list(run(label, offer, function))
    right = fingerprint(parts_of(cases))
    common = shared([values for values, _ in cases]) | offer.extra()
    return plain(
        {
            "common": common,
            "cases": [
                {
                    "given": {n: v for n, v in values.items() if n not in common},
                    "wanted": wanted,
                }
                for values, wanted in cases
            ],
            "known": [known for known in known_results(label, offer, function) if known["print"] != right],
            "elsewhere": elsewhere(label),
            "edits": offer.edits,
            "view": asdict(offer.view()),
            "lines": offer.lines,
        }
    )  # fmt: skip


def elsewhere(label: str) -> dict[str, Any]:
    """A short case with other numbers and sizes, of the check or the offer: what is right in the example alone is wrong there."""
    offer, check = OFFERS[label], checks_of(label)[0]
    calls = [Call(call, {}, check.target(*call)) for call in offer.calls()]
    here, _ = next(cases_of(check, calls, most=1))
    others = [Call(call, {}, check.target(*call)) for call in offer.others()]
    found = [
        plain({"given": unstated(given, offer), "wanted": wanted})
        for given, wanted in cases_of(check, others or None)
        if all(given[name] == here[name] for name in offer.stated)
        and all_differ(given, here)
    ]
    texts = {json.dumps(case): case for case in found}
    return texts[min((text for text in texts if "Infinity" not in text), key=len)]


def all_differ(given: dict[str, Any], here: dict[str, Any]) -> bool:
    """Whether each size is more than 2, so that nothing vanishes, and another one than here."""
    sizes = [name for name, value in given.items() if isinstance(value, int)]
    return all(2 < given[name] != here.get(name) for name in sizes)


def unstated(values: dict[str, Any], offer: Offer) -> dict[str, Any]:
    """The values without those that are printed."""
    return {name: values[name] for name in values if name not in offer.stated}


def run(
    label: str, offer: Offer, function: Callable, settings: dict | None = None
) -> Iterator[Case]:
    """The cases of a formula with the results of some implementation of its function."""
    calls = [
        Call(arguments, {}, function(*arguments, **(settings or {})))
        for arguments in offer.calls()
    ]
    for values, wanted in cases_of(checks_of(label)[0], calls, most=EVERY):
        yield unstated(values, offer), wanted


def shared(all_values: list[dict]) -> dict[str, Any]:
    """What has one value in every case."""
    first, *others = all_values
    return {
        name: value
        for name, value in first.items()
        if all(np.array_equal(value, other[name]) for other in others)
    }


def known_results(label: str, offer: Offer, function: Callable) -> Iterator[dict]:
    """The fingerprints of right and wrong versions, each with what is to be said of it; no result comes twice."""
    seen: list = []
    versions = [(text, function, settings, True) for text, settings in offer.also()]
    for check in checks_of(label):
        for wrong in check.wrong_versions:
            for settings in ({}, offer.wrong_with()):
                says = wrong.plain
                versions.append((says, wrong.implementation, settings, False))
    for says, implementation, settings, right in versions:
        try:
            with np.errstate(all="ignore"):
                cases = list(run(label, offer, implementation, settings))
                found = fingerprint(parts_of(cases))
        except Exception:  # it does not take this example: nobody's edit can be it
            continue
        if found is not None and found not in seen:
            seen.append(found)
            yield {"says": says, "right": right, "print": found}
    for says, parts in offer.mistakes():
        yield {"says": says, "right": False, "print": fingerprint(parts)}


def parts_of(cases: list[Case]) -> dict[str, np.ndarray]:
    """The numbers of each part of a result, case after case."""
    return {
        name: np.concatenate([np.ravel(wanted[name]) for _, wanted in cases]).astype(float)
        for name in cases[0][1]
    }  # fmt: skip


def fingerprint(parts: dict[str, np.ndarray]) -> dict[str, list[float]] | None:
    """A few sums for each part of a result, by which two results can be compared without either; None where one is not finite."""
    if not all(np.isfinite(values).all() for values in parts.values()):
        return None
    return {name: sums(values) for name, values in parts.items()}


def sums(values: np.ndarray) -> list[float]:
    """How many numbers there are, and their sums weighted by a few waves."""
    places = np.arange(len(values))
    waves = [np.cos((k + 1) * places + k) for k in range(WAVES)]
    return [float(len(values)), *(short(float(values @ wave)) for wave in waves)]


def short(x: float) -> float:
    """A number to as many digits as travel."""
    return float(f"{x:.{DIGITS}g}") if math.isfinite(x) else x


def plain(value: Any) -> Any:
    """A value as JSON writes it."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    return short(value) if isinstance(value, float) else value
