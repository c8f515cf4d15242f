"""The little encoder of the two senses, trained again with other seeds, and as it is before any training.

`make train MODEL=senses_controls` trains them one after the other, and goes on where it was interrupted.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from transformer_math.model.transformer import TransformerParameters
from transformer_math.trained.committed import read_records, write_records
from transformer_math.trained.senses import SensesTask, told_apart
from transformer_math.training.loop import Settings, train

NAME = "senses_controls"
SEEDS = 1, 2, 3, 4, 5
SENTENCES = 400


def right_senses(parameters: TransformerParameters) -> list[float]:
    """How often “bank” has the right sense by the nearest centroid, layer by layer, on the same held-out sentences for all."""
    return list(told_apart(parameters, np.random.default_rng(2), SENTENCES).values())


def records(folder: Path = Path(".cache/training") / NAME) -> Iterator[dict[str, Any]]:
    """Train with each seed; measure the model as it begins and as it ends."""
    task = SensesTask(every=SensesTask.steps)
    for seed in SEEDS:
        start = task.initial(np.random.default_rng([seed, 0]))
        run = train(task, folder / str(seed), Settings(seed=seed))
        trained = right_senses(run.parameters)
        yield {"seed": seed, "untrained": right_senses(start), "trained": trained}


def senses_controls() -> list[dict[str, Any]]:
    """A record for each seed, as they stand in git."""
    return read_records("senses_controls.json")


if __name__ == "__main__":
    write_records("senses_controls.json", records())
