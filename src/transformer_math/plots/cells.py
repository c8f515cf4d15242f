"""A matrix as an SVG of square cells in ink: zero is the page itself, so one drawing serves both themes."""

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from PIL import Image

from transformer_math import palette
from transformer_math.plots import symbols
from transformer_math.plots.numbers import Real, short

WIDTH = 298  # pixels: two panels fit beside each other on a page, one on a phone
LETTER = 12  # pixels
HOVERED = 400  # up to so many cells, each is an element and says its value


@dataclass(frozen=True)
class Grid:
    """What is drawn: numbers, names of rows and columns, names of the axes, the end of the scale, one hue or two."""

    values: np.ndarray
    rows: Sequence[str] | None
    columns: Sequence[str] | None
    xlabel: str
    ylabel: str
    top: Real

    def svg(self) -> str:
        """The drawing: cells, labels that keep their distance, a thin frame."""
        n, m = self.values.shape
        left = self.left
        width, height = self._cell(left)
        angle = 0 if self._flat(width) else 90 if width < 17 else 55
        below = self._below(angle)
        right = 8 if angle == 55 or self.columns is None else 2
        box = (left + m * width + right, 6 + n * height + below)
        inside = [
            f'<g transform="translate({left:g} 6) scale({width:.4g} {height:.4g})">{self.cells()}</g>',
            frame(left, 6, m * width, n * height),
            *self._row_names(left, height),
            *self._column_names(left, 6 + n * height, width, angle),
        ]
        if self.xlabel:
            inside.append(text(left + m * width / 2, box[1] - 4, self.xlabel, "middle"))
        if self.ylabel:
            turn = f' transform="translate({LETTER - 1} {6 + n * height / 2:.4g}) rotate(-90)"'
            inside.append(text(0, 0, self.ylabel, "middle", turn))
        return drawing(*box, *inside)

    @property
    def left(self) -> Real:
        """How much room the names of the rows take."""
        names = self.rows if self.rows is not None else [str(len(self.values) - 1)]
        return max(map(width_of, names)) + 8 + (LETTER + 6) * bool(self.ylabel)

    def _cell(self, left: Real) -> tuple[Real, Real]:
        """Square, unless named rows are so long that cells of a legible height would not fit."""
        n, m = self.values.shape
        if self.rows is None and self.columns is None:
            side = min((WIDTH - left - 8) / m, 320 / n, 26)
            return side, side
        fitting = (WIDTH - left - 8) / m
        width = float(np.clip(fitting, 13 if self.columns is not None else 1, 26))
        return width, max(width, 15.0) if self.rows is not None else width

    def _flat(self, width: Real) -> bool:
        return self.columns is None or bool(
            max(map(width_of, self.columns)) < width - 3
        )

    def _below(self, angle: int) -> Real:
        names = self.columns if self.columns is not None else ["0"]
        longest = max(map(width_of, names))
        drop = LETTER + 8 if angle == 0 else longest * np.sin(np.radians(angle)) + 14
        return drop + (LETTER + 7) * bool(self.xlabel)

    def cells(self) -> str:
        """All cells, each one unit wide and high."""
        return _elements(self) if self.values.size <= HOVERED else _pixels(self)

    def name(self, i: int, j: int) -> str:
        """Where a cell stands, in words."""
        row = self.rows[i] if self.rows is not None else f"{self.ylabel or 'row'} {i}"
        column = (
            self.columns[j]
            if self.columns is not None
            else f"{self.xlabel or 'column'} {j}"
        )
        return f"{symbols.plain(row)}, {symbols.plain(column)}"

    def _row_names(self, left: Real, height: Real) -> list[str]:
        named = _named(self.rows, len(self.values), height)
        return [
            text(left - 6, 6 + (i + 0.5) * height + 4, name, "end") for i, name in named
        ]

    def _column_names(
        self, left: Real, bottom: Real, width: Real, angle: int
    ) -> list[str]:
        named = _named(self.columns, self.values.shape[1], width)
        middles = [(left + (j + 0.5) * width, name) for j, name in named]
        if angle == 0:
            return [text(x, bottom + LETTER + 3, name, "middle") for x, name in middles]
        letters = sum(len(symbols.plain(name)) == 1 for _, name in named)
        upright = letters == len(named) - 1  # letters, and one longer name
        return [
            text(x, bottom + LETTER + 3, name, "middle")
            if upright and len(symbols.plain(name)) == 1
            else text(
                0,
                0,
                name,
                "end",
                f' transform="translate({x + 4:.4g} {bottom + 9:.4g}) rotate(-{angle})"',
            )
            for x, name in middles
        ]


def _named(
    names: Sequence[str] | None, count: int, size: Real
) -> list[tuple[int, str]]:
    """The places that get a label: all that have a name, else round numbers."""
    if names is None:
        return [(i, str(i)) for i in ticks(count, size)]
    return list(enumerate(names))


