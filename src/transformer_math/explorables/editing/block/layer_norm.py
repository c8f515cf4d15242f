"""The formula of LayerNorm, to be edited."""

import numpy as np

from transformer_math.block import NormParameters
from transformer_math.explorables.editing.offer import Offer, View

THREE = ["only", "opinion", "only ÷ 10⁴"]


def three_tokens() -> list[tuple]:
    """The two tokens of the page's example, and the first once more, ten thousand times smaller; γ and β as if learned."""
    x = np.array([[10.0, 4, 2, -4], [3, 5, 3, 5], [1e-3, 4e-4, 2e-4, -4e-4]])
    gamma, beta = np.array([1.0, 2, 0.5, 1]), np.array([0.0, 0, 1, 0])
    return [(x, NormParameters(gamma, beta))]


OFFERS = {
    "eq-layer-norm": Offer(
        "LayerNorm",
        three_tokens,
        lambda: View("table", "result", "γ = 1, 2, ½, 1 and β = 0, 0, 1, 0", THREE, ["0", "1", "2", "3"], ("token", "dimension")),
        {
            "ε outside the root": [(r"\sqrt{\sigma^2 + \varepsilon}", r"\sqrt{\sigma^2} + \varepsilon")],
            "Divide by d − 1": [(r"\sigma^2 = \frac{1}{d}", r"\sigma^2 = \frac{1}{d - 1}")],
            "Keep the mean": [(r"\frac{x - \mu}", r"\frac{x}"), (r"(x_j - \mu)^2", r"x_j^2")],
            "Without the root": [(r"\sqrt{\sigma^2 + \varepsilon}", r"\sigma^2 + \varepsilon")],
            "Without ε": [(r" + \varepsilon", "")],
            "Without γ": [(r"\gamma \odot ", "")],
            "Without β": [(r" + \beta", "")],
            "β before γ": [(r"\frac{x - \mu}", r"\left(\frac{x - \mu}"), (r"+ \beta", r"+ \beta\right)")],
        },
        lines=9,
        stated=("varepsilon",),
    ),
}  # fmt: skip
