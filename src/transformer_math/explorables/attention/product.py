"""A product of two matrices: point at one of its numbers, and see the row and the column that made it."""

import re
from typing import Any

import numpy as np
import traitlets

from transformer_math import palette
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Whole, require

MOST = 5  # rows, columns, and terms of a sum, that there is room for
_LINE = 28


def _in_words(symbol: str) -> str:
    """A symbol for a sentence, which sets no index: `W₂` of `W_2`."""
    return re.sub(r"_(\d)", lambda found: "₀₁₂₃₄₅₆₇₈₉"[int(found[1])], symbol)


class Rows(traitlets.List):
    """A small matrix as a list of rows; arrays are taken too."""

    def __init__(self, default: list[list[float]]):
        super().__init__(default, read_only=True)
        self.tag(sync=True)

    def validate(self, obj: Any, value: Any) -> list[list[float]]:
        """The rows, unless they are no matrix of a size that there is room for, or a number is not finite."""
        numbers = np.array(value, float)
        require(
            numbers.ndim == 2 and numbers.size > 0 and max(numbers.shape) <= MOST,
            f"{self.name} has the shape {numbers.shape}; wanted up to {MOST} rows and columns. Fix: show a part of it.",
        )  # fmt: skip
        require(
            bool(np.isfinite(numbers).all()),
            f"{self.name} holds NaN or ∞; wanted finite numbers.",
        )
        return super().validate(obj, numbers.tolist())


class ProductExplorable(Explorable):
    """The product of `left` and `right`, with the sum behind its number in (`row`, `column`).

    `symbols` name left factor, right factor and product; `rows` and `columns` name those of the product, their numbers
    if nothing is given. `formula` is the sum in short (`!` and `?` mark the factors of its terms), `code` the line that
    computes it. All of these are given when it is made; `row` and `column` can be set later too.

    >>> ProductExplorable(left=[[1, 2]], right=[[3], [4]]).product
    array([[11.]])
    """

    left = Rows([[2, 0, 2, 0], [0, 2, 0, 2], [1, 1, 1, 1]])
    right = Rows([[1, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1]])
    symbols = traitlets.List(["Q", "Kᵀ", "QKᵀ"], read_only=True).tag(sync=True)
    rows = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)
    columns = traitlets.List(traitlets.Unicode(), read_only=True).tag(sync=True)
    formula = traitlets.Unicode("(Q K^⊤)_ij = Σ_k !Q_ik ?K_jk", read_only=True).tag(
        sync=True
    )
    code = traitlets.Unicode("Q @ K.T", read_only=True).tag(sync=True)
    row = Whole(0, low=0, high=MOST - 1)
    column = Whole(0, low=0, high=MOST - 1)

    def __init__(self, row: int = 0, column: int = 0, **given: Any) -> None:
        super().__init__(row=row, column=column)
        for name, value in given.items():
            self.set_trait(name, value)
        n, m = self.product.shape
        self.set_trait("rows", self.rows or [str(i) for i in range(n)])
        self.set_trait("columns", self.columns or [str(j) for j in range(m)])
        require(
            (len(self.rows), len(self.columns)) == (n, m),
            f"{len(self.rows)} names of rows and {len(self.columns)} of columns came for a product of shape {(n, m)}. "
            "Fix: give one for each.",
        )

    @property
    def product(self) -> np.ndarray:
        """Left times right."""
        left, right = np.array(self.left), np.array(self.right)
        require(
            left.shape[1] == right.shape[0],
            f"left has {left.shape[1]} columns and right {right.shape[0]} rows; wanted as many. Fix: transpose one of them.",
        )
        return left @ right

    @property
    def number(self) -> float:
        """The number in sight."""
        n, m = self.product.shape
        return float(self.product[min(self.row, n - 1), min(self.column, m - 1)])

    def description(self) -> str:
        """The shapes, and the number in sight."""
        left, right, product = map(_in_words, self.symbols)
        shapes = [" by ".join(map(str, np.shape(X))) for X in (self.left, self.right)]
        n, m = self.product.shape
        i, j = min(self.row, n - 1), min(self.column, m - 1)
        return (
            f"{left}, {shapes[0]}, times {right}, {shapes[1]}, gives {product}. Row {self.rows[i]}, column {self.columns[j]} "
            f"of it is {self.number:.2f}."
        )

    def heights(self) -> tuple[str, str]:
        """The three matrices, and the sum below or beside them."""
        grid, terms = _LINE * (1 + len(self.right) + len(self.left)), len(self.right)
        sum_ = 136 + 21 * terms
        return f"{grid + sum_ + 360}px", f"{max(grid, sum_) + 140}px"

    def still(self) -> str:
        """The three matrices, row and column in sight in colour."""
        A, B, C = np.array(self.left), np.array(self.right), self.product
        (n, k), m, cell = A.shape, B.shape[1], 56
        i, j = min(self.row, n - 1), min(self.column, m - 1)
        ways = [
            (A, k + 1, 0, lambda r, c: r == i, palette.ROLES["query"]),
            (B, 1, k, lambda r, c: c == j, palette.ROLES["key"]),
            (C, k + 1, k, lambda r, c: (r, c) == (i, j), palette.ROLES["content"]),
        ]
        x, y, width = 130, 18, 150 + cell * (k + m - 1)
        parts = [
            _svg.text(
                x + cell * (c0 + c), y + _LINE * (r0 + r), f"{X[r, c]:.2f}", "end",
                fill=colour if lit(r, c) else palette.INK,
            )
            for X, r0, c0, lit, colour in ways
            for r, c in np.ndindex(X.shape)
        ]  # fmt: skip
        parts += [
            _svg.text(70, y + _LINE * (k + 1 + r), name, "end")
            for r, name in enumerate(self.rows)
        ]
        parts += [
            _svg.text(x + cell * (k + c), y, name, "end")
            for c, name in enumerate(self.columns)
        ]
        centred = _svg.tag("g", *parts, transform=f"translate({(700 - width) / 2:.0f})")
        return _svg.picture(700, y + _LINE * (k + n) + 12, centred)
