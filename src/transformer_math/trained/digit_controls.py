"""The reader of digits beside its rivals, with other seeds, other patches, without positions and on shuffled pictures.

`make train MODEL=digit_controls` trains all of them one after the other, and goes on where it was interrupted. Settings
are chosen by the mean accuracy on the validation part; the test part is looked at with the chosen ones alone.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from transformer_math.modalities.vit import ViTParameters, accuracy, vit_logits
from transformer_math.trained.committed import (
    read_committed,
    read_records,
    write_committed,
    write_records,
)
from transformer_math.trained.digit_rivals import RivalTask
from transformer_math.trained.digits import (
    N_HEADS,
    SETTINGS,
    DigitsTask,
    Part,
    shuffled,
    split,
)
from transformer_math.training.command import with_progress
from transformer_math.training.loop import Run, Settings

NAME, SEEDS_NAME = "digit_controls", "digit_seeds"
FOLDER = Path(".cache/training") / NAME
TUNING_SEEDS, SEEDS = (1, 2, 3), (1, 2, 3, 4, 5)
DECAYS = 0.0, 0.3, 1.0
PEAKS = {
    "vit": (3e-3, 1e-2),
    "convolution": (3e-3, 1e-2),
    "logistic": (1e-2, 1e-1, 3e-1),
}
Task = DigitsTask | RivalTask


def task_of(kind: str, peak: float) -> Task:
    """The task of a kind of reader, evaluated at its end alone."""
    if kind == "vit":
        return DigitsTask(peak=peak, every=DigitsTask.steps)
    return RivalTask(kind, peak=peak)


def trained(task: Task, decay: float, seed: int) -> Run:
    """One training, from its checkpoint where there is one."""
    kind = getattr(task, "kind", "vit")
    parts = [f"{name}-{value}" for name, value in described(task).items()]
    name = "_".join([kind, *parts, f"decay-{decay}", f"seed-{seed}"])
    settings = Settings(seed=seed, weight_decay=decay)
    return with_progress(kind, task, FOLDER / name, settings, task.steps)


def described(task: Task) -> dict[str, Any]:
    """What tells the tasks of one kind apart."""
    names = "patch_size", "peak", "positions", "fixed_shuffle"
    return {name: getattr(task, name) for name in names if hasattr(task, name)}


def record(task: Task, decay: float, seed: int, run: Run) -> dict[str, Any]:
    """A training in one line: what it was, and how it does on the validation part."""
    last = run.history[-1]
    return {
        "kind": getattr(task, "kind", "vit"),
        **described(task),
        "decay": decay,
        "seed": seed,
        "seconds": last["seconds"],
        "validation": last["accuracy"],
        "validation_loss": last["held_out"],
    }


def tested(task: Task, decay: float, seed: int) -> dict[str, Any]:
    """The same with the test part, and for a vision transformer with the patches of each test picture shuffled."""
    run, test = trained(task, decay, seed), split()[2]
    found = record(task, decay, seed, run)
    if isinstance(task, RivalTask):
        return found | {"test": task.judged(run.parameters, test)["accuracy"]}
    return found | {
        "test": read(task, run.parameters, test),
        "shuffled": read(task, run.parameters, pieces(test, task.patch_size)),
    }


def read(task: DigitsTask, parameters: ViTParameters, part: Part) -> float:
    """Accuracy on some pictures, as the task shows them."""
    X = task.arranged(part.X)
    return accuracy(vit_logits(X, task.patch_size, parameters, N_HEADS), part.y)


def pieces(part: Part, patch_size: int) -> Part:
    """The same pictures, the patches of each in another random order."""
    rng = np.random.default_rng(7)
    n = (part.X.shape[1] // patch_size) ** 2
    orders = np.array([rng.permutation(n) for _ in part.y])
    return Part(shuffled(part.X, patch_size, orders), part.y)


def chosen(tried: list[dict[str, Any]], kind: str) -> tuple[float, float]:
    """Peak and decay with the highest mean accuracy on the validation part; of several, that with the lowest loss."""

    def quality(setting):
        own = [
            r for r in tried if (r["kind"], r["peak"], r["decay"]) == (kind, *setting)
        ]
        return mean(r["validation"] for r in own), -mean(
            r["validation_loss"] for r in own
        )

    return max(product(PEAKS[kind], DECAYS), key=quality)


def records() -> Iterator[dict[str, Any]]:
    """First the choice of settings, then the test of the chosen ones, then what was changed about the vision transformer."""
    tried = []
    for kind in PEAKS:
        for (peak, decay), seed in product(product(PEAKS[kind], DECAYS), TUNING_SEEDS):
            task = task_of(kind, peak)
            tried.append(record(task, decay, seed, trained(task, decay, seed)))
            yield {"for": "choice", **tried[-1]}
    settings = {kind: chosen(tried, kind) for kind in PEAKS}
    for kind, (peak, decay) in settings.items():
        for seed in SEEDS:
            yield {"for": "test", **tested(task_of(kind, peak), decay, seed)}
    peak, decay = settings["vit"]
    tasks: list[tuple[Task, float]] = [(task, decay) for task in changed(peak)]
    peak, decay = settings["convolution"]
    jumbled = RivalTask("convolution", peak=peak, fixed_shuffle=True)
    tasks.append((jumbled, decay))
    for (task, own), seed in product(tasks, SEEDS):
        yield {"for": "change", **tested(task, own, seed)}


def changed(peak: float) -> list[DigitsTask]:
    """The vision transformer with other patches, without positions, and on a fixed shuffle."""
    task = DigitsTask(peak=peak, every=DigitsTask.steps)
    return [
        replace(task, patch_size=8),
        replace(task, patch_size=4),
        replace(task, positions=False),
        replace(task, fixed_shuffle=True),
    ]


def digit_controls() -> list[dict[str, Any]]:
    """A record for each training, as they stand in git."""
    return read_records("digit_controls.json")


def digit_seeds() -> list[ViTParameters]:
    """The same model as `digit_reader()`, trained with the other seeds."""
    like = DigitsTask().initial(np.random.default_rng(0))
    return list(read_committed(SEEDS_NAME, (like,) * len(SEEDS[1:]))[0])


def write_seeds() -> None:
    """Write the parameters of the other seeds into one small file."""
    task = DigitsTask(every=DigitsTask.steps)
    runs = [trained(task, SETTINGS.weight_decay, seed) for seed in SEEDS[1:]]
    write_committed(SEEDS_NAME, tuple(run.parameters for run in runs), {}, [])


if __name__ == "__main__":
    write_records("digit_controls.json", records())
    write_seeds()
