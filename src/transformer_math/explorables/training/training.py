"""The training of the language model, to be moved through: its loss, its attention to the running sentence, its texts."""

import json
from functools import cache
from typing import NamedTuple

import numpy as np
import traitlets

from transformer_math import palette
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Weights, Whole
from transformer_math.explorables.model.drawings import attention_map, heads_room
from transformer_math.trained.committed import FOLDER, read_history
from transformer_math.trained.language_model import (
    N_HEADS,
    N_LAYERS,
    language_model_scenes,
)

TOKENS = 16  # of the running sentence
MORE_LINES = (
    "clamp(0px, (401px - 100cqi) * 99, 36px)"  # of the longest text, on a phone
)


class Scene(NamedTuple):
    """What a snapshot of the model wrote, and where its heads looked: (layers, heads, n, n)."""

    step: int
    text: str
    attention: np.ndarray


@cache
def scenes() -> list[Scene]:
    """All snapshots, as they stand in the committed history."""
    found = language_model_scenes()
    shape = N_LAYERS, N_HEADS, TOKENS, TOKENS
    return [
        Scene(
            told["step"],
            told["text"],
            found[f"attention_{told['step']}"].reshape(shape),
        )
        for told in json.loads(found["snapshots"])
    ]


@cache
def tokens() -> list[str]:
    """The running sentence's tokens as the page writes them."""
    head = json.loads(language_model_scenes()["head"])
    return [token.replace(" ", "␣") for token in head["tokens"]]


def packed_scenes() -> bytes:
    """The committed bytes."""
    return (FOLDER / "language_model_history.bin").read_bytes()


def losses() -> list[dict[str, int | float]]:
    """Step, loss on the batches and loss on held-out text, at each evaluation."""
    wanted = ("step", "loss", "held_out")
    return [
        {key: record[key] for key in wanted}
        for record in read_history("language_model")
    ]


class TrainingExplorable(Explorable):
    """A snapshot of the language model's training, one of its heads, and one token of the running sentence.

    >>> TrainingExplorable(snapshot=0).scene.step
    0
    """

    snapshot = Whole(len(scenes()) // 2, low=0, high=len(scenes()) - 1)
    row = Whole(12, low=0, high=TOKENS - 1)
    layer = Whole(0, low=0, high=N_LAYERS - 1)
    head = Whole(1, low=0, high=N_HEADS - 1)
    history = traitlets.List(losses(), read_only=True).tag(sync=True)
    language_model_history = Weights(packed_scenes)

    @property
    def scene(self) -> Scene:
        """The snapshot in sight."""
        return scenes()[self.snapshot]

    @property
    def weights(self) -> np.ndarray:
        """Where each token looks, (n, n): the head in sight."""
        return self.scene.attention[self.layer, self.head]

    def heights(self) -> tuple[str, str]:
        """Loss and text have a fixed height; the map is as wide as there is room, beside curve and heads or above them."""
        cells = f"{TOKENS} * max(12px, min(36px, ({{room}}) / {TOKENS}))"
        narrow = cells.format(room="100cqi - 72px")
        wide = cells.format(room="min(50cqi - 16px, 432px) - 88px")
        heads = heads_room(N_LAYERS, N_HEADS)
        return (
            f"calc(944px + {narrow} + {heads} + clamp(0px, 1280px - 400cqi, 26px) + {MORE_LINES})",
            f"calc(291px + max(341px, 81px + {wide}))",
        )

    def description(self) -> str:
        """The step, the loss that was measured last, and what the model wrote."""
        known = [one for one in self.history if one["step"] <= self.scene.step]
        loss = (
            f"the loss on held-out text is {known[-1]['held_out']:.2f} nats a token"
            if known
            else "no loss was measured yet"
        )
        return f"After {self.scene.step} steps of training {loss}. The model writes: {' '.join(self.scene.text.split())}"

    def still(self) -> str:
        """The loss over the steps, and the attention of the head in sight."""
        last, highest = (
            self.history[-1]["step"],
            max(one["held_out"] for one in self.history),
        )
        points = [
            (
                20 + 380 * one["step"] / last,
                20 + 60 * (highest - one["held_out"]) / highest,
            )
            for one in self.history
        ]
        x = 20 + 380 * self.scene.step / last
        rule = _svg.curve([(x, 10.0), (x, 90.0)], palette.ROLES["position"])
        title = _svg.text(
            20, 110, f"loss on held-out text over {last:.0f} steps", "start"
        )
        heat = attention_map(self.weights, tokens(), tokens())
        map_ = _svg.tag("g", heat, transform="translate(0 105)")
        curve = _svg.curve(points, palette.ROLES["key"])
        return _svg.picture(640, 240 + 20 * TOKENS, curve, rule, title, map_)
