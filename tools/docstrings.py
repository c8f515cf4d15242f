"""The equation in a docstring is the one on the page: `make docstrings` writes it there, in plain text, from the LaTeX.

A docstring names its equation by label (`Book: eq-attention.`). A test fails where its text is not what this command
writes, and where no page has the label.
"""

import ast
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

from plain_math import plain
from transformer_math.formulas.book import displayed

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "transformer_math"
LABEL = re.compile(r"Book: (eq-[\w-]+)")


def equations() -> dict[str, str]:
    """Each label of the book with its formula in plain text."""
    formulas = displayed(ROOT, (ROOT / "book").rglob("*.md"))
    return {one.label: plain(one.tex) for one in formulas if one.label}


def written(source: str, known: dict[str, str]) -> str:
    """A module with the equations of its docstrings as they stand on the pages.

    Raises ValueError for a label that no page has.
    """
    lines = source.splitlines(keepends=True)
    for node in reversed(list(documented(source))):
        doc = node.body[0]
        label = LABEL.search(ast.get_docstring(node, clean=False))[1]
        if label not in known:
            raise ValueError(
                f"{node.name} names {label}, which is on no page. Fix: the label of its equation."
            )
        old = lines[doc.lineno - 1 : doc.end_lineno]
        new = with_equation("".join(old), known[label], doc.col_offset)
        lines[doc.lineno - 1 : doc.end_lineno] = [new]
    return "".join(lines)


def documented(source: str) -> Iterator[ast.FunctionDef]:
    """The functions of a module whose docstrings name an equation, from top to bottom."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and LABEL.search(
            ast.get_docstring(node) or ""
        ):
            yield node


def with_equation(docstring: str, equation: str, margin: int) -> str:
    r"""A docstring with an equation, indented, below its first line, in place of the one that stands there.

    >>> print(end=with_equation('r\'\'\'Add.\n\n        a+b\n\n    Book: eq-add.\n\'\'\'', "y = a + b", 4))
    r'''Add.
    <BLANKLINE>
            y = a + b
    <BLANKLINE>
        Book: eq-add.
    '''
    """
    first, _, rest = docstring.partition("\n")
    deeper = " " * (margin + 4)
    blocks = rest.strip("\n").split("\n\n")
    if blocks[0].startswith(deeper):
        del blocks[0]
    kept = "\n\n".join(blocks) if blocks else " " * margin + '"""'
    return f"{first}\n\n{textwrap.indent(equation, deeper)}\n\n{kept}\n"


def write_docstrings() -> list[Path]:
    """Write every module whose docstrings are not as they should be; returns them."""
    known = equations()
    stale = [
        path
        for path in modules()
        if written(path.read_text("utf-8"), known) != path.read_text("utf-8")
    ]
    for path in stale:
        path.write_text(written(path.read_text("utf-8"), known), "utf-8")
    return stale


def modules() -> list[Path]:
    """The modules of the ideas."""
    rooms = {"checks", "explorables", "formulas", "plots", "contract"}
    found = PACKAGE.glob("*/[!_]*.py")
    return sorted(path for path in found if path.parent.name not in rooms)


if __name__ == "__main__":
    for path in write_docstrings():
        print(path.relative_to(ROOT))
