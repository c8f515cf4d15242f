"""What every part of the language model adds to the logit of a token that may come next, on the reader's text."""

from functools import cache

import numpy as np
import traitlets

from transformer_math.block import layer_norm
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Choice, Weights, Whole
from transformer_math.explorables.model import language
from transformer_math.explorables.model.drawings import likeliest, percent
from transformer_math.model import residual_stream
from transformer_math.output import probabilities
from transformer_math.trained.language_model import N_HEADS, N_LAYERS
from transformer_math.trained.logit_parts import (
    PART_NAMES,
    logit_parts,
    residual_parts,
)

MOST_TOKENS, CHOICES = 24, 5
TEXT = "It was the whiteness of the whale that above all things appalled me. It was the"
AGAINST = {"mean": "the mean of all", "rival": "the likeliest other"}
CELL, SHADE = 64, 4.0  # a part that adds so much is drawn in full ink


@cache
def _parts(ids: tuple[int, ...], row: int) -> np.ndarray:
    return residual_parts(np.array(ids), language.parameters())[:, row]


@cache
def _states(ids: tuple[int, ...], row: int) -> tuple[np.ndarray, ...]:
    stream = residual_stream(np.array(ids), language.parameters(), N_HEADS)
    return tuple(Z[row] for Z in stream)


class LogitPartsExplorable(language.ReadsText, Explorable):
    """The language model reads a text; after token `row`, the token of rank `candidate` is asked for.

    Each part of the model adds to its logit, which is counted from the mean of all logits, or from that of the likeliest
    other token. `part` is in sight: where it looks, and which logits it raises and lowers most.

    >>> LogitPartsExplorable().told  # what the model finds likeliest after “It was the whiteness of the”
    '␣whale'
    """

    most_tokens = MOST_TOKENS
    text = traitlets.Unicode(TEXT).tag(sync=True)
    row = Whole(5, low=0, high=MOST_TOKENS - 1)
    candidate = Whole(0, low=0, high=CHOICES - 1)
    against = Choice(AGAINST)
    part = Whole(0, low=0, high=len(PART_NAMES) - 1)
    language_model = Weights(language.checkpoint)

    @property
    def candidates(self) -> list[int]:
        """The likeliest tokens after the one in sight."""
        return likeliest(self.reading.logits[self.at], CHOICES)

    @property
    def wanted(self) -> int:
        """The token whose logit is taken apart."""
        return self.candidates[self.candidate]

    @property
    def told(self) -> str:
        """That token as a reader sees it."""
        return language.label(self.wanted)

    @property
    def rival(self) -> int:
        """The likeliest other token."""
        return self.candidates[0 if self.candidate else 1]

    @property
    def effects(self) -> np.ndarray:
        """What each part adds to each logit: parts × V."""
        model = language.parameters()
        return logit_parts(_parts(tuple(self.given), self.at), model.norm, model.E)

    @property
    def added(self) -> np.ndarray:
        """What each part adds to the logit of the token, counted from what is asked for; the last number is the norm's β."""
        model, effects = language.parameters(), self.effects
        rows = np.vstack([effects, model.E @ model.norm.beta])
        zero = rows.mean(axis=1) if self.against == "mean" else rows[:, self.rival]
        return rows[:, self.wanted] - zero

    @property
    def lens(self) -> list[np.ndarray]:
        """The distribution of the next token, if the model stopped before its first layer, after it, and so on."""
        model = language.parameters()
        states = _states(tuple(self.given), self.at)
        return [probabilities(layer_norm(z, model.norm) @ model.E.T) for z in states]

    def heights(self) -> tuple[str, str]:
        """A line of text, the tokens, what may come next, the parts, the part in sight, tasks."""
        return (
            "calc(clamp(1075px, 1255px - 28.7cqi, 1140px) + clamp(0px, 312px - 100cqi, 25px))",
            "clamp(558px, 778px - 25cqi, 593px)",
        )

    def description(self) -> str:
        """The token, its logit, and the parts that add most."""
        if not self.ids:
            return "The parts of a logit: the text holds no token yet."
        added = self.added
        largest = [int(i) for i in np.argsort(-np.abs(added[:-1]))[:3]]
        parts = ", ".join(f"{PART_NAMES[i]} {added[i]:+.2f}" for i in largest)
        p = probabilities(self.reading.logits[self.at])[self.wanted]
        return (
            f"After “{self.tokens[self.at]}” the language model gives “{self.told}” {percent(float(p))}. "
            f"Its logit is {added.sum():.2f} above {AGAINST[self.against]}; the largest parts: {parts}."
        )

    def still(self) -> str:
        """A line for each layer: what its heads and its network add, as ink, and what would be said after it."""
        if not self.ids:
            return _svg.picture(400, 40, _svg.text(200, 25, "No tokens yet."))
        added = self.added
        inner = added[1 : 1 + N_LAYERS * (N_HEADS + 1)].reshape(N_LAYERS, N_HEADS + 1)
        heat = _svg.ink(
            np.clip(inner / SHADE, -1, 1),
            x=100, y=60, width=CELL * (N_HEADS + 1), height=34 * N_LAYERS,
        )  # fmt: skip
        heads = [*(f"head {h}" for h in range(N_HEADS)), "network"]
        top = [
            _svg.text(100 + CELL * (k + 0.5), 52, name) for k, name in enumerate(heads)
        ]
        names = ["embedding", *(f"layer {l + 1}" for l in range(N_LAYERS))]
        lines = []
        for l, (name, p) in enumerate(zip(names, self.lens)):
            y, best = 48 + 34 * l if l else 22, likeliest(p, 1)[0]
            lines += [
                _svg.text(90, y, name, "end"),
                _svg.text(510, y, f"{language.label(best)} {percent(p[best])}", "start"),
            ]  # fmt: skip
        return _svg.picture(640, 210, heat, *top, *lines)
