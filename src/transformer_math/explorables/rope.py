"""Turn a query and a key by their positions, and see that their dot product knows only the offset."""

import numpy as np
import traitlets

from transformer_math import palette
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable, module, require
from transformer_math.position import frequencies, rope

MAX_D, LAST_POSITION = 16, 40


def _directions(angles: np.ndarray) -> list[float]:
    """A unit vector in each plane, side by side."""
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1).round(3).ravel().tolist()


class RopeExplorable(Explorable):
    """A query at position m and a key at position n, turned plane by plane.

    `query` and `key` hold 16 numbers, of which the first `d` take part; `plane` is the pair of dimensions in sight.

    >>> explorable = RopeExplorable(m=7, n=4)
    >>> before = explorable.dot_product
    >>> explorable.m, explorable.n = 10, 7
    >>> bool(np.isclose(explorable.dot_product, before))
    True
    """

    idea = "rope"
    _esm = module(idea)

    m = traitlets.Int(5).tag(sync=True)
    n = traitlets.Int(3).tag(sync=True)
    plane = traitlets.Int(0).tag(sync=True)
    d = traitlets.Int(8).tag(sync=True)
    base = traitlets.Float(10000.0).tag(sync=True)
    query = traitlets.List(
        traitlets.Float(), _directions(np.full(MAX_D // 2, 0.5))
    ).tag(sync=True)
    key = traitlets.List(
        traitlets.Float(), _directions(np.linspace(1.1, 0.3, MAX_D // 2))
    ).tag(sync=True)

    @traitlets.validate("m", "n")
    def _position(self, proposal: dict) -> int:
        name, value = proposal["trait"].name, proposal["value"]
        require(
            0 <= value <= LAST_POSITION,
            f"{name} is {value}; wanted a position in 0..{LAST_POSITION}.",
        )
        return value

    @traitlets.validate("d")
    def _even(self, proposal: dict) -> int:
        d = proposal["value"]
        require(
            2 <= d <= MAX_D and d % 2 == 0,
            f"d is {d}; wanted an even number in 2..{MAX_D}: planes have two axes.",
        )
        return d

    @traitlets.validate("plane")
    def _inside(self, proposal: dict) -> int:
        plane = proposal["value"]
        require(
            0 <= plane < self.d // 2,
            f"plane is {plane}; wanted 0..{self.d // 2 - 1}. Fix: a larger d has more planes.",
        )
        return plane

    @traitlets.validate("base")
    def _base(self, proposal: dict) -> float:
        require(
            10 <= proposal["value"] <= 100_000,
            f"base is {proposal['value']}; wanted 10..100000; the usual is 10000.",
        )
        return proposal["value"]

    @traitlets.validate("query", "key")
    def _long_enough(self, proposal: dict) -> list[float]:
        name, size = proposal["trait"].name, len(proposal["value"])
        require(
            size == MAX_D,
            f"{name} has {size} numbers; wanted {MAX_D}. Fix: fill up with zeros; the first d count.",
        )
        return proposal["value"]

    @traitlets.observe("d")
    def _keep_plane(self, _change: dict) -> None:
        self.plane = min(self.plane, self.d // 2 - 1)

    @property
    def rotated(self) -> np.ndarray:
        """The query (row 0) and the key (row 1) after their rotations, (2, d)."""
        both = np.array([self.query[: self.d], self.key[: self.d]])
        return rope(both, np.array([self.m, self.n], dtype=float), self.base)

    @property
    def dot_product(self) -> float:
        """The dot product of the rotated vectors, over all planes."""
        return float(np.dot(*self.rotated))

    def description(self) -> str:
        """Positions, angles and the dot product."""
        omega = frequencies(self.d, self.base)[self.plane]
        angles = [
            f"{np.degrees(position * omega):.0f}°" for position in (self.m, self.n)
        ]
        return (
            f"Plane {self.plane} of a rotary embedding: the query at position {self.m} is turned by {angles[0]}, "
            f"the key at {self.n} by {angles[1]}; their dot product over all planes is {self.dot_product:.2f}."
        )

    def still(self) -> str:
        """The unit circle with both vectors, before (dashed) and after."""
        radius, planes = 100, slice(2 * self.plane, 2 * self.plane + 2)
        arrows = []
        for letter, before, after in zip("qk", (self.query, self.key), self.rotated):
            colour = palette.ROLES["query" if letter == "q" else "key"]
            arrows.append(
                _line(
                    radius * np.array(before[planes]),
                    colour,
                    1.5,
                    stroke_dasharray="4 4",
                )
            )
            tip = radius * after[planes]
            arrows.append(
                _line(tip, colour, 3)
                + _svg.tag(
                    "circle", cx=float(tip[0]), cy=float(-tip[1]), r=5, fill=colour
                )
            )
            arrows.append(
                _svg.text(1.15 * tip[0], 5 - 1.15 * tip[1], f"{letter}′", fill=colour)
            )
        circle = _svg.tag(
            "circle", r=radius, fill="none", stroke=palette.INK, opacity=0.3
        )
        return _svg.picture(
            640, 270, _svg.tag("g", circle, *arrows, transform="translate(320 135)")
        )


def _line(tip: np.ndarray, colour: str, width: float | int, **attributes: str) -> str:
    return _svg.tag(
        "line",
        x2=float(tip[0]),
        y2=float(-tip[1]),
        stroke=colour,
        stroke_width=width,
        **attributes,
    )
