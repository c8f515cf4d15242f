"""Edit a formula of the book and see what it gives on the chapter's numbers, beside what the right one gives."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import traitlets

from transformer_math import palette
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Choice, Weights
from transformer_math.explorables._words import plural
from transformer_math.explorables.editing._example import example
from transformer_math.explorables.editing.offer import View
from transformer_math.explorables.editing.offers import OFFERS
from transformer_math.formulas.engine import katex_script
from transformer_math.formulas.shipped import shipped
from transformer_math.quantised import pack


def packed_formulas() -> bytes:
    """All formulas of the book, which may call each other, as JSON."""
    return pack({"formulas": json.dumps(shipped(), ensure_ascii=False)})


def send_katex(widget: Explorable, content: Any, _buffers: Any) -> None:
    """Send KaTeX's script to a widget whose page asks for it."""
    if content == {"library": "katex"}:
        widget.send(content, [katex_script().read_bytes()])


class FormulaExplorable(Explorable):
    """A formula of the book in a field: it is typeset and run as the reader types.

    `equation` is the label of one that an idea offers, in `editing/<group>/<idea>.py`. `latex` is what stands in the
    field; empty, it is the formula as the book prints it. The page runs it as the build does, on the example that travels
    with it. In Jupyter, Python sends KaTeX when the page asks for it.

    >>> FormulaExplorable("eq-gelu").equation
    'eq-gelu'
    """

    equation = Choice({label: offer.title for label, offer in OFFERS.items()})
    equation.tag(in_python=True)  # its example comes from there: no address sets it
    latex = traitlets.Unicode("").tag(sync=True)
    example = traitlets.Dict(read_only=True).tag(sync=True)
    printed_formulas = Weights(packed_formulas)

    def __init__(self, equation: str = "eq-attention", latex: str = "", **kwargs: Any):
        super().__init__(equation=equation, **kwargs)
        self.latex = latex
        self.on_msg(send_katex)

    @traitlets.default("example")
    def _default_example(self) -> dict:
        return example(self.equation)

    @traitlets.observe("equation")
    def _change_example(self, _change: dict) -> None:
        self.latex = ""
        self.set_trait("example", example(self.equation))

    @property
    def view(self) -> View:
        """How the result is shown."""
        return OFFERS[self.equation].view()

    @property
    def right(self) -> np.ndarray:
        """What the book's function gives: what is shown, as rows and columns."""
        view = self.view
        numbers = [np.ravel(case["wanted"][view.name]) for case in self.example["cases"]]  # fmt: skip
        return np.reshape(numbers, (len(view.rows), len(view.columns)))

    def description(self) -> str:
        """What is shown, and its extremes."""
        view, right = self.view, self.right
        title = OFFERS[self.equation].title
        lowest, highest = (
            f"{number:.2f} ({self._places(number)})"
            for number in (right.min(), right.max())
        )
        return (
            f"{title}: {view.caption} on the chapter’s numbers, {right.shape[0]} × {right.shape[1]}, from {lowest} "
            f"to {highest}. Where scripts run, the formula can be edited."
        )

    def _places(self, number: float) -> str:
        """Where a number stands: the first place, and how many others there are."""
        view = self.view
        places = np.argwhere(np.isclose(self.right, number, rtol=0, atol=1e-12))
        axes = zip(view.place, (view.rows, view.columns), places[0])
        first = ", ".join(f"{word} {numbered(names, at)}" for word, names, at in axes if word)  # fmt: skip
        others = len(places) - 1
        more = f", and {plural(others, 'other place')}" if others else ""
        return f"{first}{more}"

    def heights(self) -> tuple[str, str]:
        """Formula, field, buttons, words, results, tasks, below each other; where it is wide, all in two columns."""
        offer, view = OFFERS[self.equation], self.view
        buttons = len(offer.edits) + 1
        formula, rows = 26 * offer.lines, -(-buttons // 2)
        narrow = formula + 24 + FIELD + ROW * rows + SAYS[0] + TASKS
        wide = max(formula + FIELD_BESIDE, ROW_BESIDE * rows - 8) + SAYS[1]
        one, half = PICTURES[view.kind](view)
        return f"calc({narrow}px + 2 * ({one}))", f"calc({wide}px + {half})"

    def still(self) -> str:
        """What the right formula gives."""
        return STILLS[self.view.kind](self.view, self.right)


FIELD = 200
ROW = 60
FIELD_BESIDE, ROW_BESIDE = 90, 44
SAYS = (137, 96)
TASKS = 160


def heatmap_heights(view: View) -> tuple[str, str]:
    """Cells are as wide as there is room, and square."""
    left, top = margins(view)
    rows, columns = len(view.rows), len(view.columns)
    cell = f"min({{}}px, ({{}} - {left}px) / {columns})"
    one, two = (
        cell.format(36, "100cqi"),
        cell.format(15, "(min(100cqi, 56rem) - 32px) / 2"),
    )
    return f"{top + 30}px + {rows} * {one}", f"({top + 30}px + {rows} * {two})"


def margins(view: View) -> tuple[int, int]:
    """The room for the names of rows and of columns, as `pictures.js` leaves it."""
    left = 84 if max(map(len, view.rows)) > 2 else 24
    return left, 88 if max(map(len, view.columns)) > 2 else 24


def table_heights(view: View) -> tuple[str, str]:
    """A line for each row, and one for the head."""
    height = f"{30 + 30 * (len(view.rows) + 1)}px"
    return height, height


def curve_heights(view: View) -> tuple[str, str]:
    """Both curves stand in one picture."""
    return "129px", "262px"


PICTURES = {
    "heatmap": heatmap_heights,
    "table": table_heights,
    "curve": curve_heights,
}


def heatmap_still(view: View, right: np.ndarray) -> str:
    """Ink for each number."""
    n, m, left, cell = *right.shape, 120, 26
    middles = [18 + (i + 0.5) * cell + 4 for i in range(n)]
    rows = [_svg.text(left - 8, y, name, "end") for y, name in zip(middles, view.rows)]
    box = {"x": left, "y": 18, "width": m * cell, "height": n * cell}
    cells = _svg.ink((right / view.limit).clip(-1, 1), **box)
    return _svg.picture(left + m * cell + 10, n * cell + 26, *rows, cells)


def table_still(view: View, right: np.ndarray) -> str:
    """The numbers themselves."""
    lines = [
        _svg.text(130 + 90 * j if j else 20, 24 + 26 * i, cell, "end" if j else "start")
        for i, row in enumerate(zip(view.rows, right))
        for j, cell in enumerate([row[0], *(f"{x:.3f}".replace("-", "−") for x in row[1])])
    ]  # fmt: skip
    return _svg.picture(520, 26 * len(view.rows) + 12, *lines)


def curve_still(view: View, right: np.ndarray) -> str:
    """The curve."""
    x, y = np.array(view.columns), right[0]
    points = zip(40 + (x - x[0]) / np.ptp(x) * 520, 200 - (y - y.min()) / np.ptp(y) * 180)  # fmt: skip
    return _svg.picture(600, 220, _svg.curve(points, palette.ROLES["query"]))


STILLS = {"heatmap": heatmap_still, "table": table_still, "curve": curve_still}


def numbered(names: Sequence, at: int) -> str:
    """A name, with its place where another one is the same.

    >>> numbered(["my", "whale", "my"], 2), numbered(["my", "whale", "my"], 1)
    ('my (2)', 'whale')
    """
    name = names[at]
    return f"{name} ({at})" if list(names).count(name) > 1 else f"{name}"
