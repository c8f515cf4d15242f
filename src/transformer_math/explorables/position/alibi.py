"""Choose a head, and see its slope, its biases, and what they make of the weights."""

from functools import cache
from typing import Any

import numpy as np
import traitlets

from transformer_math.attention.masks import causal_mask
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Choice, Whole
from transformer_math.position.alibi import alibi_attention, alibi_slopes, alibi_span

N, D_K = 14, 8


@cache
def untrained() -> tuple[np.ndarray, np.ndarray]:
    """Queries and keys (14, 8) drawn at random, in few digits."""
    return tuple(np.random.default_rng(11).normal(size=(2, N, D_K)).round(2))


class AlibiExplorable(Explorable):
    """One head of several, with linear biases; `row` and `column` are the query and the key in sight.

    `contents` says whether the keys differ, `seen` whether a causal mask hides those after the query.

    >>> explorable = AlibiExplorable(n_heads=8, head=1)
    >>> explorable.slope, round(explorable.span, 1)
    (0.25, 9.2)
    """

    n_heads = Whole(8, low=1, high=12)
    head = Whole(1, low=0, below=("n_heads", 1))
    contents = Choice({"random": "random", "alike": "all alike"})
    seen = Choice({"past": "the past", "all": "all tokens"})
    row = Whole(10, low=0, high=N - 1)
    column = Whole(6, low=0, high=N - 1)
    asked = traitlets.List(read_only=True).tag(sync=True)
    offered = traitlets.List(read_only=True).tag(sync=True)

    @traitlets.default("asked")
    def _asked(self) -> list[list[float]]:
        return untrained()[0].tolist()

    @traitlets.default("offered")
    def _offered(self) -> list[list[float]]:
        return untrained()[1].tolist()

    @property
    def slope(self) -> float:
        """The slope of the head in sight."""
        return float(alibi_slopes(self.n_heads)[self.head])

    @property
    def span(self) -> float:
        """How many tokens hold nine tenths of its weight, where contents are alike."""
        return float(alibi_span(np.array([self.slope]))[0])

    @property
    def weights(self) -> np.ndarray:
        """The weights (14, 14) of the head."""
        Q, K = (np.array(x)[None] for x in (self.asked, self.offered))
        Q = 0 * Q if self.contents == "alike" else Q
        mask = causal_mask(N) if self.seen == "past" else None
        return alibi_attention(Q, K, K, np.array([self.slope]), mask)[1][0]

    @property
    def bias(self) -> np.ndarray:
        """The biases (14, 14) of the head."""
        place = np.arange(N)
        return -self.slope * np.abs(place[:, None] - place)

    def description(self) -> str:
        """The head in words."""
        labels: dict[str, Any] = {
            name: self.traits()[name].bounds["labels"][getattr(self, name)]
            for name in ("contents", "seen")
        }
        return (
            f"Head {self.head} of {self.n_heads} has slope {self.slope:.4f}; "
            f"contents: {labels['contents']}; seen: {labels['seen']}. "
            f"Of a long past with contents alike, {self.span:.1f} tokens hold nine tenths of its weight."
        )

    def heights(self) -> tuple[str, str]:
        """Two maps with square cells, below each other or side by side; tasks."""
        return (
            f"calc(872px + 2 * min({36 * N}px, 100cqi - 72px))",
            f"calc(359px + min({36 * N}px, 50cqi - 104px, 344px))",
        )

    def still(self) -> str:
        """The biases, and the weights beside them."""
        parts, side = [], 240
        maps = {
            "biases": self.bias / max(1.0, alibi_slopes(self.n_heads).max() * (N - 1)),
            "weights": self.weights,
        }
        for x, (name, values) in zip((50, 350), maps.items()):
            parts.append(_svg.text(x + side / 2, 20, name, font_weight=600))
            frame = {"x": x, "y": 34, "width": side, "height": side}
            parts.append(_svg.ink(values, **frame))
            parts.append(
                _svg.tag(
                    "rect", **frame, fill="none", stroke="currentColor", opacity=0.3
                )
            )
        parts.append(
            _svg.text(
                320,
                300,
                f"head {self.head} of {self.n_heads}, slope {self.slope:.4f}",
            )
        )
        return _svg.picture(640, 312, *parts)
