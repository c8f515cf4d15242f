"""Positions side by side: the scores of trained heads by distance, and what a longer text does to the loss."""

from functools import cache
from typing import Any

import numpy as np
import traitlets

from transformer_math import palette
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Choice, Whole
from transformer_math.trained.placed import CONTEXT, N_HEADS, N_LAYERS
from transformer_math.trained.positions import DISTANCES, STEP, position_runs

KINDS = {
    "none": "none",
    "learned": "learned",
    "sinusoidal": "sine",
    "Shaw": "Shaw",
    "T5": "T5",
    "RoPE": "RoPE",
    "ALiBi": "ALiBi",
}
SHOWN = [*DISTANCES[:CONTEXT], *DISTANCES[CONTEXT::2]]
TASKS = {"language": "next letter", "copying": "8 places back"}


@cache
def recorded() -> dict[str, Any]:
    """For each encoding the scores of all heads, and for each task the mean loss of the seeds by place."""
    runs = position_runs()
    scores = {
        run["encoding"]: [_thinned(head) for layer in run["scores"] for head in layer]
        for run in runs
        if "scores" in run
    }
    losses = {
        task: {
            kind: np.mean(
                [r["loss"] for r in runs if (r["task"], r["encoding"]) == (task, kind)],
                axis=0,
            )
            .round(2)
            .tolist()
            for kind in KINDS
        }
        for task in TASKS
    }
    return {"scores": scores, "losses": losses}


def _thinned(scores: list[float]) -> list[float]:
    """Scores as a page carries them: in fewer digits for far keys, and beyond the trained distances every second."""
    near, far, beyond = np.split(np.array(scores), [CONTEXT // 2, CONTEXT])
    parts = near.round(2), far.round(1), beyond[::2].round(1)
    return [score for part in parts for score in part.tolist()]


class DistanceExplorable(Explorable):
    """The encoding `kind`, one head of its model, and the task whose losses are in sight.

    >>> explorable = DistanceExplorable(kind="learned")
    >>> len(explorable.head_scores)
    32
    """

    kind = Choice(KINDS)
    head = Whole(0, low=0, high=N_LAYERS * N_HEADS - 1)
    task = Choice(TASKS)
    runs = traitlets.Dict(read_only=True).tag(sync=True)
    distances = traitlets.List(SHOWN, read_only=True).tag(sync=True)
    sizes = traitlets.List([CONTEXT, STEP, N_HEADS], read_only=True).tag(sync=True)

    @traitlets.default("runs")
    def _runs(self) -> dict[str, Any]:
        return recorded()

    @property
    def head_scores(self) -> list[float]:
        """The head's mean score for each distance, less the mean of the trained ones."""
        return self.runs["scores"][self.kind][self.head]

    @property
    def losses(self) -> list[float]:
        """The mean loss over the seeds, in nats, for each range of places."""
        return self.runs["losses"][self.task][self.kind]

    def description(self) -> str:
        """The favourite distance of the head, and the losses at the beginning and at the end."""
        layer, head = divmod(self.head, N_HEADS)
        inside = np.array(self.head_scores[:CONTEXT])
        best = np.flatnonzero(inside == inside.max()).tolist()
        distances = f"distance{'s' * (len(best) > 1)} {' and '.join(map(str, best))}"
        first, last = self.losses[1], self.losses[-1]
        return (
            f"Positions: {KINDS[self.kind]}. In training, layer {layer + 1}, head {head} scores highest at {distances}. "
            f"Task “{TASKS[self.task]}”: {first:.2f} nats at places {STEP} to {CONTEXT - 1}, {last:.2f} in the last range."
        )

    def heights(self) -> tuple[str, str]:
        """Two drawings of a fixed height, below each other or side by side."""
        return "1070px", "512px"

    def still(self) -> str:
        """The scores of the head over the distances in training."""
        inside = np.array(self.head_scores[:CONTEXT])
        low, high = inside.min(), max(inside.max(), inside.min() + 1)
        points = [
            (40 + 18 * d, 20 + 120 * (high - s) / (high - low))
            for d, s in enumerate(inside)
        ]
        return _svg.picture(
            640,
            190,
            _svg.curve(points, palette.ROLES["query"]),
            _svg.text(40, 170, "0"),
            _svg.text(40 + 18 * (CONTEXT - 1), 170, CONTEXT - 1),
            _svg.text(320, 185, "distance of the key from the query"),
        )
