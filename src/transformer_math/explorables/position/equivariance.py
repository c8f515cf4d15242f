"""Move the words of a sentence, and see what attention gives to each of them, without positions and with them."""

from typing import Any

import numpy as np
import traitlets

from transformer_math import palette
from transformer_math.attention.masks import causal_mask
from transformer_math.attention.scaled_dot_product import attention
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Choice, require
from transformer_math.position.sinusoidal import sinusoidal

WORDS = ["the", "dog", "bites", "the", "man"]
D = 8
LARGEST = 2.5  # the number with the full colour


def word_vectors() -> list[list[float]]:
    """Untrained vectors, one for each word; a word that stands twice has the same vector twice."""
    distinct = sorted(set(WORDS))
    drawn = np.random.default_rng(5).normal(size=(len(distinct), D)).round(2)
    return [drawn[distinct.index(word)].tolist() for word in WORDS]


class Order(traitlets.List):
    """The words by their numbers, in the order in which they stand now."""

    def __init__(self) -> None:
        super().__init__(traitlets.Int(), list(range(len(WORDS))))
        self.bounds = {"low": 0, "high": len(WORDS) - 1, "permuted": True}
        self.tag(sync=True)

    def validate(self, obj: Any, value: Any) -> list[int]:
        """The order, unless a word is missing or stands twice."""
        order = super().validate(obj, value)
        require(
            sorted(order) == list(range(len(WORDS))),
            f"order is {order}; wanted each of 0..{len(WORDS) - 1} once. Fix: the numbers of the words, in another order.",
        )
        return order


class EquivarianceExplorable(Explorable):
    """Five words that change places; `order` holds their numbers, `given` says what tells attention about places.

    `outputs` is what attention gives to each word, in the sentence's own order of words, wherever they stand.

    >>> explorable = EquivarianceExplorable(order=[3, 4, 2, 0, 1])
    >>> bool(explorable.changes.max() < 1e-12)
    True
    >>> explorable.given = "sinusoids"
    >>> bool(explorable.changes.max() > 0.1)
    True
    """

    order = Order()
    given = Choice(
        {"nothing": "nothing", "sinusoids": "sinusoids", "mask": "a causal mask"}
    )
    words = traitlets.List(WORDS, read_only=True).tag(sync=True)
    vectors = traitlets.List(word_vectors(), read_only=True).tag(sync=True)

    def outputs_in(self, order: list[int]) -> np.ndarray:
        """What each word gets (5, 8) where the words stand in this order; row w belongs to word w."""
        Z = np.array(self.vectors)[order]
        if self.given == "sinusoids":
            Z = Z + sinusoidal(len(WORDS), D)
        mask = causal_mask(len(WORDS)) if self.given == "mask" else None
        return attention(Z, Z, Z, mask)[0][np.argsort(order)]

    @property
    def outputs(self) -> np.ndarray:
        """What each word gets now."""
        return self.outputs_in(self.order)

    @property
    def before(self) -> np.ndarray:
        """What each word gets in the sentence's own order."""
        return self.outputs_in(list(range(len(WORDS))))

    @property
    def changes(self) -> np.ndarray:
        """For each word, the largest change of an entry."""
        return np.abs(self.outputs - self.before).max(axis=1)

    @property
    def mean_change(self) -> float:
        """The largest change of an entry of the mean of all words."""
        return float(np.abs((self.outputs - self.before).mean(axis=0)).max())

    def description(self) -> str:
        """The sentence as it stands, and the largest change."""
        sentence = " ".join(WORDS[w] for w in self.order)
        told = self.traits()["given"].bounds["labels"][self.given]
        return (
            f"The words stand as “{sentence}”; attention is told about places by {told}. "
            f"The vector of a word changes by {self.changes.max():.2f} at most."
        )

    def heights(self) -> tuple[str, str]:
        """Controls, a picture of one height, and a sentence."""
        return "798px", "539px"

    def still(self) -> str:
        """The words in their order, and below each the vector that it gets, now and in the sentence's own order."""
        parts, slot, cell = [], 100, 13
        for place, w in enumerate(self.order):
            x = 90 + place * slot
            parts.append(_svg.text(x + slot / 2, 24, WORDS[w], font_weight=600))
            for y, rows in ((40, self.outputs), (170, self.before)):
                column = rows[w][:, None] / LARGEST
                size = {"width": slot - 16, "height": D * cell}
                parts.append(_svg.ink(column.clip(-1, 1), x=x + 8, y=y, **size))
                frame = {**size, "x": x + 8, "y": y, "fill": "none"}
                parts.append(_svg.tag("rect", **frame, stroke=palette.INK, opacity=0.3))
            parts.append(_svg.text(x + slot / 2, 302, f"{self.changes[w]:.2f}"))
        for y, name in ((95, "now"), (225, "at first"), (302, "change")):
            parts.append(_svg.text(80, y, name, "end"))
        return _svg.picture(640, 320, *parts)
