"""Drag a query among keys, and see the angles become scores, weights, and a mix of the values."""

import numpy as np

from transformer_math import palette
from transformer_math.attention import attention
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Numbers

LONGEST = 2.6  # the most that a coordinate can be


class GeometryExplorable(Explorable):
    """One query among four keys in the plane, and the four values that it mixes.

    `query` holds two numbers, `key` and `value` hold eight: the two of each vector, one after the other. So d_k = 2.

    >>> GeometryExplorable(query=[0.0, 0.0]).weights.tolist()
    [0.25, 0.25, 0.25, 0.25]
    """

    query = Numbers([0.9, 0.7], LONGEST)
    key = Numbers([2.0, 0.4, 0.5, 2.2, -1.8, 1.0, -0.6, -1.9], LONGEST)
    value = Numbers([2.4, 0.8, -0.6, 2.3, -2.2, -0.8, 1.2, -2.2], LONGEST)

    @property
    def weights(self) -> np.ndarray:
        """The weights of the four keys (4,)."""
        return self._output_and_weights()[1]

    @property
    def output(self) -> np.ndarray:
        """The weighted sum of the values (2,)."""
        return self._output_and_weights()[0]

    def _output_and_weights(self) -> tuple[np.ndarray, np.ndarray]:
        Q, K, V = (np.reshape(x, (-1, 2)) for x in (self.query, self.key, self.value))
        O, A = attention(Q, K, V)
        return O[0], A[0]

    def description(self) -> str:
        """The query, its weights and the output."""
        q, o = (", ".join(f"{x:.2f}" for x in pair) for pair in (self.query, self.output))  # fmt: skip
        shares = ", ".join(f"{a:.2f}" for a in self.weights)
        return (
            f"A query ({q}) among four keys in the plane. It gives them the weights {shares}; "
            f"the values, each times its weight, sum to the output ({o})."
        )

    def heights(self) -> tuple[str, str]:
        """Two planes of at most 270 pixels, a table, the tasks."""
        return "calc(591px + 2 * min(270px, 100cqi))", "570px"

    def still(self) -> str:
        """The query among the keys; the values, and the chain of their parts that ends at the output."""
        keys, values = (np.reshape(x, (-1, 2)) for x in (self.key, self.value))
        left = [_arrow(k, palette.ROLES["key"], f"k{j}") for j, k in enumerate(keys)]
        left.append(_arrow(np.array(self.query), palette.ROLES["query"], "q"))
        right = [
            _arrow(v, palette.ROLES["muted"], f"v{j}") for j, v in enumerate(values)
        ]
        chain = np.vstack([np.zeros(2), (self.weights[:, None] * values).cumsum(0)])
        right.append(
            _svg.curve(chain * [_UNIT, -_UNIT], palette.ROLES["value"], width=4)
        )
        right.append(_arrow(self.output, palette.ROLES["position"], "o"))
        halves = [
            _svg.tag("g", *part, transform=f"translate({x} 135)")
            for part, x in ((left, 160), (right, 480))
        ]
        return _svg.picture(640, 270, *halves)


_UNIT = 38


def _arrow(tip: np.ndarray, colour: str, letter: str) -> str:
    x, y = _UNIT * tip[0], -_UNIT * tip[1]
    outwards = 1 + 14 / max(float(np.hypot(x, y)), 14)
    return (
        _svg.tag("line", x2=float(x), y2=float(y), stroke=colour, stroke_width=2)
        + _svg.tag("circle", cx=float(x), cy=float(y), r=4, fill=colour)
        + _svg.text(outwards * x, outwards * y + 4, letter, fill=colour)
    )
