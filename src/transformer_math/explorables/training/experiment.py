"""Six switches, and the small model of letters that was trained with them so."""

from collections import defaultdict
from functools import cache
from typing import Any

import numpy as np
import traitlets

from transformer_math import palette
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.trained.switches import (
    BEGINNING,
    PARTS,
    PEAK,
    LetterTask,
    switch_runs,
)

LABELS = dict(
    zip(
        PARTS,
        (
            "causal mask",
            "scale 1/√dₖ",
            "residual connections",
            "normalisation",
            "warm-up",
            "second layer",
        ),
    )
)


@cache
def ways() -> dict[str, dict[str, Any]]:
    """For each way to set the switches, the mean curve over the seeds, the last losses, and what the first seed's model wrote."""
    runs = defaultdict(list)
    for run in switch_runs():
        if run["peak"] == PEAK:
            runs[run["on"]].append(run)
    return {name: _way(found) for name, found in runs.items()}


def _way(runs: list[dict[str, Any]]) -> dict[str, Any]:
    curves = np.array([[one["last"] for one in run["history"]] for run in runs])
    over_all = np.mean([run["history"][-1]["held_out"] for run in runs])
    return {
        "curve": curves.mean(axis=0).round(2).tolist(),
        "last": curves[:, -1].round(4).tolist(),
        "held_out": round(float(over_all), 4),
        "written": runs[0]["written"],
    }


class ExperimentExplorable(Explorable):
    """Which parts the model has; each is a switch.

    >>> round(ExperimentExplorable(mask=False).loss - ExperimentExplorable().loss, 1)
    0.4
    """

    mask = traitlets.Bool(True).tag(sync=True)
    scale = traitlets.Bool(True).tag(sync=True)
    residual = traitlets.Bool(True).tag(sync=True)
    norm = traitlets.Bool(True).tag(sync=True)
    warm_up = traitlets.Bool(True).tag(sync=True)
    second_layer = traitlets.Bool(True).tag(sync=True)
    ways = traitlets.Dict(read_only=True).tag(sync=True)
    every = traitlets.Int(LetterTask.every, read_only=True).tag(sync=True)

    @traitlets.default("ways")
    def _ways(self) -> dict[str, dict[str, Any]]:
        return ways()

    @property
    def way(self) -> dict[str, Any]:
        """What was recorded with these switches."""
        return self.ways["".join("01"[getattr(self, part)] for part in PARTS)]

    @property
    def loss(self) -> float:
        """The mean loss over the seeds, in nats, for the letter after a window."""
        return float(np.mean(self.way["last"]))

    def description(self) -> str:
        """What is missing, what it costs, and what the model writes."""
        missing = [LABELS[part] for part in PARTS if not getattr(self, part)]
        model = f"Without {', '.join(missing)}" if missing else "The whole model"
        return (
            f"{model}: {self.loss:.2f} nats for the letter after a window, {self.way['held_out']:.2f} over all places. "
            f"It writes: {BEGINNING}{self.way['written']}"
        )

    def heights(self) -> tuple[str, str]:
        """The room that the live figure takes, in one column and in two."""
        return "870px", "502px"

    def still(self) -> str:
        """The curve of this model, and that of the whole one."""
        lines = {"key": ways()["1" * len(PARTS)], "query": self.way}
        high = max(loss for way in lines.values() for loss in way["curve"])
        parts = []
        for role, way in lines.items():
            points = [
                (40 + 75 * i, 20 + 120 * (high - loss))
                for i, loss in enumerate(way["curve"])
            ]
            parts.append(_svg.curve(points, palette.ROLES[role]))
        last = len(self.way["curve"]) * self.every
        parts.append(
            _svg.text(320, 190, f"loss after a window, up to step {last}", "middle")
        )
        return _svg.picture(640, 200, *parts)
