"""Run every formula as the pages print it, once per build, and keep what came of it for as long as nothing changes."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from functools import cache
from pathlib import Path

import freshness
from dependencies import Package
from sphinx.application import Sphinx

from transformer_math.formulas.book import Formula, displayed


def formulas_of(app: Sphinx) -> list[Formula]:
    """The displayed formulas of all pages that the build knows."""
    pages = (Path(app.env.doc2path(name)) for name in app.env.found_docs)
    return displayed(Path(app.srcdir), (page for page in pages if page.suffix == ".md"))


def verdicts_of(app: Sphinx) -> dict:
    """What came of every formula of the book, by label or place."""
    return _verdicts(tuple(formulas_of(app)), Path(app.doctreedir))


@cache
def _verdicts(formulas: tuple[Formula, ...], folder: Path) -> dict:
    from transformer_math.formulas.verdict import Verdict, verdicts

    kept, made_from = folder / "formulas.json", fingerprint(formulas)
    if kept.exists():
        known = json.loads(kept.read_text("utf-8"))
        if known["made_from"] == made_from:
            return {
                name: Verdict(**{**fields, "formula": Formula(**fields["formula"])})
                for name, fields in known["verdicts"].items()
            }
    found = verdicts(formulas)
    written = {name: asdict(verdict) for name, verdict in found.items()}
    text = json.dumps({"made_from": made_from, "verdicts": written})
    folder.mkdir(parents=True, exist_ok=True)
    kept.write_text(text, "utf-8")
    return found


def fingerprint(formulas: Iterable[Formula]) -> str:
    """A hash of the formulas, of what reads them, and of all checks, from which their cases come."""
    package = Package()
    readers = (package.folder / "formulas").glob("*.*js")
    files = {
        *readers,
        *package.closure(package.files("formulas")),
        *package.all_checks(),
    }
    return freshness.digest(repr(tuple(formulas)), files)


def verdict_of(app: Sphinx, docname: str, label: str | None, tex: str):
    """What came of one displayed formula: found by its label, or by its page and its LaTeX."""
    found = verdicts_of(app)
    if label is not None:
        return found.get(label)
    same = (
        verdict
        for verdict in found.values()
        if verdict.formula.page == docname
        and verdict.formula.tex.split() == tex.split()
    )
    return next(same, None)


def counts(app: Sphinx) -> dict[str, int]:
    """How many formulas there are with and without a number, and how many of each were run as printed."""
    found = verdicts_of(app).values()
    numbered = [verdict for verdict in found if verdict.formula.label]
    others = [verdict for verdict in found if not verdict.formula.label]
    return {
        "numbered": len(numbered),
        "numbered that run": sum(verdict.runs for verdict in numbered),
        "others": len(others),
        "others that run": sum(verdict.runs for verdict in others),
    }
