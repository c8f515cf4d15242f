"""The formula of the sinusoids, to be edited."""

from transformer_math.explorables.editing.offer import Offer, View
from transformer_math.explorables.editing.sentence import TOKENS

NUMBERED = [f"{i} {token}" for i, token in enumerate(TOKENS)]


OFFERS = {
    "eq-sinusoidal": Offer(
        "Sinusoids",
        lambda: [(len(TOKENS), 16)],
        lambda: View("heatmap", "result", "the encoding P", NUMBERED, [str(c) for c in range(16)], ("position", "dimension")),
        {
            "Cosine first": [(r"2i} = \sin", r"2i} = \cos"), (r"2i+1} = \cos", r"2i+1} = \sin")],
            "Sine for cosine": [(r"\cos", r"\sin")],
            "Count from 1": [(r"pos\; \omega_i", r"(pos + 1)\, \omega_i")],
            "All waves alike": [(r"\omega_i", r"\omega_0")],
            "A speed for each dimension": [(r"\cos(pos\; \omega_i)", r"\cos(pos \; b^{-(2i+1)/d_{\text{model}}})")],
            "Sines left, cosines right": [(r"\,2i}", r"\,i}"), (r"\,2i+1}", r"\,i + d_{\text{model}}/2}")],
            "Divide by ω": [(r"pos\; \omega_i", r"pos / \omega_i")],
        },
        lines=4,
    ),
}  # fmt: skip
