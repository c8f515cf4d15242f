"""What the seals of the book are made from: what came of running every formula and every check, kept while it holds.

All of it is found before the first page is read, on all processors, and kept from build to build. Each piece has a key,
a hash of what it depends on; what has another key now is run again. A check depends on its file, on what that imports,
and on what runs it. A formula depends on its LaTeX, on its checks, on its reading, on what reads and evaluates it, and
on every formula that it called: running it tells which names it asked for, and another answer to one of them is a
reason to run it again.
"""

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from threading import Thread

from contents import ROOT
from dependencies import Package, hash_of
from memory import read_json, write_json
from processes import processes
from source_pages import location
from sphinx.application import Sphinx

from transformer_math.formulas.book import Formula, displayed
from transformer_math.formulas.inline import inline

SEALED = re.compile(r"^(?::label: |```\{signature\} )(eq-[\w-]+)$", re.MULTILINE)
LEDGER = "{ledger}"
MEMORY = "evidence.json"
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
    """What came of every formula, by name, and of the checks of every equation, by label."""

    verdicts: dict  # of `formulas.verdict.Verdict`
    proofs: dict[str, tuple[Proof, ...]]

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
def markdown(app: Sphinx) -> list[Path]:
    """The pages that the build knows."""
    pages = (Path(app.env.doc2path(name)) for name in app.env.found_docs)
    return [page for page in pages if page.suffix == ".md"]


@cache
def formulas_of(app: Sphinx) -> tuple[Formula, ...]:
    """The displayed formulas of all pages that the build knows."""
    return tuple(displayed(Path(app.srcdir), markdown(app)))


@cache
def inline_of(app: Sphinx) -> tuple[Formula, ...]:
    """The equations inside the sentences of all pages."""
    return tuple(inline(Path(app.srcdir), markdown(app)))


@cache
def evidence_of(app: Sphinx) -> Evidence:
    """What came of every formula and of the checks that the book shows, in this build or in one that still holds."""
    texts = [page.read_text("utf-8") for page in markdown(app)]
    labels = {label for text in texts for label in SEALED.findall(text)}
    if any(LEDGER in text for text in texts):
        labels.update(Package().labels("checks"))
    formulas = (*formulas_of(app), *inline_of(app))
    return gather(formulas, sorted(labels), Path(app.doctreedir))


def prepare(app: Sphinx) -> None:
    """Where nothing is known yet, do for the evidence what one process has to do, while chapters keep the others busy."""
    folder = Path(app.doctreedir)
    if not (folder / MEMORY).exists():
        import_all()
        definitions((*formulas_of(app), *inline_of(app)), Keys(), folder)


def gather(
    formulas: tuple[Formula, ...], labels: Iterable[str], folder: Path
) -> Evidence:
    """Find what came of formulas, and of the checks of the equations with these labels, or take what was kept."""
    keys, memory = Keys(), folder / MEMORY
    kept = read_json(memory)
    proofs = find_proofs(labels, keys, kept.get("proofs", {}))
    verdicts = find_verdicts(formulas, keys, folder, kept.get("verdicts", {}))
    if (found := {"proofs": proofs, "verdicts": verdicts}) != kept:
        write_json(memory, found)
    return Evidence(
        {one.name: verdict_of(one, verdicts) for one in formulas},
        {label: tuple(map(_proof, one["found"])) for label, one in proofs.items()},
    )


class Keys:
    """Hashes of what the evidence depends on."""

    def __init__(self, root: Path = ROOT):
        self.package = package = Package(root)
        formulas, checks = package.folder / "formulas", package.folder / "checks"
        pinned = {root / "requirements.txt"}
        own = hash_of(Path(__file__).read_text("utf-8"))
        prove = package.closure({checks / "proof.py", checks / "showing.py"})
        self.proving = package.digest(own, prove | pinned)
        judge = package.closure({formulas / "verdict.py"})
        self.judging = package.digest(own, {*judge, *formulas.glob("*.*js"), *pinned})
        self.proof = cache(lambda label: package.digest(self.proving, package.checks_of_label(label)))  # fmt: skip
        self.cases = cache(lambda label: package.digest("", package.readings_of_label(label)))  # fmt: skip

    def definitions(self, formulas: Iterable[Formula]) -> str:
        """A hash of all that may decide which formula defines which name."""
        read = repr([(one.label, one.tex, one.page) for one in formulas if one.label])
        rooms = self.package.files("formulas") + self.package.files("checks")
        return self.package.digest(self.judging + read, rooms)

    def verdict(self, formula: Formula, defined: dict, asked: Iterable[str]) -> str:
        """A hash of all that decides what comes of a formula, which asked for these names."""
        calls = [
            (name, label, defined["printed"].get(label), self.cases(label))
            for name in asked
            for found in [*defined["names"].get(name, ())]
            for label in with_way_there(found)
        ]
        own = [
            (defined["printed"].get(label), self.cases(label))
            for label in with_way_there(formula.label or formula.beside)
        ]
        return hash_of(repr([self.judging, identity(formula), own, [*asked], calls]))


