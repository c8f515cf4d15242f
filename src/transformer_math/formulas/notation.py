r"""The rows of the notation page, and a chapter's own words: what the symbols of displayed formulas mean.

A row holds a symbol, its meaning, its shape and its name in the code. Rows stand in the tables of `book/notation.md`;
a comment under a heading there, `% of: attention, gradient`, says for which groups its table speaks; one without speaks
for all; `% also of: block` adds groups that have no nearer word. What one chapter alone means by a letter stands in that
chapter, on a line of its own above the formula, and holds from there on:

    % symbols: $U$ | the normalised input | $n \times d_{\text{model}}$ | `normed`
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from transformer_math.formulas.book import without_code

PAGE = "book/notation"
_OWN = re.compile(r"^% symbols: (.+)$", re.MULTILINE)
_CELL = re.compile(r"(?<!\\)\|")
_SYMBOL = re.compile(r"\$([^$]+)\$")


@dataclass(frozen=True)
class Row:
    """What some symbols mean: `groups` for whom, `also` for whom else, `exact` whether an index is part of the name."""

    symbols: tuple[str, ...]
    meaning: str
    shape: str
    code: str
    page: str
    line: int
    groups: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    exact: bool = False

    @property
    def anchor(self) -> str:
        """Where the notation page shows it."""
        first = self.symbols[0].replace("'", " prime ")
        letters = re.sub(r"\W+", "-", first).strip("-")
        return "-".join(("symbol", letters, *self.groups[:1]))


def rows_of(text: str, page: str = PAGE) -> Iterator[Row]:
    r"""The rows of all tables of the notation page.

    >>> [row] = rows_of("## Sizes\n\n| Symbol | Meaning | In code |\n|---|---|---|\n| $n$ | tokens | `n` |\n")
    >>> row.symbols, row.meaning, row.code, row.exact
    (('n',), 'tokens', '`n`', True)
    """
    section, head = "", list[str]()
    groups, also = tuple[str, ...](), tuple[str, ...]()
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            section, groups, also, head = line.strip("# "), (), (), []
        elif line.startswith("% of: "):
            groups = tuple(line.removeprefix("% of: ").split(", "))
        elif line.startswith("% also of: "):
            also = tuple(line.removeprefix("% also of: ").split(", "))
        elif line.startswith("|") and not line.startswith("|--"):
            cells = _cells(line.strip().strip("|"))
            if not head:
                head = cells
                continue
            row = dict(zip(head, cells))
            yield _row(row, page, number, groups, also, section == "Sizes")


def own_rows(text: str, page: str) -> Iterator[Row]:
    r"""The words of a chapter's own for its symbols.

    >>> [row] = own_rows("% symbols: $U$ | the input | $n$\n", "book/block/x")
    >>> row.symbols, row.meaning, row.shape, row.line
    (('U',), 'the input', '$n$', 1)
    """
    blank = without_code(text)
    names = ("Symbol", "Meaning", "Shape", "In code")
    for found in _OWN.finditer(blank):
        line = blank.count("\n", 0, found.start()) + 1
        yield _row(dict(zip(names, _cells(found[1]))), page, line)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in _CELL.split(line)]


def _row(
    cells: dict[str, str],
    page: str,
    line: int,
    groups: tuple[str, ...] = (),
    also: tuple[str, ...] = (),
    exact: bool = False,
) -> Row:
    symbols = tuple(_SYMBOL.findall(cells.get("Symbol", "")))
    names = ("Meaning", "Shape", "In code")
    meaning, shape, code = (cells.get(name, "") for name in names)
    return Row(symbols, meaning, shape, code, page, line, groups, also, exact)
