"""All heads of the language model on one sheet, on the reader's sentence, in the order of what they were measured to do."""

from functools import cache

import numpy as np
import traitlets

from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Choice, Weights, Whole
from transformer_math.explorables.model import language
from transformer_math.explorables.model.drawings import likeliest, percent
from transformer_math.explorables.model.silenced import HeadsOff
from transformer_math.trained.head_roles import head_roles
from transformer_math.trained.language_model import N_HEADS, N_LAYERS

MOST_TOKENS, CELL, DIGITS, SHADES = 32, 64, 5, 20
MEASURES = ("before", "itself", "matching")  # where a head looks
ORDERS = {
    "layer": "layer",
    "cost": "removal",
    "before": "one back",
    "itself": "itself",
    "matching": "copying",
}


@cache
def measured() -> list[list[float]]:
    """A row for each head: the shares of `MEASURES` on held-out text, what its removal costs in nats, and the standard error."""
    return [
        [
            round(float(x), DIGITS)
            for x in (*(record[name] for name in MEASURES), *record["zero"])
        ]
        for record in head_roles()
    ]


class HeadSheetExplorable(language.ReadsText, Explorable):
    """The language model reads a text: every head's weights, sorted by `order`; head `head` of layer `layer` is in sight.

    Token `row` looks, and after it the next token is expected. `off` names the heads whose finds are left out.

    >>> HeadSheetExplorable(order="cost").places[0]  # of layer 2, the head whose removal costs most
    (2, 0)
    """

    most_tokens = MOST_TOKENS
    order = Choice(ORDERS)
    row = Whole(MOST_TOKENS - 1, low=0, high=MOST_TOKENS - 1)
    layer = Whole(0, low=0, high=N_LAYERS - 1)
    head = Whole(0, low=0, high=N_HEADS - 1)
    off = HeadsOff(["self"], N_LAYERS, N_HEADS)
    measured = traitlets.List(read_only=True).tag(sync=True)
    language_model = Weights(language.checkpoint)

    @traitlets.default("measured")
    def _measured(self) -> list[list[float]]:
        return measured()

    @property
    def places(self) -> list[tuple[int, int]]:
        """Layer and head of each picture, in the order of the sheet; equal heads as they stand in the model."""
        values = np.array(self.measured)
        columns = {name: k for k, name in enumerate((*MEASURES, "cost"))}
        key = (
            -values[:, columns[self.order]]
            if self.order in columns
            else np.arange(len(values))
        )
        return [divmod(int(k), N_HEADS) for k in np.argsort(key, kind="stable")]

    def shares(self, layer: int, head: int) -> dict[str, float]:
        """What a head gives on this text to the token before and to the token itself: means over the tokens."""
        A = self.reading.attention[layer][head]
        return {
            "before": float(np.diagonal(A, -1).mean()) if len(A) > 1 else np.nan,
            "itself": float(np.diagonal(A).mean()),
        }

    def heights(self) -> tuple[str, str]:
        """A line of text, the sheet, the tokens, what was measured, what comes next, tasks."""
        return "1326px", "589px"

    def description(self) -> str:
        """The head in sight, what it was measured to do, and what the model expects."""
        if not self.ids:
            return "All heads of the language model: the text holds no token yet."
        row = self.at
        p = np.exp(self.reading.logits[row] - self.reading.logits[row].max())
        next_token = likeliest(p, 1)[0]
        line = self.reading.attention[self.layer][self.head][row]
        cost = self.measured[self.layer * N_HEADS + self.head][-2]
        best = int(line.argmax())
        return (
            f"All {N_LAYERS * N_HEADS} heads of the language model on {len(self.ids)} tokens. "
            f"Layer {self.layer + 1}, head {self.head}: {self.tokens[row]} looks most at {self.tokens[best]} (position {best}); "
            f"without this head the loss on held-out text rises by {cost:.3f} nats. "
            f"After {self.tokens[row]} the model expects {language.label(next_token)}, {percent(float(p[next_token] / p.sum()))}."
        )

    def still(self) -> str:
        """The sheet: a small heatmap for each head, with its layer and number."""
        if not self.ids:
            return _svg.picture(400, 40, _svg.text(200, 25, "No tokens yet."))
        n, attention = len(self.ids), self.reading.attention
        gap = max(1, n // 3)  # entries of nothing beside and below each picture
        step = CELL * (n + gap) / n
        padded = [np.pad(attention[l][h], (0, gap)) for l, h in self.places]
        lines = [padded[i : i + N_HEADS] for i in range(0, len(padded), N_HEADS)]
        heat = _svg.ink(
            (SHADES * np.block(lines)).round() / SHADES, x=100, y=0, width=N_HEADS * step, height=N_LAYERS * step
        )  # fmt: skip
        names = [
            _svg.text(
                100 + step * (k % N_HEADS) + CELL / 2,
                step * (k // N_HEADS) + CELL + 14,
                f"{layer + 1}, {head}",
            )
            for k, (layer, head) in enumerate(self.places)
        ]
        return _svg.picture(640, int(N_LAYERS * step), heat, *names)