def with_way_there(label: str | None) -> list[str]:
    """A label, and that of the function through which its formula pulls back: it knows what that one defines."""
    return list(dict.fromkeys((label, label.removesuffix("-vjp")))) if label else []


def identity(formula: Formula) -> str:
    """A formula's name from build to build: the line where it stands may change."""
    fields = {name: part for name, part in asdict(formula).items() if name != "line"}
    return hash_of(repr(fields))


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


def definitions(formulas: tuple[Formula, ...], keys: Keys, folder: Path) -> dict:
    """Which formulas define which names for others, and what they print: kept, or found now."""
    memory, key = folder / "definitions.json", keys.definitions(formulas)
    kept = read_json(memory)
    if kept.get("key") != key:
        from transformer_math.formulas.verdict import open_engine

        with open_engine(formulas) as engine:
            names = engine.definitions()
        printed = {one.label: [one.tex, one.page] for one in formulas if one.label}
        kept = {"key": key, "names": names, "printed": printed}
        write_json(memory, kept)
    return kept


def find_verdicts(
    formulas: tuple[Formula, ...], keys: Keys, folder: Path, known: dict
) -> dict[str, dict]:
    """What came of every formula: kept, or found now."""
    defined = definitions(formulas, keys, folder)
    own = {identity(one): one for one in formulas}

    def fresh(name: str) -> bool:
        last = known.get(name)
        return last is not None and last["key"] == keys.verdict(own[name], defined, last["found"]["asked"])  # fmt: skip

    stale = slowest_first([name for name in own if not fresh(name)], known)
    new = {}
    for formula, one in at_once(_judge, [own[name] for name in stale], formulas):
        key = keys.verdict(formula, defined, one["found"]["asked"])
        new[identity(formula)] = {"key": key, **one}
    return {name: new.get(name) or known[name] for name in own}


def slowest_first(names: list[str], known: dict) -> list[str]:
    """In the order in which the processors are done soonest, as far as the last time tells."""
    return sorted(names, key=lambda name: -known.get(name, {}).get("seconds", 0))


def at_once(work: Callable, tasks: list, *knowledge: tuple) -> Iterator[tuple]:
    """Each task with what came of it; as many at a time as there are processors. `told` gives them the knowledge."""
    if not tasks:
        return
    import_all()
    with processes(len(tasks), _tell, knowledge) as pool:
        yield from zip(tasks, pool.map(work, tasks), strict=True)


def import_all() -> None:
    """Import what the evidence is found with, once for all processes that come."""
    import torch._dynamo  # noqa: F401 -- what PyTorch imports when it first counts operations

    from transformer_math.checks import all_checks

    all_checks()


_knowledge: list[tuple] = []


def _tell(knowledge: tuple) -> None:
    _knowledge[:] = knowledge
    Thread(target=_leave_with, args=[os.getppid()], daemon=True).start()


def _leave_with(parent: int) -> None:
    """End this process when the build that started it was killed."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def told() -> list[tuple]:
    """In a process of its own: what `at_once` was given for all tasks, the formulas first."""
    return _knowledge


@cache
def engine():
    """In a process of its own: an engine that has read all formulas; it ends with the process."""
    from transformer_math.formulas.verdict import open_engine

    return open_engine(told()[0])


def _judge(formula: Formula) -> dict:
    from transformer_math.formulas.verdict import judge

    start = time.perf_counter()
    found = asdict(judge(engine(), formula))
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
