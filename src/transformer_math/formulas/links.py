"""Which pieces of a page's code belong to which parts of its formulas: those that are worth the same in every case."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from transformer_math.checks.proof import checks_of
from transformer_math.checks.recording import Call
from transformer_math.checks.registry import Check
from transformer_math.formulas.book import Formula
from transformer_math.formulas.cases import (
    Drawn,
    arguments_of,
    letters,
    slices,
    telling,
)
from transformer_math.formulas.engine import Engine
from transformer_math.formulas.reading import ARGUMENTS, READINGS_OF_CALLS, cases_of
from transformer_math.formulas.watching import Piece, Values, Watched
from transformer_math.formulas.words import WORDS

CALLS = 6  # of those of each check: small ones, but not the smallest
SLICES = 80  # places of one call's batch, where the code is run on the whole call
FEWEST = 3  # calls in which a part and a piece must be worth the same
CLOSE = 1e-8


@dataclass(frozen=True)
class Part:
    """A part of a formula, from which letter of its LaTeX to which, and the pieces of code that are worth the same."""

    start: int
    end: int
    kind: str
    name: str | None  # of a symbol, of the function that is called, of an operator
    pieces: tuple[Piece, ...]

    @property
    def written(self) -> dict[str, Any]:
        """As the marker of formulas takes it."""
        return {"place": [self.start, self.end], "kind": self.kind}


Seen = dict[int, Values]  # what each part, or each piece, was worth in one call


def parts_of(
    formula: Formula,
    shown: dict[str, Callable],
    engine: Engine,
    names: dict[str, str] | None = None,
    drawn: Drawn | None = None,
) -> list[Part]:
    """The parts of a formula that have code on its page, which shows the functions by these names.

    `names` says what the code calls the symbols that are given to it: where a symbol has no number (a mask), it is found so.
    `drawn` keeps the calls of the checks for whoever asks next.
    """
    drawn = drawn or Drawn()
    in_words = formula.words or formula.label in WORDS
    if formula.label is None or in_words:
        return []
    watched = _watched(tuple(shown.items()))
    parts: list[dict] = []
    calls_seen: list[tuple[Seen, Seen]] = []
    for check in telling(checks_of(formula.label)):
        if shown.get(check.target.__name__) is check.target:
            for call in sorted(drawn(check), key=_size)[2 : 2 + CALLS]:
                run, most = _code_of(watched, check, call)
                parts, seen = follow(formula, check, call, engine, most)
                calls_seen += [(seen, run)] if seen and run else []
    own = {check.target.__name__ for check in checks_of(formula.label)}
    found = {
        number: sorted(pieces, key=lambda piece: piece.function not in own)
        for number, pieces in same(calls_seen, watched.pieces).items()
    }
    for number, one in enumerate(parts):
        if number not in found and one["kind"] == "sym":
            code = (names or {}).get(one["name"])
            found[number] = _by_name(number, code, calls_seen, watched.pieces)
    return [
        Part(start, end, one["kind"], one.get("name"), tuple(found[number]))
        for number, one in enumerate(parts)
        for start, end in [one["place"]]
        if found.get(number)
    ]


@cache
def _watched(shown: tuple[tuple[str, Callable], ...]) -> Watched:
    return Watched(dict(shown))  # once for all formulas of a page


def _by_name(
    part: int,
    code: str | None,
    calls_seen: list[tuple[Seen, Seen]],
    pieces: list[Piece],
) -> list[Piece]:
    """The pieces that bear a name, if none of them was ever seen to be worth something else than the part."""
    own = [number for number, piece in enumerate(pieces) if piece.text == code]
    differ = any(part in f and number in c for f, c in calls_seen for number in own)
    return [] if differ else [pieces[number] for number in own]


def follow(
    formula: Formula, check: Check, call: Call, engine: Engine, most: int
) -> tuple[list[dict], Seen]:
    """What each part of a formula is worth in one call of a check: in all cases that `most` slices of it make."""
    engine.prepare(formula.name, cases_of(check, [call], most))
    parts, cases = engine.follow(formula.name)
    seen: Seen = {}
    for one in cases:
        for number, values in enumerate(one):
            if values:
                seen.setdefault(number, []).extend(values)
    return parts, {number: _once(values) for number, values in seen.items()}


def _once(values: Values) -> Values:
    """What was found again and again is one value."""
    first = values[0]
    again = all(np.array_equal(first, one, equal_nan=True) for one in values)
    return [first] if again else values


def _size(call: Call) -> int:
    return len(repr(call.arguments)) + sum(
        map(np.size, filter(_is_array, call.arguments))
    )


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray)


def _code_of(watched: Watched, check: Check, call: Call) -> tuple[Seen, int]:
    """What each piece of code is worth in one place of a call, or in all; and in how many places that is."""
    takes_one = check.equation not in READINGS_OF_CALLS
    if takes_one and (seen := _tried(_one_slice, watched, check, call)):
        return seen, 1
    return _tried(_whole, watched, check, call), SLICES


def _tried(run: Callable[..., Seen], *given: Any) -> Seen:
    try:
        return run(*given)
    except (
        Exception
    ):  # a call at the edge, which the contract that is left out here had put in order
        return {}


def _one_slice(watched: Watched, check: Check, call: Call) -> Seen:
    """What the code is worth in the first place of a batch."""
    arguments, _ = next(slices(check.target, call, letters(check), 1))
    if change := ARGUMENTS.get(check.equation):
        arguments = change(arguments)
    return watched.run(lambda shown: _work(shown, check, arguments))


def _whole(watched: Watched, check: Check, call: Call) -> Seen:
    """What it is worth in a whole call, where the formula speaks of every place of it; a gradient is drawn for one place alone."""
    if check.wrt or check.equation in ARGUMENTS or _places(check, call) > SLICES:
        return {}
    arguments = arguments_of(check.target, call)
    return watched.run(lambda shown: _work(shown, check, arguments))


def _places(check: Check, call: Call) -> int:
    """In how many places of a batch a formula is run; in one where all calls together make its cases."""
    if check.equation in READINGS_OF_CALLS:
        return 1
    return sum(1 for _ in slices(check.target, call, letters(check), SLICES + 1))


def _work(shown: dict[str, Callable], check: Check, arguments: dict[str, Any]) -> None:
    output = shown[check.target.__name__](**arguments)
    if check.wrt:
        value, pullback = output
        shape = np.shape(value)
        rng = np.random.default_rng([9, *shape])
        pullback(rng.normal(size=shape) if shape else 1.5)


def same(
    calls_seen: list[tuple[Seen, Seen]], pieces: list[Piece]
) -> dict[int, list[Piece]]:
    """For each part the pieces that were worth the same in every call in which both were seen.

    What was worth the same in all calls (a 2, an empty mask) tells nothing, and is left out.
    """
    sets = [(_sets(formula), _sets(code)) for formula, code in calls_seen]
    ends = [_ends(code, len(pieces)) for _, code in sets]
    there = [_there(code, len(pieces)) for _, code in sets]
    found: dict[int, list[Piece]] = {}
    for part in {part for formula, _ in sets for part in formula}:
        often = sum(own for (f, _), own in zip(sets, there) if part in f) >= FEWEST
        likely = np.flatnonzero(often & ~_elsewhere(sets, ends, part))
        agree = [number for number in likely.tolist() if _agree(sets, part, number)]
        placed = [number for number in agree if _as_placed(calls_seen, part, number)]
        if agree:
            found[part] = [pieces[number] for number in placed or agree]
    return found


def _sets(seen: Seen) -> dict[int, np.ndarray]:
    sets = {
        number: np.unique(np.concatenate([one.ravel() for one in values]))
        for number, values in seen.items()
    }
    return {number: one for number, one in sets.items() if not np.isnan(one).any()}


def _there(sets: dict[int, np.ndarray], pieces: int) -> np.ndarray:
    """1 for each piece that was seen in one call, 0 for the others."""
    there = np.zeros(pieces, dtype=int)
    there[[number for number in sets if number < pieces]] = 1
    return there


def _ends(sets: dict[int, np.ndarray], pieces: int) -> np.ndarray:
    """The smallest and the largest number of each piece in one call; NaN for a piece that has none."""
    ends = np.full((pieces, 2), np.nan)
    for number, one in sets.items():
        if number < pieces and len(one):
            ends[number] = one[0], one[-1]
    return ends


def _elsewhere(sets: list, ends: list[np.ndarray], part: int) -> np.ndarray:
    """The pieces whose smallest or largest number is another than the part's, in some call: most are ruled out by it."""
    out = np.zeros(len(ends[0]), dtype=bool)
    for (formula, _), one in zip(sets, ends):
        own = formula.get(part, ())
        if len(own):
            with np.errstate(invalid="ignore"):  # infinity less itself
                apart = np.abs(one - (own[0], own[-1]))
            out |= (apart > CLOSE * (1 + np.abs(one))).any(axis=1)
    return out


