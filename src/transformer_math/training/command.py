"""One command for every model: it trains from nothing or goes on, shows a bar with loss and time left, and writes what came out."""

import argparse
from collections.abc import Callable
from pathlib import Path

from transformer_math.training.loop import Run, Settings, Task, train


def train_from_command_line(
    name: str, task: Task, settings: Settings, finish: Callable[[Run, Path], None]
) -> None:
    """Train a model as the command line says; `finish(run, folder)` writes the checkpoint for git when all steps are made."""
    parser = argparse.ArgumentParser(
        description=f"Train the {name.replace('_', ' ')}; an interrupted training goes on."
    )
    parser.add_argument("--folder", type=Path, default=Path(".cache/training") / name)
    parser.add_argument(
        "--steps", type=int, default=task.steps, help="stop after so many"
    )
    options = parser.parse_args()
    run = with_progress(name, task, options.folder, settings, options.steps)
    if run.step == task.steps:
        finish(run, options.folder)


def with_progress(
    name: str, task: Task, folder: Path, settings: Settings, steps: int
) -> Run:
    """Train, with a progress bar: steps, loss, the last evaluation, time gone and time left."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[said]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    with Progress(*columns, speed_estimate_period=120) as progress:
        bar = progress.add_task(name, total=steps, said="")

        def report(run: Run, loss: float) -> None:
            progress.update(bar, completed=run.step, said=said(run, loss))

        return train(task, folder, settings, steps, report)


def said(run: Run, loss: float) -> str:
    """The loss of the last step and the last evaluation, in a few words."""
    last = run.history[-1] if run.history else {}
    seen = [f"{key} {value:.3f}" for key, value in last.items() if key != "step"]
    return ", ".join([f"loss {loss:.3f}", *seen[1:]])
