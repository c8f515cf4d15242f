"""Still pictures of what the models' explorables show: weights with their tokens, and the next tokens with their bars."""

from collections.abc import Sequence

import numpy as np

from transformer_math import palette
from transformer_math.explorables import _svg

CELL, LEFT, TOP = 20, 90, 90


def attention_map(
    weights: np.ndarray, queries: Sequence[str], keys: Sequence[str]
) -> str:
    """A heatmap: a row for each query, a column for each key."""
    rows = [
        _svg.text(LEFT - 6, TOP + (i + 0.5) * CELL + 4, name, "end")
        for i, name in enumerate(queries)
    ]
    columns = [
        _column(LEFT + (j + 0.5) * CELL + 4, TOP - 6, name)
        for j, name in enumerate(keys)
    ]
    size = {"width": len(keys) * CELL, "height": len(queries) * CELL}
    return "".join([*rows, *columns, _svg.ink(weights, x=LEFT, y=TOP, **size)])


def bars(p: np.ndarray, names: Sequence[str], x: int, y: int, step: int = 26) -> str:
    """A line for each token: its name, a bar, its probability."""
    lines = []
    for i, (name, share) in enumerate(zip(names, p)):
        line = y + step * i
        bar = {"x": x + 90, "y": line - 10, "width": float(120 * share), "height": 12}
        lines += [
            _svg.text(x + 80, line, name, "end"),
            _svg.tag("rect", fill=palette.ROLES["query"], **bar),
            _svg.text(x + 220, line, percent(share), "start"),
        ]
    return "".join(lines)


def percent(p: float) -> str:
    """A probability in per cent, written so that it is 0 only where it is.

    >>> percent(0.25), percent(1e-5), percent(0.0)
    ('25.0 %', '< 0.1 %', '0 %')
    """
    if p == 0:
        return "0 %"
    return "< 0.1 %" if p < 0.001 else f"{100 * p:.1f} %"


def likeliest(p: np.ndarray, count: int) -> list[int]:
    """The tokens with the largest probabilities, the largest first; of equal ones the smaller id first.

    >>> likeliest(np.array([0.25, 0.5, 0.25]), 2)
    [1, 0]
    """
    return np.argsort(-p, kind="stable")[:count].tolist()


def _column(x: float, y: float | int, token: str) -> str:
    return _svg.text(x, y, token, "start", transform=f"rotate(-60 {x:.1f} {y})")


def heads_room(layers: int, heads: int) -> str:
    """How high the small pictures of all heads are: squares beside the names of their layers, up to 84 pixels wide.

    >>> heads_room(4, 5)
    'min(336px, 0.8 * (100cqi - 88px))'
    """
    return f"min({84 * layers}px, {layers / heads:g} * (100cqi - {58 + 6 * heads}px))"
