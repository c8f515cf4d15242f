"""A formula as a row of matrices, to one scale, so that one sees which sizes must agree and what comes out."""

from collections.abc import Sequence

import numpy as np

from transformer_math.errors import require
from transformer_math.plots import symbols
from transformer_math.plots.cells import LETTER, Grid, drawing, width_of
from transformer_math.plots.numbers import Real
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
        bool(matrices) and all(values.ndim == 2 for _, values in matrices),
        f"shapes {[np.shape(values) for _, values in matrices]}; wanted matrices. Fix: x[None, :] for a vector.",
    )
    require(
        len(rows) in (0, len(matrices[0][1])),
        f"{len(rows)} names for {len(matrices[0][1])} rows. Fix: one name for each row of the first matrix.",
    )
    side = _side([values for _, values in matrices], bool(rows))
    names = [rows] + [()] * (len(matrices) - 1)
    drawn = (
        (symbols.html(name), _matrix(np.asarray(values, float), side, labels))
        for (name, values), labels in zip(matrices, names)
    )
    panels = [("", _sign(p)) if isinstance(p, str) else next(drawn) for p in parts]
    return described(panels, alt, caption)


def _side(matrices: Sequence[np.ndarray], named: bool) -> float:
    """The largest cell with which all stand in one row, and the widest on a phone."""
    columns = [values.shape[1] for values in matrices]
    fitting = min(ROOM / sum(columns), 280 / max(columns))
    low, high = (NAMED if named else SIDES[0]), SIDES[1]
    return float(np.clip(fitting, low, high))


def _matrix(values: np.ndarray, side: float, rows: Sequence[str]) -> str:
    n, m = values.shape
    top = float(np.abs(values[np.isfinite(values)]).max(initial=0.0)) or 1.0
    left = max(map(width_of, rows), default=0) + 6 * bool(rows) + 1
    size = f"{n} × {m}"
    width = left + max(m * side, width_of(size)) + 1
    middle = left + (width - left) / 2
    start = middle - m * side / 2
    cells = Grid(values, rows or None, None, "column", "row", top).cells()
    frame = f'width="{m * side:.4g}" height="{n * side:.4g}" fill="none" stroke="currentColor" stroke-opacity=".5"'
    inside = [
        f'<g transform="translate({start:.4g} 1) scale({side:.4g})">{cells}</g>',
        f'<rect x="{start:.4g}" y="1" {frame}/>',
        *(
            _text(left - 5, 1 + (i + 0.5) * side + 4, name, "end")
            for i, name in enumerate(rows)
        ),
        _text(middle, n * side + LETTER + 5, size, "middle"),
    ]
    return drawing(width + 1, n * side + LETTER + 9, *inside)


def _sign(sign: str) -> str:
    width = width_of(sign) + 8
    return drawing(width, LETTER + 6, _text(width / 2, LETTER + 1, sign, "middle"))


def _text(x: Real, y: Real, text: str, anchor: str) -> str:
    return f'<text x="{x:.4g}" y="{y:.4g}" text-anchor="{anchor}">{symbols.svg(text)}</text>'
