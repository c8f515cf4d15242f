"""Heatmaps: a matrix as colours, with tokens for labels where there are few enough to read."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from transformer_math.plots.picture import Picture, canvas, picture
from transformer_math.plots.style import DIVERGING, SEQUENTIAL


def heatmap(
    values: np.ndarray,
    alt: str,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    title: str = "",
    xlabel: str = "",
    ylabel: str = "",
    limit: float | None = None,
    caption: str = "",
) -> Picture:
    """Draw one matrix. Numbers of both signs get two hues around zero, others one; `limit` fixes the ends of the scale."""
    n, m = values.shape
    width, height = _size(n, m, rows is not None)
    figure, axes = canvas(width + 0.9, height)
    image = draw(axes, values, rows, columns, limit)
    axes.set(title=title, xlabel=xlabel, ylabel=ylabel)
    figure.colorbar(image, ax=axes, shrink=0.85, pad=0.03).outline.set_linewidth(0)
    return picture(figure, alt, caption)


def heatmaps(
    matrices: Mapping[str, np.ndarray],
    alt: str,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    limit: float | None = None,
    caption: str = "",
    per_row: int = 2,
) -> Picture:
    """Draw several matrices of one shape on one scale, `per_row` in a row, each under its name."""
    largest = limit or max(
        float(np.abs(values[np.isfinite(values)]).max()) for values in matrices.values()
    )
    signed = any(
        (values[np.isfinite(values)] < 0).any() for values in matrices.values()
    )
    n_rows = -(-len(matrices) // per_row)
    width, height = _size(*next(iter(matrices.values())).shape, rows is not None)
    figure, grid = canvas(
        per_row * min(width, 3.3) + 0.7,
        n_rows * (min(height, 3.0) + 0.3),
        n_rows,
        per_row,
        squeeze=False,
    )
    for axes, (name, values) in zip(grid.flat, matrices.items()):
        image = draw(axes, values, rows, columns, largest, signed)
        axes.set_title(name)
    for axes in grid.flat[len(matrices) :]:
        axes.set_axis_off()
    figure.colorbar(image, ax=grid, shrink=0.8, pad=0.02).outline.set_linewidth(0)
    return picture(figure, alt, caption)


def draw(
    axes: Axes,
    values: np.ndarray,
    rows=None,
    columns=None,
    limit: float | None = None,
    signed: bool | None = None,
):
    """Draw a matrix into given axes, row 0 on top; −inf stays empty."""
    finite = np.where(np.isfinite(values), values, np.nan)
    top = limit or float(np.nanmax(np.abs(finite))) or 1.0
    signed = bool(np.nanmin(finite) < 0) if signed is None else signed
    image = axes.imshow(
        finite,
        cmap=DIVERGING if signed else SEQUENTIAL,
        vmin=-top if signed else 0,
        vmax=top,
        aspect="auto",
        interpolation="none",
    )
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0 if rows is not None else 2)
    if rows is not None:
        axes.set_yticks(range(len(rows)), rows)
    if columns is not None:
        axes.set_xticks(
            range(len(columns)),
            columns,
            rotation=45 if max(map(len, columns)) > 3 else 0,
            ha="center",
        )
    return image


def _size(n: int, m: int, labelled: bool) -> tuple[float, float]:
    cell = 0.42 if labelled else 0.09
    return float(np.clip(m * cell + 1, 2.2, 5.4)), float(
        np.clip(n * cell + 0.9, 1.5, 4.2)
    )