def ticks(count: int, size: Real, apart: Real = 30) -> range:
    """Round numbers from 0, at least so many pixels apart; the first and the last where there is room for no more."""
    steps = (s * 10**p for p in range(5) for s in (1, 2, 5))
    step = next(step for step in steps if step * size >= apart or step >= count)
    return range(0, count, step if step < count else max(count - 1, 1))


def scale(low: Real, high: Real) -> str:
    """The bar that says which ink means which number."""
    top, parts = max(-low, high), 24
    edges = np.linspace(low, high, parts + 1)
    middles = (edges[:-1] + edges[1:]) / 2
    bar = "".join(
        f'<path d="M{i} 0h1v1h-1z" class="{_kind(value)}" fill="{_ink(value)}" fill-opacity="{abs(value) / top:.2f}"/>'
        for i, value in enumerate(middles)
    )
    marks = [(20, low), (80, (low + high) / 2), (140, high)]
    words = [text(x, 28, short(value), "middle") for x, value in marks]
    return drawing(
        160,
        32,
        f'<g transform="translate(20 4) scale(5 10)" shape-rendering="crispEdges">{bar}</g>',
        frame(20, 4, 120, 10),
        *words,
    )


def drawing(width: Real, height: Real, *inside: str) -> str:
    """An SVG in the page's font that shrinks where there is less room."""
    return (
        f'<svg viewBox="0 0 {width:.0f} {height:.0f}" style="width:{width:.0f}px;max-width:100%;height:auto" '
        f'font-size="{LETTER}" fill="currentColor" aria-hidden="true">{"".join(inside)}</svg>'
    )


def width_of(text: str) -> Real:
    """About how wide a text is, in pixels."""
    letters = symbols.plain(text)
    narrow = sum(letter in "iIjl.,;:'|! ft()" for letter in letters)
    return LETTER * (0.6 * len(letters) - 0.28 * narrow)


def text(x: Real, y: Real, content: str, anchor: str, extra: str = "") -> str:
    """Words or a number at a place, with typeset symbols."""
    return f'<text x="{x:.4g}" y="{y:.4g}" text-anchor="{anchor}"{extra}>{symbols.svg(content)}</text>'


def frame(x: Real, y: Real, width: Real, height: Real) -> str:
    """A thin frame around cells."""
    return (
        f'<rect x="{x:.4g}" y="{y:.4g}" width="{width:.4g}" height="{height:.4g}" fill="none" '
        'stroke="currentColor" stroke-opacity=".35" stroke-width=".7"/>'
    )


def _kind(value: Real) -> str:
    return "minus" if value < 0 else "plus"


def _ink(value: Real) -> str:
    return palette.MINUS if value < 0 else palette.PLUS


def _elements(grid: Grid) -> str:
    """A path for every cell, with its value for who points at it; what is masked is crossed out."""
    found: dict[str, list[str]] = {"plus": [], "minus": [], "masked": []}
    for (i, j), value in np.ndenumerate(grid.values):
        title = f"<title>{escape(grid.name(i, j))}: {short(value)}</title>"
        if not np.isfinite(value):
            found["masked"].append(f'<path d="M{j} {i + 1}l1-1">{title}</path>')
            continue
        share = min(abs(value) / grid.top, 1.0)
        found[_kind(value)].append(
            f'<path d="M{j} {i}h1v1h-1z" fill-opacity="{share:.2f}">{title}</path>'
        )
    groups = {
        "plus": f'fill="{palette.PLUS}" shape-rendering="crispEdges"',
        "minus": f'fill="{palette.MINUS}" shape-rendering="crispEdges"',
        "masked": 'stroke="currentColor" stroke-opacity=".3" stroke-width=".05"',
    }
    return "".join(
        f'<g class="{kind}" {groups[kind]}>{"".join(cells)}</g>'
        for kind, cells in found.items()
        if cells
    )


def inks(values: np.ndarray, top: Real) -> np.ndarray:
    """Numbers as an image of bytes: red, green, blue, and as much ink as the number is large."""
    safe = np.where(np.isfinite(values), values, 0.0)
    plus, minus = (
        [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
        for colour in (palette.PLUS, palette.MINUS)
    )
    colours = np.where(safe[..., None] < 0, minus, plus)
    opacity = np.clip(np.abs(safe) / top, 0, 1)[..., None] * 255
    return np.concatenate([colours, np.rint(opacity)], axis=-1).astype(np.uint8)


def _pixels(grid: Grid) -> str:
    n, m = grid.values.shape
    buffer = io.BytesIO()
    Image.fromarray(inks(grid.values, grid.top)).save(buffer, "png", optimize=True)
    data = base64.b64encode(buffer.getvalue()).decode()
    return (
        f'<image href="data:image/png;base64,{data}" width="{m}" height="{n}" preserveAspectRatio="none" '
        'style="image-rendering:pixelated"/>'
    )
