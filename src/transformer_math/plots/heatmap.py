"""Heatmaps: a matrix as ink on the page, with tokens for labels; several of them flow side by side or below each other."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from matplotlib.axes import Axes
from matplotlib.image import AxesImage
from matplotlib.ticker import MaxNLocator

from transformer_math.errors import require
from transformer_math.plots import symbols
from transformer_math.plots.cells import Grid, scale
from transformer_math.plots.given import given_matrix, require_limit, require_names
from transformer_math.plots.numbers import Real
from transformer_math.plots.picture import Picture, described
from transformer_math.plots.style import DIVERGING, SEQUENTIAL


def heatmap(
    values: np.ndarray,
    alt: str,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    title: str = "",
    xlabel: str = "",
    ylabel: str = "",
    limit: Real | None = None,
    caption: str = "",
) -> Picture:
    """Draw one matrix. Numbers of both signs get two hues around zero, others one; `limit` fixes the ends of the scale."""
    return heatmaps(
        {title: values},
        alt,
        rows,
        columns,
        limit,
        caption,
        xlabel=xlabel,
        ylabel=ylabel,
    )


def heatmaps(
    matrices: Mapping[str, np.ndarray],
    alt: str,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    limit: Real | None = None,
    caption: str = "",
    xlabel: str = "",
    ylabel: str = "",
) -> Picture:
    """Draw several matrices on one scale, each under its name, as many in a row as there is room for.

    The scale stands beside one and below several; masks, of True and False, need none. Raises ValueError for what is no
    matrix of real numbers, for names that are not as many as rows and columns, and for a `limit` that is not above 0.
    """
    require(
        len(matrices) > 0,
        "there is no matrix to draw. Fix: pass {name: matrix}, one at least.",
    )
    require_limit(limit)
    given = {name: _named(m, rows, columns) for name, m in matrices.items()}
    finite = np.concatenate([m[np.isfinite(m)] for m in given.values()])
    top = limit or float(np.abs(finite).max(initial=0.0)) or 1.0
    panels = [
        _panel(name, Grid(m, rows, columns, xlabel, ylabel, top))
        for name, m in given.items()
    ]
    if all(np.asarray(m).dtype == bool for m in matrices.values()):
        return described(panels, alt, caption)
    low = -top if (finite < 0).any() else 0.0
    bar = scale(low, top if low == 0 or (finite > 0).any() else 0.0)
    if len(panels) == 1:
        return described([*panels, ("", bar)], alt, caption)
    return replace(described(panels, alt, caption), scale=bar)


def _named(
    values: np.ndarray, rows: Sequence[str] | None, columns: Sequence[str] | None
) -> np.ndarray:
    """A matrix that has a row and a column for each name."""
    found = given_matrix(values)
    require_names(rows, found.shape[:1], "rows")
    require_names(columns, found.shape[1:], "columns")
    return found


def _panel(name: str, grid: Grid) -> tuple[str, str]:
    """A title above the cells, not above cells and names together; and the drawing."""
    title = symbols.html(name)
    if title and grid.rows is not None:
        title = (
            f'<span style="display:block;padding-left:{grid.left:.0f}px">{title}</span>'
        )
    return title, grid.svg()


def draw(
    axes: Axes,
    values: np.ndarray,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    limit: Real | None = None,
    signed: bool | None = None,
) -> AxesImage:
    """Draw a matrix into given axes, row 0 on top; −inf stays empty."""
    require_limit(limit)
    values = _named(values, rows, columns)
    finite = np.where(np.isfinite(values), values, np.nan)
    top = limit or float(np.nanmax(np.abs(finite))) or 1.0
    signed = bool(np.nanmin(finite) < 0) if signed is None else signed
    n, m = values.shape
    image = axes.imshow(
        finite,
        cmap=DIVERGING if signed else SEQUENTIAL,
        vmin=float(-top) if signed else 0,
        vmax=float(top),
        aspect="auto" if rows is not None and m > 2 * n else "equal",
        interpolation="none",
    )
    axes.spines[:].set_visible(True)
    axes.spines[:].set_linewidth(0.3)
    axes.tick_params(length=0 if rows is not None else 2)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator("auto", integer=True, steps=[1, 2, 5, 10]))
    if rows is not None:
        axes.set_yticks(range(len(rows)), rows)
    if columns is not None:
        axes.set_xticks(
            range(len(columns)),
            columns,
            rotation=90 if max(map(len, columns)) > 2 else 0,
            ha="center",
        )
    return image
