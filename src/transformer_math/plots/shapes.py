"""A formula as a row of matrices, to one scale, so that one sees which sizes must agree and what comes out."""

from collections.abc import Sequence

import numpy as np

from transformer_math.errors import require
from transformer_math.plots import symbols
from transformer_math.plots.cells import LETTER, Grid, drawing, frame, text, width_of
from transformer_math.plots.given import given_matrix
from transformer_math.plots.picture import Picture, described

ROOM = 520  # pixels for all matrices of a row
SIDES = (3.0, 18.0)  # pixels: the smallest and the largest cell
NAMED = 13.0  # pixels: a cell beside which a name can be read

Matrix = tuple[str, np.ndarray]


def shapes(
    *parts: str | Matrix, alt: str, caption: str = "", rows: Sequence[str] = ()
) -> Picture:
    r"""Draw `("$Q$", Q), "·", ("$K^\top$", K.T), "=", ("$S$", S)`: matrices as ink, in one scale of sizes, signs between them.

    Each matrix has its own scale of ink, and its size below it; `rows` names the rows of the first. The sign before a
    result may be words, such as "→ softmax →". Raises ValueError for what is no matrix, and for names that do not fit.
    """
    matrices = [part for part in parts if not isinstance(part, str)]
    require(
        bool(matrices)
        and parts[-1] is matrices[-1]
        and all(np.ndim(values) == 2 for _, values in matrices),
        f"shapes {[np.shape(values) for _, values in matrices]}; wanted matrices, one of them last. Fix: x[None, :] for a vector.",
    )
    require(
        len(rows) in (0, len(matrices[0][1])),
        f"{len(rows)} names for {len(matrices[0][1])} rows. Fix: one name for each row of the first matrix.",
    )
    side = _side([given_matrix(values) for _, values in matrices], bool(rows))
    panels: list[tuple[str, str]] = []
    sign = ""
    for part in parts:
        if isinstance(part, str):
            sign = f"{sign} {part}".strip()
            continue
        name, values = part
        named = () if panels else rows
        panels.append(_panel(sign, name, given_matrix(values), side, named))
        sign = ""
    return described(panels, alt, caption)


def _side(matrices: Sequence[np.ndarray], named: bool) -> float:
    """The largest cell with which all stand in one row, and the widest on a phone."""
    columns = [values.shape[1] for values in matrices]
    fitting = min(ROOM / sum(columns), 280 / max(columns))
    low, high = (NAMED if named else SIDES[0]), SIDES[1]
    return float(np.clip(fitting, low, high))


def _panel(
    sign: str, name: str, values: np.ndarray, side: float, rows: Sequence[str]
) -> tuple[str, str]:
    """A matrix after its sign, which stays with it where a line is too short for all; its name stands above the cells."""
    n, m = values.shape
    top = float(np.abs(values[np.isfinite(values)]).max(initial=0.0)) or 1.0
    size = f"{n} × {m}"
    ahead = (width_of(sign) + 14) * bool(sign)
    left = ahead + max(map(width_of, rows), default=0) + 6 * bool(rows) + 1
    width = left + max(m * side, width_of(size)) + 1
    middle = (left + width - 1) / 2
    start = middle - m * side / 2
    cells = Grid(values, rows or None, None, "column", "row", top).cells()
    inside = [
        text((ahead - 8) / 2, 1 + n * side / 2 + 4, sign, "middle") * bool(sign),
        f'<g transform="translate({start:.4g} 1) scale({side:.4g})">{cells}</g>',
        frame(start, 1, m * side, n * side),
        *(
            text(left - 5, 1 + (i + 0.5) * side + 4, row, "end")
            for i, row in enumerate(rows)
        ),
        text(middle, n * side + LETTER + 5, size, "middle"),
    ]
    title = f'<span style="display:block;padding-left:{left:.0f}px">{symbols.html(name) or "&nbsp;"}</span>'
    return title, drawing(width, n * side + LETTER + 9, *inside)
