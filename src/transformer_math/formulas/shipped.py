"""What runs formulas where there is no Python: the numbered formulas of the book, and the sizes that their functions take."""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from transformer_math.exports import definitions
from transformer_math.formulas.book import Formula, displayed
from transformer_math.formulas.symbols import sizes_of

PACKAGE = Path(__file__).resolve().parents[1]
BOOK = PACKAGE.parents[1] / "book"
INSTALLED = Path(__file__).with_name("book.json")  # in the wheel, which setup.py fills
ABOVE = {"checks", "explorables", "formulas", "plots"}  # they define no mathematics
_LABELS = re.compile(r"Book: (eq-[\w-]+)((?:, eq-[\w-]+)*)")


@cache
def shipped() -> dict[str, dict]:
    """Each label with its LaTeX, its page, and the letters of the sizes that its function takes."""
    functions = dict(reversed(list(functions_by_label())))
    return {
        formula.label: {
            "tex": formula.tex,
            "page": formula.page,
            "sizes": sizes_of(functions[formula.label])
            if formula.label in functions
            else [],
        }
        for formula in printed()
        if formula.label
    }


def printed() -> list[Formula]:
    """The displayed formulas of the book: from its pages in a clone, from what the wheel brought elsewhere."""
    if BOOK.is_dir():
        return displayed(BOOK.parent, BOOK.rglob("*.md"))
    return [Formula(**one) for one in json.loads(INSTALLED.read_text("utf-8"))]


def functions_by_label() -> Iterator[tuple[str, Callable]]:
    """The public functions of the package with the labels that their docstrings name."""
    for path in sorted(PACKAGE.glob("*/[!_]*.py")):
        text = path.read_text("utf-8")
        if path.parent.name in ABOVE or not _LABELS.search(text):
            continue
        module = import_module(f"transformer_math.{path.parent.name}.{path.stem}")
        for name in definitions(text):
            function = getattr(module, name)
            for first, others in _LABELS.findall(function.__doc__ or ""):
                for label in (first, *others.split(", ")[1:]):
                    yield label, function
