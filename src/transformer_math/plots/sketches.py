"""A curve that the reader draws before the computed one opens; then both stand in one picture, with the distance between them."""

import json
from collections.abc import Sequence

import numpy as np

from transformer_math.errors import require
from transformer_math.plots.hidden import mark, veil
from transformer_math.plots.numbers import cell, short
from transformer_math.plots.questions import Question, rich

POINTS = 9  # that the reader moves
CLOSE = 0.08  # of the height of the picture, on average


def sketch(
    text: str,
    xs: Sequence[float],
    curve: Sequence[float],
    low: float,
    high: float,
    names: tuple[str, str] = ("x", "y"),
    because: str = "",
) -> Question:
    """A prediction that is drawn: the reader moves points over `xs`, from `low` to `high`, and sees how far off they are.

    The places `xs` stand at equal distances, so that their spacing is the scale: `np.geomspace` makes a logarithmic one.
    `names` are those of the two axes. The verdict is computed in the page, from the drawn points and the hidden curve.
    """
    places, ys = np.asarray(xs, float), np.asarray(curve, float)
    _can_be_drawn(text, places, ys, low, high)
    salt, drawn = mark(text), _moved(len(places))
    said = json.dumps([ys.round(6).tolist(), rich(because)], ensure_ascii=False)
    data = {
        "kind": "sketch",
        "salt": salt,
        "replies": {mark(f"{salt}|result"): veil(said, f"{salt}|result")},
        "names": [*names],
        "range": [low, high],
        "close": CLOSE,
        "points": [[int(i), _named(float(places[i]))] for i in drawn],
        "last": len(places) - 1,
    }
    wrong = low if np.mean(ys) > (low + high) / 2 else high
    typed = ("right", ys[drawn].tolist()), ("wrong", [float(wrong)] * len(drawn))
    return Question(text, data, typed)


def _moved(n: int) -> np.ndarray:
    """The places of the points that are moved, among n."""
    return np.linspace(0, n - 1, min(n, POINTS)).round().astype(int)


def _named(x: float) -> str:
    return cell(round(x)) if x.is_integer() else short(x)


def _can_be_drawn(text, xs, curve, low: float, high: float) -> None:
    require(
        xs.shape == curve.shape and len(xs) >= 3,
        f"“{text}”: {xs.shape} places and {curve.shape} values. Fix: one value for each place, three or more.",
    )
    lowest, highest = float(curve.min()), float(curve.max())
    require(
        low <= lowest and highest <= high,
        f"“{text}”: the curve runs from {lowest} to {highest}, the picture from {low} to {high}. Fix: a higher picture.",
    )
    require(
        float(np.abs(curve - (low + high) / 2).mean()) > CLOSE * (high - low),
        f"“{text}”: a level line through the middle would be right. Fix: another range.",
    )
