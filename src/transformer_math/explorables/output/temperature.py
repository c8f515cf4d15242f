"""Logits as bars to drag, a temperature, and the distribution that they make, between greedy choice and pure chance."""

import numpy as np
import traitlets
from jaxtyping import Float

from transformer_math import palette
from transformer_math.attention import entropy
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Bounded, Numbers
from transformer_math.output import probabilities

WORDS = ["whale", "ship", "sea", "boat", "idea"]
MOST, COLDEST, HOTTEST = 4.0, 0.05, 20.0


def coldest(x: Float[np.ndarray, " V"]) -> Float[np.ndarray, " V"]:
    """The limit of the probabilities for T → 0: the largest logits share everything."""
    largest = x == x.max()
    return largest / largest.sum()


class TemperatureExplorable(Explorable):
    """Five logits, a constant that is added to all of them, and the temperature that divides them.

    >>> explorable = TemperatureExplorable(logits=[0.0] * 5, temperature=0.3)
    >>> explorable.p.round(3).tolist()
    [0.2, 0.2, 0.2, 0.2, 0.2]
    """

    logits = Numbers([2.0, 1.0, 0.5, -0.5, -1.5], MOST)
    constant = Bounded(0.0, low=-MOST, high=MOST)
    temperature = Bounded(1.0, low=COLDEST, high=HOTTEST)
    words = traitlets.List(WORDS, read_only=True).tag(sync=True)

    @property
    def raised(self) -> Float[np.ndarray, " V"]:
        """The logits, the constant added."""
        return np.array(self.logits) + self.constant

    @property
    def p(self) -> Float[np.ndarray, " V"]:
        """The probabilities."""
        return probabilities(self.raised, self.temperature)

    @property
    def bits(self) -> float:
        """Their entropy."""
        return float(entropy(self.p))

    def description(self) -> str:
        """The words with their logits and probabilities, and the entropy."""
        each = ", ".join(
            f"{word} {x:.1f} and {p:.2f}"
            for word, x, p in zip(WORDS, self.raised, self.p)
        )
        return f"Logit and probability at temperature {self.temperature:g}: {each}. Entropy {self.bits:.2f} bits."

    def heights(self) -> tuple[str, str]:
        """Bars, two sliders; table, entropy, tasks."""
        return "1058px", "clamp(531px, 1222px - 100cqi, 552px)"

    def still(self) -> str:
        """The logits as bars on the left, the probabilities on the right."""
        parts = [
            _svg.text(170, 20, "logits"),
            _svg.text(480, 20, f"probabilities at T = {self.temperature:g}"),
            _svg.tag("line", x1=40, x2=300, y1=130, y2=130, stroke=palette.GREY),
        ]
        for v, (word, x, p) in enumerate(zip(WORDS, self.raised, self.p)):
            left, height, y = 48 + 52 * v, float(11 * x), 48 + 38 * v
            bar = {"x": left, "y": 130 - max(height, 0), "height": abs(height)}
            share = {"x": 410, "y": y, "width": float(180 * p), "height": 20}
            parts += [
                _svg.tag("rect", **bar, width=34, fill=palette.ROLES["query"]),
                _svg.text(left + 17, 245, word),
                _svg.text(400, y + 14, word, "end"),
                _svg.tag("rect", **share, fill=palette.ROLES["key"]),
                _svg.text(float(416 + 180 * p), y + 14, f"{p:.3f}", "start"),
            ]
        return _svg.picture(640, 260, *parts)
