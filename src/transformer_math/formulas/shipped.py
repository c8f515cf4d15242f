"""What runs formulas where there is no Python: the numbered formulas of the book, and the sizes that their functions take."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from transformer_math.exports import definitions
from transformer_math.formulas.book import displayed
from transformer_math.formulas.symbols import sizes_of

PACKAGE = Path(__file__).resolve().parents[1]
BOOK = PACKAGE.parents[1] / "book"
ABOVE = {"checks", "explorables", "formulas", "plots"}  # they define no mathematics
_LABELS = re.compile(r"Book: (eq-[\w-]+)((?:, eq-[\w-]+)*)")


@cache
def shipped() -> dict[str, dict]:
    """Each label with its LaTeX, its page, and the letters of the sizes that its function takes.

    Raises FileNotFoundError where the package lies apart from its book.
    """
    if not BOOK.is_dir():
        raise FileNotFoundError(
            f"the formulas stand in the pages of the book, and there is no folder {BOOK}. "
            "Fix: work in a clone of the whole book."
        )
    functions = dict(reversed(list(functions_by_label())))
    return {
        formula.label: {
            "tex": formula.tex,
            "page": formula.page,
            "sizes": sizes_of(functions[formula.label])
            if formula.label in functions
            else [],
        }
        for formula in displayed(BOOK.parent, BOOK.rglob("*.md"))
        if formula.label
    }


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