def _agree(sets: list, part: int, piece: int) -> bool:
    together = [(f[part], c[piece]) for f, c in sets if part in f and piece in c]
    if not all(_equal(a, b) for a, b in together):
        return False
    first = together[0][0]
    return not all(_equal(first, other) for other, _ in together)


def _equal(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two sorted sets of numbers are the same, up to rounding."""
    if not len(a) or not len(b):
        return len(a) == len(b)
    if len(a) == len(b) and _all_near(a, b).all() and _all_near(b, a).all():
        return True
    return _within(a, b) and _within(b, a)


def _within(a: np.ndarray, b: np.ndarray) -> bool:
    at = np.searchsorted(b, a).clip(1, max(1, len(b) - 1))
    near = [np.minimum(at, len(b) - 1), at - 1]
    close = [_all_near(a, b[one]) for one in near]
    return bool(np.all(close[0] | close[1]))


def _all_near(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Where two arrays without NaN are the same up to rounding: `np.isclose`, which takes twice as long for few numbers."""
    with np.errstate(invalid="ignore"):  # infinity less itself
        return (a == b) | (np.abs(a - b) <= CLOSE * (1e-2 + np.abs(b)) * np.isfinite(b))


def _as_placed(calls_seen: list[tuple[Seen, Seen]], part: int, piece: int) -> bool:
    """Whether the numbers also stand in the same order, not transposed."""
    pairs = [(f[part], c[piece]) for f, c in calls_seen if part in f and piece in c]
    return all(
        len(a) == len(b) == 1
        and np.squeeze(a[0]).shape == np.squeeze(b[0]).shape
        and np.allclose(np.squeeze(a[0]), np.squeeze(b[0]), rtol=CLOSE, equal_nan=True)
        for a, b in pairs
    )
