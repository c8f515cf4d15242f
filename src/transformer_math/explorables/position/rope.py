"""Turn a query and a key by their positions, and see that their dot product knows only the offset."""

import numpy as np

from transformer_math import palette
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Bounded, Choice, Numbers, Whole
from transformer_math.position import frequencies, rope

MAX_D, LAST_POSITION = 16, 40
LONGEST = 1.2  # the longest vector in a plane that fits the picture


def _directions(angles: np.ndarray) -> list[float]:
    """A unit vector in each plane, side by side."""
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1).round(3).ravel().tolist()


class RopeExplorable(Explorable):
    """A query at position i and a key at position j, turned plane by plane; their offset is j - i.

    `query` and `key` hold 16 numbers, of which the first `d` take part; `plane` is the pair of dimensions in sight.
    `scale` divides all positions, as is done for texts longer than those in training.
    `chart` says whether dot products are shown over the offset or for all pairs of positions.

    >>> explorable = RopeExplorable(i=7, j=4)
    >>> before = explorable.dot_product
    >>> explorable.i, explorable.j = 10, 7
    >>> bool(np.isclose(explorable.dot_product, before))
    True
    """

    i = Whole(5, low=0, high=LAST_POSITION)
    j = Whole(3, low=0, high=LAST_POSITION)
    plane = Whole(0, low=0, below=("d", 2))
    d = Whole(8, low=2, high=MAX_D, step=2)
    base = Bounded(10000.0, low=10, high=100_000)
    scale = Whole(1, low=1, high=8)
    query = Numbers(_directions(np.full(MAX_D // 2, 0.5)), LONGEST)
    key = Numbers(_directions(np.linspace(1.1, 0.3, MAX_D // 2)), LONGEST)

    chart = Choice({"offset": "by offset", "pairs": "all pairs"})

    @property
    def rotated(self) -> np.ndarray:
        """The query (row 0) and the key (row 1) after their rotations, (2, d)."""
        both = np.array([self.query[: self.d], self.key[: self.d]])
        return rope(both, np.array([self.i, self.j]) / self.scale, self.base)

    @property
    def products(self) -> np.ndarray:
        """The dot product for every position of the query (rows) and of the key (columns), (41, 41)."""
        places = np.arange(LAST_POSITION + 1) / self.scale
        Q, K = (
            rope(np.tile(x[: self.d], (len(places), 1)), places, self.base)
            for x in (self.query, self.key)
        )
        return Q @ K.T

    @property
    def dot_product(self) -> float:
        """The dot product of the rotated vectors, over all planes."""
        return float(np.dot(*self.rotated))

    def description(self) -> str:
        """Positions, angles and the dot product."""
        omega = frequencies(self.d, self.base)[self.plane] / self.scale
        angles = [
            f"{np.degrees(position * omega):.0f}°" for position in (self.i, self.j)
        ]
        return (
            f"Plane {self.plane} of a rotary embedding: the query at position {self.i} is turned by {angles[0]}, "
            f"the key at {self.j} by {angles[1]}; their dot product over all planes is {self.dot_product:.2f}."
        )

    def heights(self) -> tuple[str, str]:
        """The plane is at most 300 pixels wide and high."""
        return "calc(935px + min(300px, 100cqi))", "609px"

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
