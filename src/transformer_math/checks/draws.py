"""Functions that draw: two of them are alike where they give the same things equally often, whatever stream they draw from."""

from collections import Counter
from collections.abc import Callable, Iterable

import numpy as np

from transformer_math.checks.recording import Call

MANY = 50  # calls of one case
FEW = 8  # outcomes that both together have less often are counted together


def draws(calls: list[Call]) -> bool:
    """Whether the calls are many draws, in lists, of a function that is given a generator."""
    return len(calls) >= MANY and all(map(_is_drawn, calls))


def too_few_to_compare(calls: list[Call]) -> bool:
    """Whether the calls are draws, in lists, of which no distribution can be seen."""
    return 0 < len(calls) < MANY and all(map(_is_drawn, calls))


def _is_drawn(call: Call) -> bool:
    return _source(call) is not None and isinstance(call.output, (list, tuple))


def _source(call: Call) -> np.random.Generator | None:
    generators = (x for x in call.arguments if isinstance(x, np.random.Generator))
    return next(generators, None)


def _states(calls: list[Call]) -> int:
    """How many different states the generator had before a call."""
    sources = (_source(call) for call in calls)
    return len({str(rng.bit_generator.state) for rng in sources if rng is not None})


def drawn_alike(calls: list[Call], theirs: Iterable) -> bool:
    """Whether draws and as many of another function may be of one distribution: by a chi-squared statistic of both.

    A check may draw the same stream several times over: then all counts are that many times as large.
    """
    again = len(calls) / max(_states(calls), MANY)
    a, b = (
        Counter(str(list(call.output)) for call in calls),
        Counter(map(_text, theirs)),
    )
    common = [one for one, number in (a + b).items() if number >= FEW * again]
    cells = [(a[one], b[one]) for one in common]
    rest = tuple(n.total() - sum(n[one] for one in common) for n in (a, b))
    statistic = sum((x - y) ** 2 / (x + y) for x, y in [*cells, rest] if x + y) / again
    freedom = max(1, len(common) - 1)
    return statistic < freedom + 3 * (2 * freedom) ** 0.5


def _text(outcome: object) -> str:
    return str(list(outcome) if isinstance(outcome, (list, tuple)) else outcome)


def drawn_by(function: Callable, calls: list[Call]) -> list:
    """What another function draws for the same arguments, from a generator of its own."""
    rng = np.random.default_rng(0)

    def own(x):
        return rng if isinstance(x, np.random.Generator) else x

    return [function(*map(own, call.arguments), **call.settings) for call in calls]


def diagnose_draws(calls: list[Call], wanted: list) -> str | None:
    """What is wrong with draws besides their shares: they never ask the generator, or they are lists of something else."""
    if _states(calls) == 1:
        return "You never draw from the generator that is given: `rng.choice`, `rng.random` and their like are asked anew in every call."
    ours, theirs = (
        {type(x).__name__ for outcome in some for x in outcome}
        for some in ((call.output for call in calls), wanted)
    )
    if ours.isdisjoint(theirs):
        return f"Your lists hold {' and '.join(sorted(ours))}; wanted {' and '.join(sorted(theirs))}."
    return None


def parting(calls: list[Call], wanted: list) -> str:
    """The outcome that comes too often or too seldom most of all, and how often."""
    ours = Counter(str(list(call.output)) for call in calls)
    theirs = Counter(map(_text, wanted))
    outcome = max(ours | theirs, key=lambda one: abs(ours[one] - theirs[one]))
    got, right = (f"{n[outcome] / n.total():.0%}" for n in (ours, theirs))
    return f"{outcome} is {got} of {len(calls)} draws; wanted about {right}"
