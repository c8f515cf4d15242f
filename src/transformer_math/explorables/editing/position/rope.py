"""The formula of RoPE's scores, to be edited."""

import numpy as np

from transformer_math.explorables.editing.offer import Offer, View
from transformer_math.position import sinusoidal

PLACES = 9


def query_and_key() -> list[tuple]:
    """The chapter's untrained query and key, at every pair of the sentence's first places: one call for each."""
    q, k = np.random.default_rng(6).normal(size=(2, 8)).round(2)
    places = [(i, j) for i in range(PLACES) for j in range(PLACES)]
    return [(x[None], np.array([float(at)])) for i, j in places for x, at in ((q, i), (k, j))]  # fmt: skip


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
    ),
}  # fmt: skip
