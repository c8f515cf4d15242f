"""What the seals of the book are made from: what came of running every formula and every check, kept while it holds.

All of it is found before the first page is read, on all processors, and kept from build to build. Each piece has a key,
a hash of what it depends on; what has another key now is run again. A check depends on its file, on what that imports,
and on what runs it. A formula depends on its LaTeX, on its checks, on its reading, on what reads and evaluates it, and
on every formula that it called: running it tells which names it asked for, and another answer to one of them is a
reason to run it again.
"""

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from dependencies import Package
from evidence_keys import Keys, definitions, identity
from marks import Book, book_of, keys_of_marks, mark_one, read
from memory import read_json, write_json
from printed import formulas_of, inline_of, markdown
from source_pages import location
from sphinx.application import Sphinx
from workers import at_once, drawn, engine, import_all

from transformer_math.formulas.answers import Marked
from transformer_math.formulas.book import Formula

SEALED = re.compile(r"^(?::label: |```\{signature\} )(eq-[\w-]+)$", re.MULTILINE)
LEDGER = "{ledger}"
MEMORY, MARKS = "evidence.json", "symbols.json"
Address = tuple[str, str]  # a page of source code, and the anchor of a line


@dataclass(frozen=True)
class Wrong:
    """A wrong version of a function: what is said of it, and whether the check let it through."""

    name: str
    message: str
    missed: bool
    address: Address


@dataclass(frozen=True)
class Proof:
    """What came of one check: its largest error, what is at fault (None where it holds), its wrong versions."""

    name: str
    oracle: str
    cases: int
    tolerance: float
    error: float
    fault: str | None
    address: Address
    function: str
    function_address: Address
    wrong: tuple[Wrong, ...]


@dataclass(frozen=True)
class Evidence:
    """What came of every formula, by name, and of the checks of every equation, by label; the displayed formulas, marked."""

    verdicts: dict  # of `formulas.verdict.Verdict`
    proofs: dict[str, tuple[Proof, ...]]
    marks: dict[str, Marked]

    def verdict(self, docname: str, label: str | None, tex: str):
        """What came of one displayed formula: found by its label, or by its page and its LaTeX."""
        if label is not None:
            return self.verdicts.get(label)
        words = tex.split()
        return next(
            (
                verdict
                for verdict in self.verdicts.values()
                if verdict.formula.page == docname
                and verdict.formula.column is None
                and verdict.formula.tex.split() == words
            ),
            None,
        )

    def by_place(self) -> tuple[list, list]:
        """The verdicts of the displayed formulas, and those of the equations inside sentences."""
        found = self.verdicts.values()
        shown = [verdict for verdict in found if verdict.formula.column is None]
        inside = [verdict for verdict in found if verdict.formula.column is not None]
        return shown, inside


@cache
def evidence_of(app: Sphinx) -> Evidence:
    """What came of every formula and of the checks that the book shows, in this build or in one that still holds."""
    texts = [page.read_text("utf-8") for page in markdown(app)]
    labels = {label for text in texts for label in SEALED.findall(text)}
    if any(LEDGER in text for text in texts):
        labels.update(Package().labels("checks"))
    formulas = (*formulas_of(app), *inline_of(app))
    return gather(formulas, sorted(labels), Path(app.doctreedir), book_of(app))


def prepare(app: Sphinx) -> None:
    """Where nothing is known yet, do for the evidence what one process has to do, while chapters keep the others busy."""
    folder = Path(app.doctreedir)
    if not (folder / MEMORY).exists():
        import_all()
        definitions((*formulas_of(app), *inline_of(app)), Keys(), folder)


def gather(
    formulas: tuple[Formula, ...],
    labels: Iterable[str],
    folder: Path,
    book: Book | None = None,
) -> Evidence:
    """Find what came of formulas, and of the checks of these equations, or take what was kept; mark the formulas of a book."""
    keys, memory = Keys(), folder / MEMORY
    kept = read_json(memory)
    proofs = find_proofs(labels, keys, kept.get("proofs", {}))
    defined = definitions(formulas, keys, folder)
    judging = verdicts_of(formulas, keys, defined, kept.get("verdicts", {}))
    if book is None:
        (verdicts,), marks = ask([judging], formulas), {}
    else:
        verdicts, marks = ask_with_marks(judging, book, keys, defined["names"], folder)
    if (found := {"proofs": proofs, "verdicts": verdicts}) != kept:
        write_json(memory, found)
    return Evidence(
        {one.name: verdict_of(one, verdicts) for one in formulas},
        {label: tuple(map(_proof, one["found"])) for label, one in proofs.items()},
        marks,
    )


def ask_with_marks(
    judging: "Question", book: Book, keys: Keys, names: dict, folder: Path
) -> tuple[dict[str, dict], dict[str, Marked]]:
    """What came of every formula, and those of a book marked, by name; those with a fault are marked again the next time."""
    kept = read_json(folder / MARKS)
    marking = Question(mark_one, book.formulas, kept, keys_of_marks(book, names, keys))
    verdicts, marks = ask([judging, marking], judging.of, book.rows, book.pages)
    whole = {name: one for name, one in marks.items() if not one["marked"]["faults"]}
    if whole != kept:
        write_json(folder / MARKS, whole)
    return verdicts, {f.name: read(marks[identity(f)]["marked"]) for f in book.formulas}


def find_proofs(labels: Iterable[str], keys: Keys, kept: dict) -> dict[str, dict]:
    """What came of the checks of these equations: kept, or found now."""
    wanted = {label: keys.proof(label) for label in labels}
    known = {label: kept.get(label, {}) for label in wanted}
    stale = [label for label in wanted if known[label].get("key") != wanted[label]]
    new = {
        label: {"key": wanted[label], **one}
        for label, one in at_once(_prove, slowest_first(stale, known))
    }
    return {label: new.get(label) or known[label] for label in wanted}


