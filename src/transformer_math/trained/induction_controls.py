"""The copying model trained again: with other seeds, with one layer instead of two, and with blocks of one length alone.

`make train MODEL=induction_controls` trains them one after the other, and goes on where it was interrupted.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from transformer_math.attention.masks import causal_mask
from transformer_math.trained.attention_only import (
    AttentionOnlyParameters,
    attention_only_weights,
)
from transformer_math.trained.committed import read_records, write_records
from transformer_math.trained.induction_heads import (
    N_HEADS,
    InductionTask,
    losses_of_halves,
    prefix_matching_score,
    repeated,
)
from transformer_math.training.loop import Settings, train

NAME = "induction_controls"
PERIOD = 25  # tokens of every block, where the period is fixed
ANOTHER = 20  # tokens of blocks that such a training never saw
TRAININGS = {
    "two layers": (InductionTask(every=InductionTask.steps), (1, 2)),
    "one layer": (InductionTask(every=InductionTask.steps, n_layers=1), (1, 2, 3)),
    "one layer, one period": (
        InductionTask(
            every=InductionTask.steps, n_layers=1, shortest=PERIOD, longest=PERIOD
        ),
        (1, 2, 3),
    ),
}


def measured(parameters: AttentionOnlyParameters) -> dict[str, Any]:
    """The losses of both sayings of new blocks, of the second one in blocks of another length, and every head's prefix matching."""
    rng = np.random.default_rng(6)
    ids, others = repeated(rng, 100, PERIOD), repeated(rng, 100, ANOTHER)
    first, second = losses_of_halves(ids, parameters)
    weights = attention_only_weights(
        ids, parameters, N_HEADS, causal_mask(ids.shape[1])
    )
    prefix = [
        np.mean([prefix_matching_score(A, t) for A, t in zip(layer, ids)], axis=0)
        for layer in weights
    ]
    return {
        "first": first,
        "second": second,
        "second_of_another_length": losses_of_halves(others, parameters)[1],
        "prefix": [scores.tolist() for scores in prefix],
    }


def records(folder: Path = Path(".cache/training") / NAME) -> Iterator[dict[str, Any]]:
    """Train each model with each of its seeds, and measure it."""
    for name, (task, seeds) in TRAININGS.items():
        for seed in seeds:
            run = train(task, folder / f"{name} {seed}", Settings(seed=seed))
            yield {"model": name, "seed": seed, **measured(run.parameters)}


def induction_controls() -> list[dict[str, Any]]:
    """A record for each training, as they stand in git."""
    return read_records("induction_controls.json")


if __name__ == "__main__":
    write_records("induction_controls.json", records())
