"""Tables of computed numbers and typeset symbols, as HTML that both Jupyter and the built page show."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from transformer_math.errors import require
from transformer_math.plots.given import require_names
from transformer_math.plots.numbers import cell
from transformer_math.plots.symbols import html

_ONE = r"(?:[-−+≈<>≤≥]?[\d.,\s]*\d(?:e[-−+]?\d+)?(?: ?%| [A-Za-z]{1,2})?|[−+]?∞)"
_NUMBER = re.compile(rf"{_ONE}(?: (?:to|of|±) {_ONE})?(?: \({_ONE} to {_ONE}\))?")
_WHOLE = re.compile(  # what no line of a cell is broken in; formulas are left as they are
    r"\$[^$]*\$|(?P<date>\b\d{4}-\d\d-\d\d\b)|\b(?:layer \d+, )?heads? \d+\b|\blayer \d+\b|\d+(?: × \d+)+"
    r"|\([-−]?[\d.]+, [-−]?[\d.]+\)|(?<!\S)[-+−]?[\d½](?: {1,2}[-+−]?[\d½]){2,7}(?!\S)"
)
_NOTHING = re.compile(r"[\s–—…?-]*|NaN")
_CODE = re.compile(r"`([^`\s]+)`")
_HYPHENED = re.compile(r"(?<![\w-])\w{1,6}-\w{1,6}(?![\w-])")
_FORMULA = re.compile(r"\$[^$]*\$")
_LONG = 24  # characters of words for which a narrow screen keeps room for more than one or two of them
_LONGEST_CUT = 24  # characters of a word in pieces that stays on one line


@dataclass(frozen=True)
class Table:
    """Rows of cells under a head, with a caption; columns of words stand to the left, numbers to the right."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""

    def _repr_html_(self) -> str:
        caption = (
            f"<figcaption>{html(self.caption)}</figcaption>" if self.caption else ""
        )
        words = [_of_words(column) for column in zip(*self.rows)] or [False] * len(
            self.head
        )
        head = "".join(map(_head, self.head, words))
        body = "".join(f"<tr>{_row(row, words)}</tr>" for row in self.rows)
        grid = f'<table class="computed"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
        return f'<figure class="computed">{caption}<div>{grid}</div></figure>'


def table(
    head: Sequence[str], rows: Sequence[Sequence[Any]], caption: str = ""
) -> Table:
    """A table of any values: whole numbers get narrow spaces between thousands, others four digits.

    Raises ValueError for a row that has not as many cells as the head.
    """
    for row in rows:
        require(
            len(row) == len(head),
            f"a row has {len(row)} cells under a head of {len(head)}: {row}. Fix: one cell per column.",
        )
    return Table(
        tuple(head), tuple(tuple(cell(value) for value in row) for row in rows), caption
    )


def matrix(
    values: np.ndarray,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    caption: str = "",
    most: int = 8,
) -> Table:
    """The top left corner of a matrix, at most `most` rows and columns, with `…` where it goes on."""
    require(
        isinstance(most, (int, np.integer)) and most >= 1,
        f"most is {most!r:.40}; wanted a whole number, at least 1. Fix: most=8.",
    )
    values = np.atleast_2d(values)
    require(
        values.ndim == 2,
        f"values have shape {values.shape}; wanted a matrix. Fix: values[0], the first of several.",
    )
    n, m = (min(size, most) for size in values.shape)
    require_names(rows, (values.shape[0], n), "rows")
    require_names(columns, (values.shape[1], m), "columns")
    more = ["…"] * (values.shape[1] > m)
    names = list(rows) if rows is not None else [str(i) for i in range(values.shape[0])]
    head = ["", *(columns[:m] if columns is not None else map(str, range(m))), *more]
    body = [[names[i], *values[i, :m], *more] for i in range(n)]
    body += [["…"] * len(head)] * (values.shape[0] > n)
    return table(head, body, caption)


def _of_words(column: Sequence[str]) -> bool:
    """Whether fewer than half of the cells that say something are numbers, alone or with their range or error."""
    said = [text for text in column if not _NOTHING.fullmatch(text)]
    return 2 * sum(bool(_NUMBER.fullmatch(text)) for text in said) < len(said)


def _head(text: str, words: bool) -> str:
    side = ' class="words"' if words else ""
    return f'<th scope="col"{side}>{html(text)}</th>' if text.strip() else "<td></td>"


def _row(cells: Sequence[str], words: Sequence[bool]) -> str:
    first, *rest = cells
    classes = ' class="long"' * _is_long(first)
    name = f'<th scope="row"{classes}>{_name(first)}</th>'
    return (name if first.strip() else "<td></td>") + "".join(
        f'<td class="words{" long" * _is_long(text)}">{_text(text)}</td>'
        if left
        else f"<td>{html(_whole(_unbroken(text)))}</td>"
        for text, left in zip(rest, words[1:])
    )


def _is_long(text: str) -> bool:
    return len(_FORMULA.sub("", text)) > _LONG


def _text(text: str) -> str:
    """Words, with `code` where it is marked.

    >>> _text("lookup, `E[-1]`"), _text("▁M y")
    ('lookup, <code>E[-1]</code>', '▁M\\xa0y')
    """
    pieces = _CODE.split(_one_cut(text))
    pieces[::2] = [html(_whole(words)) for words in pieces[::2]]
    pieces[1::2] = [f"<code>{escape(code)}</code>" for code in pieces[1::2]]
    return "".join(pieces)


def _name(text: str) -> str:
    """What a row is called: a short name with a hyphen stays on one line.

    >>> _name("skip-gram, shuffled")
    '<span class="one">skip-gram</span>, shuffled'
    """
    shown = _text(text)
    return (
        shown
        if "<" in shown
        else _HYPHENED.sub(r'<span class="one">\g<0></span>', shown)
    )


def _one_cut(text: str) -> str:
    """A word in pieces, as in “▁un ch an g ed”, is not cut once more by the end of a line."""
    cut = text.startswith("▁") and len(text) <= _LONGEST_CUT
    return text.replace(" ", "\N{NO-BREAK SPACE}") if cut else text


def _whole(text: str) -> str:
    """A date, a size, a point, a row of digits and the name of a head stay on one line."""

    def joined(found: re.Match) -> str:
        if found[0].startswith("$"):
            return found[0]
        if found["date"]:
            return found[0].replace("-", "\N{NON-BREAKING HYPHEN}")
        return found[0].replace(" ", "\N{NO-BREAK SPACE}")

    return _WHOLE.sub(joined, text)


def _unbroken(text: str) -> str:
    """A number and its unit, a range and its ends stay on one line, which may end before a bracket."""
    if not _NUMBER.fullmatch(text):
        return text
    return text.replace(" ", "\N{NO-BREAK SPACE}").replace("\N{NO-BREAK SPACE}(", " (")
