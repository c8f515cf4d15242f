"""Runs the formulas of the book as printed, and says of each what came of it."""

from collections.abc import Iterable
from dataclasses import dataclass

from transformer_math.checks.proof import checks_of
from transformer_math.formulas.book import Formula
from transformer_math.formulas.cases import Drawn, defaults, telling
from transformer_math.formulas.engine import TOLERANCE, Engine
from transformer_math.formulas.identities import identity_cases
from transformer_math.formulas.reading import cases_of, has_reading
from transformer_math.formulas.sources import noting
from transformer_math.formulas.symbols import sizes_of
from transformer_math.formulas.words import WORDS


@dataclass(frozen=True)
class Verdict:
    """What came of a printed formula: on how many cases it was run, the largest difference found, or why it was not run.

    `asked` are the names that it looked for among what other formulas define; `read` says whether its cases have a reading
    of their own, `sources` where their values come from, as far as they are more than the calls of its checks.
    """

    formula: Formula
    cases: int = 0
    largest: float = 0.0
    problem: str | None = None
    words: str | None = None
    asked: tuple[str, ...] = ()
    read: bool = False
    sources: tuple[str, ...] = ()

    @property
    def runs(self) -> bool:
        """Whether the formula was run, and agreed."""
        return self.words is None and self.problem is None


def open_engine(formulas: Iterable[Formula]) -> Engine:
    """An engine that has read all formulas, and knows the sizes that the functions behind them take."""
    readable = [one for one in formulas if _words(one) is None]
    checks = {one.name: checks_of(one.name) for one in readable}
    sizes = {name: sizes_of(own[0].target) for name, own in checks.items() if own}
    return Engine(readable, sizes)


def prepare(engine: Engine, formula: Formula, drawn: Drawn | None = None) -> int:
    """Give the engine the cases of a formula: those of its checks, or random values where it has no label.

    `drawn` keeps the calls of the checks for whoever asks next.
    """
    drawn = drawn or Drawn()
    label = formula.label or formula.beside
    if label is None:
        return engine.prepare(formula.name, identity_cases(formula.values or ""))
    checks = telling(checks_of(label))
    usual = {
        name: value
        for check in checks
        for name, value in defaults(check.target).items()
    }
    cases = (case for check in checks for case in cases_of(check, drawn(check)))
    return engine.prepare(formula.name, cases, usual)


def judge(engine: Engine, formula: Formula, drawn: Drawn | None = None) -> Verdict:
    """Run one formula, on the calls of its checks that are `drawn` or kept there."""
    if words := _words(formula):
        return Verdict(formula, words=words)
    if formula.label is None and formula.values is None:
        return Verdict(formula, problem="nothing says what its symbols stand for")
    with noting() as noted:
        cases = prepare(engine, formula, drawn)
    if cases == 0:
        return Verdict(formula, problem="its checks make no call that it speaks of")
    outcome = engine.run(formula.name)
    problem = outcome.problem
    if problem is None and outcome.worst > TOLERANCE:
        problem = f"it differs by {outcome.worst:.1e}"
    return Verdict(
        *(formula, cases, outcome.worst, problem),
        asked=tuple(sorted(outcome.asked)),
        read=any(map(has_reading, checks_of(formula.label)))
        if formula.label
        else False,
        sources=tuple(sorted(noted)),
    )


def _words(formula: Formula) -> str | None:
    return formula.words or WORDS.get(formula.label or "")


def verdicts(formulas: Iterable[Formula]) -> dict[str, Verdict]:
    """What came of each formula, by label or place; they call each other by name."""
    formulas = list(formulas)
    with open_engine(formulas) as engine:
        return {formula.name: judge(engine, formula) for formula in formulas}