@dataclass(frozen=True)
class Question:
    """Something that is asked of formulas: the work that finds it, and what came of it the last time, by `identity`.

    `key` is what it depends on, given what came of it.
    """

    work: Callable[[Formula], dict]
    of: tuple[Formula, ...]
    known: dict[str, dict]
    key: Callable[[Formula, dict], dict]

    def holds(self, formula: Formula) -> bool:
        """Whether the last answer still holds."""
        last = self.known.get(identity(formula))
        return last is not None and last | self.key(formula, last) == last

    def known_of(self) -> dict[str, dict]:
        """What is known of the formulas that are asked about, and of no others."""
        names = map(identity, self.of)
        return {name: self.known[name] for name in names if name in self.known}


def ask(questions: list[Question], *knowledge: tuple) -> list[dict[str, dict]]:
    """What came of each formula, for each question: known, or found now.

    All that is asked of one formula is found by one process, one after the other: it draws the cases of its checks once.
    """
    waiting: dict[Formula, list[Question]] = {}
    for question in questions:
        for formula in question.of:
            if not question.holds(formula):
                waiting.setdefault(formula, []).append(question)
    named = {identity(formula): formula for formula in waiting}
    order = [named[name] for name in slowest_first([*named], questions[0].known)]
    tasks = [(one, [question.work for question in waiting[one]]) for one in order]
    new: list[dict] = [{} for _ in questions]
    for (formula, _), found in at_once(_answer, tasks, *knowledge):
        for question, one in zip(waiting[formula], found, strict=True):
            own = new[questions.index(question)]
            own[identity(formula)] = one | question.key(formula, one)
    return [question.known_of() | own for question, own in zip(questions, new)]


def _answer(task: tuple[Formula, list[Callable]]) -> list[dict]:
    formula, works = task
    return [work(formula) for work in works]


def find_verdicts(
    formulas: tuple[Formula, ...], keys: Keys, folder: Path, known: dict
) -> dict[str, dict]:
    """What came of every formula: kept, or found now."""
    defined = definitions(formulas, keys, folder)
    return ask([verdicts_of(formulas, keys, defined, known)], formulas)[0]


def verdicts_of(
    formulas: tuple[Formula, ...], keys: Keys, defined: dict, known: dict
) -> Question:
    """What comes of a formula when it is run; it depends on the names that it asked for, too."""

    def key(formula: Formula, found: dict) -> dict:
        return {"key": keys.verdict(formula, defined, found["found"]["asked"])}

    return Question(_judge, formulas, known, key)


def slowest_first(names: list[str], known: dict) -> list[str]:
    """In the order in which the processors are done soonest, as far as the last time tells."""
    return sorted(names, key=lambda name: -known.get(name, {}).get("seconds", 0))


def _judge(formula: Formula) -> dict:
    from transformer_math.formulas.verdict import judge

    start = time.perf_counter()
    found = asdict(judge(engine(), formula, drawn(formula)))
    del found["formula"]
    return {"found": found, "seconds": round(time.perf_counter() - start, 2)}


def _prove(label: str) -> dict:
    from transformer_math.checks import checks_of, prove

    start = time.perf_counter()
    found = [asdict(_written(prove(check))) for check in checks_of(label)]
    return {"found": found, "seconds": round(time.perf_counter() - start, 2)}


def _written(proof) -> Proof:
    """What came of a check, as it can be kept."""
    from transformer_math.checks.showing import as_html

    check = proof.check
    wrong = (
        Wrong(
            one.name,
            as_html(one.message),
            one in proof.missed,
            location(one.implementation),
        )
        for one in check.wrong_versions
    )
    return Proof(
        check.name,
        check.oracle,
        check.cases,
        check.tolerance,
        float(proof.outcome.error),
        None if proof.holds else fault(proof),
        location(check.case),
        check.target.__name__,
        location(check.target),
        tuple(wrong),
    )


def fault(proof) -> str:
    """Say in one sentence why a check does not hold."""
    name, outcome = proof.check.name, proof.outcome
    if outcome.exception is not None:
        return f"{name} raised {type(outcome.exception).__name__}: {outcome.exception}"
    if outcome.failed_case is not None:
        return f"{name} differs from {proof.check.oracle} by {outcome.error:.1e} in case {outcome.failed_case + 1}"
    if proof.missed:
        return f"{name} lets through {', '.join(wrong.name for wrong in proof.missed)}"
    if proof.unvisited:
        return (
            f"the checks of {proof.check.target.__name__} never visit {', '.join(proof.unvisited)}. Fix: draw it (or_edge, "
            "smallest, longest in sampling.py), or say beside the check why it is no edge: check.excuses(reason, edge)"
        )
    return f"{name} has no wrong version"


def _proof(fields: dict) -> Proof:
    wrong = (Wrong(**one | {"address": tuple(one["address"])}) for one in fields["wrong"])  # fmt: skip
    places = {name: tuple(fields[name]) for name in ("address", "function_address")}
    return Proof(**fields | places | {"wrong": tuple(wrong)})


def verdict_of(formula: Formula, kept: dict[str, dict]):
    """What came of a formula, among what was kept of all of them."""
    from transformer_math.formulas.verdict import Verdict

    found = kept[identity(formula)]["found"]
    return Verdict(formula, **found | {name: tuple(found[name]) for name in ("asked", "sources")})  # fmt: skip
