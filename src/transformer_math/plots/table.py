"""Tables of computed numbers, as HTML that both Jupyter and the built page show."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from transformer_math.errors import require


@dataclass(frozen=True)
class Table:
    """Rows of cells under a head, with a caption."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""

    def _repr_html_(self) -> str:
        caption = (
            f"<figcaption>{escape(self.caption)}</figcaption>" if self.caption else ""
        )
        head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in self.head)
        body = "".join(f"<tr>{_row(row)}</tr>" for row in self.rows)
        grid = f'<table class="computed"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
        return f'<figure class="computed">{caption}{grid}</figure>'


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
    values = np.atleast_2d(values)
    n, m = (min(size, most) for size in values.shape)
    more = ["…"] * (values.shape[1] > m)
    names = list(rows) if rows is not None else [str(i) for i in range(values.shape[0])]
    head = ["", *(columns[:m] if columns is not None else map(str, range(m))), *more]
    body = [[names[i], *values[i, :m], *more] for i in range(n)]
    body += [["…"] * len(head)] * (values.shape[0] > n)
    return table(head, body, caption)


def cell(value: Any) -> str:
    """One value as text."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (int, np.integer)):
        return f"{value:,}".replace(",", "\u202f").replace("-", "−")
    if isinstance(value, (float, np.floating)):
        return _real(float(value))
    return str(value)


def _real(value: float) -> str:
    if not np.isfinite(value):
        return {np.inf: "∞", -np.inf: "−∞"}.get(value, "NaN")
    text = (
        f"{value:.3f}" if 0.001 <= abs(value) < 1000 or value == 0 else f"{value:.2e}"
    )
    return text.replace("-", "−")


def _row(cells: Sequence[str]) -> str:
    first, *rest = cells
    return f'<th scope="row">{escape(first)}</th>' + "".join(
        f"<td>{escape(text)}</td>" for text in rest
    )
