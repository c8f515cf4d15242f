"""The formula of RoPE's scores, to be edited."""

from collections.abc import Callable

import numpy as np

from transformer_math.explorables.editing.offer import Offer, View
from transformer_math.position import frequencies, rope, sinusoidal

PLACES = 9


def query_and_key() -> list[tuple]:
    """The chapter's untrained query and key, at every pair of the sentence's first places: one call for each."""
    q, k = np.random.default_rng(6).normal(size=(2, 8)).round(2)
    places = [(i, j) for i in range(PLACES) for j in range(PLACES)]
    return [(x[None], np.array([float(at)])) for i, j in places for x, at in ((q, i), (k, j))]  # fmt: skip


def scores(one: Callable) -> np.ndarray:
    """The score of a query and a key at every pair of places, by some formula."""
    calls = query_and_key()
    pairs = zip(calls[::2], calls[1::2])
    return np.array([one(q[0], k[0], i[0], j[0]) for (q, i), (k, j) in pairs])


def turned(x: np.ndarray, at: float) -> np.ndarray:
    """One vector, turned."""
    return rope(x[None], np.array([at]))[0]


def sines_for_cosines(q: np.ndarray, k: np.ndarray, i: float, j: float) -> float:
    """The right side of the formula with a sine in place of its cosine."""
    pairs = q[::2] * k[::2] + q[1::2] * k[1::2] + q[1::2] * k[::2] - q[::2] * k[1::2]
    return np.sin((j - i) * frequencies(len(q))) @ pairs


def one_sided() -> list[tuple[str, dict]]:
    """Mistakes with the query alone, with the key alone, or on the right side alone."""
    both = scores(lambda q, k, i, j: turned(q, i) @ turned(k, j))
    right = scores(sines_for_cosines)
    return [
        (AGAINST, {"result": scores(lambda q, k, i, j: turned(q, i) @ turned(k, -j))}),
        (ALONE, {"result": scores(lambda q, k, i, j: turned(q, i) @ k)}),
        (SINES, {"result": np.where(np.abs(right - both) > 0, right, both)}),
    ]


AGAINST = (
    "Query and key turn against each other: the angles add up, and the score sees i + j. Turn both the same way, and "
    "j − i remains."
)
ALONE = "You turn the query alone: the score sees i, and not where the key stands."
SINES = (
    "The left side is right. A sine stands for the cosine on the right: at the same place, j − i = 0, nothing would be left "
    "of q · k."
)


OFFERS = {
    "eq-rope-relative": Offer(
        "RoPE",
        query_and_key,
        lambda: View("heatmap", "result", "the score ⟨Rᵢ q, Rⱼ k⟩", *[[str(i) for i in range(PLACES)]] * 2, ("i", "j"), limit=6.0),
        {
            "Turn the key the other way": [(r"R_j\, k", r"R_j^\top k")],
            "Turn the query alone": [(r"R_j\, k", "k")],
            "Turn neither": [(r"R_i\, q", "q"), (r"R_j\, k", "k")],
            "Add positions, turn nothing": [(r"R_i\, q", "(q + P_i)"), (r"R_j\, k", "(k + P_j)")],
            "Square the positions": [(r"R_i\, q", r"R_{i^2}\, q"), (r"R_j\, k", r"R_{j^2}\, k")],
            "Swap i and j on the right": [("(j - i)", "(i - j)")],
            "Sine for cosine": [(r"\cos", r"\sin")],
        },
        lines=7,
        extra=lambda: {"P": sinusoidal(PLACES, 8)},
        mistakes=one_sided,
    ),
}  # fmt: skip
