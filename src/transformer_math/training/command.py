"""One command for every model: it trains from nothing or goes on, shows a bar with loss and time left, and writes what came out."""

import argparse
import textwrap
from collections.abc import Callable
from pathlib import Path

from transformer_math.training.loop import Run, Settings, Task, resume, train


def train_from_command_line(
    name: str,
    task: Task,
    settings: Settings,
    finish: Callable[[Run, Path], None],
    watch: Callable[[Run, Path], None] = lambda run, folder: None,
) -> None:
    """Train a model as the command line says, and write the checkpoint for git when all steps are made.

    `watch(run, folder)` is called after each step, `finish(run, folder)` after the last one. Whoever stops it with Ctrl-C is told
    where it stopped and how it goes on; whoever asks for what was done before, how it goes on or begins anew.
    """
    options = _options(name, task.steps)
    folder, steps = options.folder, options.steps
    before = resume(task, folder, settings).step
    if before >= steps:
        print(done_before(before, steps, task.steps, folder))
    try:
        run = with_progress(
            name, task, folder, settings, steps, lambda run: watch(run, folder)
        )
    except KeyboardInterrupt:
        raise SystemExit(stopped(resume(task, folder, settings).step, folder)) from None
    if run.step == task.steps:
        finish(run, folder)


def _options(name: str, all_steps: int) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=f"Train the {name.replace('_', ' ')}; an interrupted training goes on."
    )
    parser.add_argument("--folder", type=Path, default=Path(".cache/training") / name)
    parser.add_argument(
        "--steps",
        type=int,
        default=all_steps,
        help=f"stop after so many, at most {all_steps}",
    )
    options = parser.parse_args()
    if not 1 <= options.steps <= all_steps:
        parser.error(
            f"--steps is {options.steps}; wanted a number from 1 to {all_steps}"
        )
    return options


def stopped(step: int, folder: Path) -> str:
    """What a person reads who has stopped a training.

    >>> print(stopped(200, Path("runs")))
    Stopped. The last checkpoint, in runs, is that of step 200; the same command
    goes on from there.
    >>> stopped(0, Path("runs"))
    'Stopped before the first checkpoint; the same command begins anew.'
    """
    if step == 0:
        return "Stopped before the first checkpoint; the same command begins anew."
    return _in_lines(
        f"Stopped. The last checkpoint, in {folder}, is that of step {step}; the same command goes on from there."
    )


def done_before(step: int, wanted: int, all_steps: int, folder: Path) -> str:
    """What a person reads who asks for a training that was done before.

    >>> print(done_before(60, 60, 60, Path("runs")))
    All 60 steps were made before; to begin anew, delete runs.
    >>> print(done_before(40, 20, 60, Path("runs")))
    Step 40 was reached before, and --steps 20 asks for no more. Ask for more, or
    leave it out, to go on; to begin anew, delete runs.
    """
    anew = f"to begin anew, delete {folder}."
    if step == all_steps:
        return _in_lines(f"All {all_steps} steps were made before; {anew}")
    return _in_lines(
        f"Step {step} was reached before, and --steps {wanted} asks for no more. Ask for more, or leave it out, to go on; {anew}"
    )


def _in_lines(sentence: str) -> str:
    """A sentence in lines that eighty columns hold; names of folders stay whole, so that one can copy them."""
    return textwrap.fill(sentence, 79, break_long_words=False, break_on_hyphens=False)


def with_progress(
    name: str,
    task: Task,
    folder: Path,
    settings: Settings,
    steps: int,
    watch: Callable[[Run], None] = lambda run: None,
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
        BarColumn(bar_width=10),
        MofNCompleteColumn(),
        TextColumn("{task.fields[said]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    with Progress(*columns, speed_estimate_period=120) as progress:
        bar = progress.add_task(name, total=steps, said="")

        def report(run: Run, loss: float) -> None:
            watch(run)
            progress.update(bar, completed=run.step, said=said(run, loss))

        return train(task, folder, settings, steps, report)


def said(run: Run, loss: float) -> str:
    """The loss of the last step and the first number of the last evaluation: as much as eighty columns hold."""
    last = run.history[-1] if run.history else {}
    seen = [f"{key} {value:.3f}" for key, value in last.items()]
    return ", ".join([f"loss {loss:.3f}", *seen[3:4]])  # after step, seconds, loss
