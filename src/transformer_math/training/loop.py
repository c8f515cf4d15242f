"""The loop that trains: batch, loss and gradient, clip, step; and everything that makes it safe to stop and repeat.

What is random in step t is drawn from a generator made of the seed and t. So a run that was interrupted goes on with
the same numbers as one that was not, and no state of a generator needs keeping: the seed and the step are the state.
"""

import json
import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Annotated, Any, Protocol, runtime_checkable

import numpy as np

from transformer_math import trees
from transformer_math.contract import Fraction, NonNegative, Positive, contract
from transformer_math.contract.scalars import WHOLE, Scalar, shown
from transformer_math.errors import require
from transformer_math.training._plain import plain
from transformer_math.training.adam import AdamState, adam_start, adam_step
from transformer_math.training.clipping import clip_by_norm

DIVERGED = 3.0  # a loss that is so many times that of the first step will not come back


@runtime_checkable
class Task(Protocol):
    """What the loop has to know of a model and its data."""

    @property
    def steps(self) -> int:
        """How many steps the whole training has."""

    @property
    def every(self) -> int:
        """After so many steps it is evaluated, and a checkpoint is written."""

    def initial(self, rng: np.random.Generator) -> Any:
        """The parameters to begin with: a tree of arrays."""

    def batch(self, rng: np.random.Generator, step: int) -> Any:
        """The data of a step, with everything about it that is random (dropout too)."""

    def loss_and_gradient(self, parameters: Any, batch: Any) -> tuple[float, Any]:
        """The loss, and its gradient in the form of the parameters."""

    def learning_rate(self, step: int) -> float:
        """How far this step goes; steps count from 1."""

    def evaluate(self, parameters: Any) -> dict[str, float]:
        """What is to be written beside the loss, by name: the quality on held-out data."""


Seed = Annotated[
    int,
    Scalar(
        WHOLE,
        int,
        lambda n: 0 <= n < 2**63,
        "a whole number from 0 to 2**63 - 1",
        "{name} = 0",
    ),
]


@contract
@dataclass(frozen=True)
class Settings:
    """What the optimiser is told: the seed, Adam's numbers, the bound of the gradients."""

    seed: Seed = 0
    beta_1: Fraction = 0.9
    beta_2: Fraction = 0.98
    eps: Positive = 1e-9
    weight_decay: NonNegative = 0.0
    largest_norm: Positive = 1.0


@dataclass(frozen=True)
class Run:
    """Where a training stands: the parameters, what Adam remembers, and a record for each evaluation."""

    parameters: Any
    adam: AdamState
    history: tuple[dict[str, int | float], ...] = ()

    @property
    def step(self) -> int:
        """How many steps were made."""
        return self.adam.step


class TrainingStopped(RuntimeError):
    """Training would not lead anywhere: the message says at which step, and in which parameters."""


def train(
    task: Task,
    folder: str | os.PathLike,
    settings: Settings = Settings(),
    steps: int | None = None,
    report: Callable[[Run, float], None] = lambda run, loss: None,
) -> Run:
    """Train up to `steps` (all of the task's by default), from the checkpoint in the folder or from nothing.

    After each step, and before its checkpoint, `report(run, loss)` is called.
    Raises ValueError for steps that the task has not, and where it answers with a loss that is not one number, or
    evaluates anything but finite ones; TrainingStopped where the loss or a gradient is no finite number, or the loss
    diverges; the last checkpoint stays whole.
    """
    require_steps(task, steps)
    run = resume(task, folder, settings)
    losses, began = [], process_time()
    while run.step < (task.steps if steps is None else steps):
        run, loss = one_step(task, run, settings)
        losses.append(loss)
        at_checkpoint = run.step % task.every == 0 or run.step == task.steps
        if at_checkpoint:
            run = recorded(task, run, float(np.mean(losses)), process_time() - began)
            losses, began = [], process_time()
        report(run, loss)
        if at_checkpoint:
            write_checkpoint(folder, run, settings, task)
    return run


def require_steps(task: Task, steps: int | None) -> None:
    """Raise ValueError where a number of steps is not whole, or more are asked for than the task has."""
    for name, number, least in (
        ("task.steps", task.steps, 0),
        ("task.every", task.every, 1),
        ("steps", task.steps if steps is None else steps, 0),
    ):
        require(
            isinstance(number, WHOLE) and bool(number >= least),
            f"{name} is {shown(number)}; wanted a whole number of at least {least}. Fix: {name} = {least} or more.",
        )
    require(
        steps is None or steps <= task.steps,
        f"steps is {steps}; wanted at most {task.steps}, which the task has. Fix: a task of more steps.",
    )


def one_step(task: Task, run: Run, settings: Settings) -> tuple[Run, float]:
    """One step: the run after it, and the loss that the batch had before it."""
    number = run.step + 1
    batch = task.batch(np.random.default_rng([settings.seed, number]), number)
    loss, gradients = task.loss_and_gradient(run.parameters, batch)
    stop_if_lost(number, loss, gradients, run.history)
    gradients = clip_by_norm(gradients, settings.largest_norm)
    rate, s = task.learning_rate(number), settings
    of_adam = s.beta_1, s.beta_2, s.eps, s.weight_decay
    parameters, adam = adam_step(run.parameters, gradients, run.adam, rate, *of_adam)
    return Run(parameters, adam, run.history), loss


def resume(task: Task, folder: str | os.PathLike, settings: Settings) -> Run:
    """The run as its last checkpoint has it; a new one where there is none.

    Raises ValueError for a checkpoint that was made with other settings, for another task or by another model, and
    for one that is damaged.
    """
    folder = Path(folder)
    start = task.initial(np.random.default_rng([settings.seed, 0]))
    empty = Run(start, adam_start(start))
    path = folder / "checkpoint.npz"
    if not path.exists():
        return empty
    refuse_other_task(task, folder)
    found = trees.load(path, like=_state(empty, settings))
    if found["settings"] != settings:
        raise ValueError(
            f"{path} was made with {found['settings']}; wanted {settings}. Fix: another folder, or delete that one."
        )
    history = _read(folder / "history.json", _is_history, "a list of records")
    kept = tuple(record for record in history if record["step"] <= found["adam"].step)
    return Run(found["parameters"], found["adam"], kept)


def refuse_other_task(task: Task, folder: Path) -> None:
    """Raise ValueError where the folder's checkpoint was made for a task that differs from this one."""
    told = folder / "task.json"
    began = _read(told, _is_task, "a task by name") if told.exists() else {}
    goes_on = plain(task)
    for name in {**began, **goes_on}:
        if began.get(name) != goes_on.get(name):
            raise ValueError(
                f"{folder} holds a training with {name} = {began.get(name)}; wanted {goes_on.get(name)}. "
                "Fix: another folder, or delete that one."
            )


def _read(path: Path, wanted: Callable[[Any], bool], said: str) -> Any:
    """What a file of a checkpoint holds beside the numbers; ValueError where it is not what was written."""
    try:
        found = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        found = None
    require(
        wanted(found),
        f"{path} is missing or damaged; wanted {said}. Fix: another folder, or delete that one.",
    )
    return found


def _is_task(found: Any) -> bool:
    return isinstance(found, dict)


def _is_history(found: Any) -> bool:
    return isinstance(found, list) and all(
        isinstance(record, dict)
        and {"step", "seconds", "loss"} <= record.keys()
        and all(isinstance(value, (int, float)) for value in record.values())
        for record in found
    )


def recorded(task: Task, run: Run, loss: float, seconds: float) -> Run:
    """The run with a record of where it stands: the mean loss since the last one, and what the task evaluates.

    The seconds are those of the processor, which do not depend on what else the machine does; they add up.
    """
    before = run.history[-1]["seconds"] if run.history else 0.0
    record = {"step": run.step, "seconds": before + seconds, "loss": loss}
    found = task.evaluate(run.parameters)
    _require_numbers(found, run.step)
    return Run(run.parameters, run.adam, (*run.history, record | found))


def _require_numbers(found: Any, step: int) -> None:
    """Raise ValueError where a task evaluates anything but finite numbers by name."""
    require(
        isinstance(found, dict),
        f"evaluate gave {shown(found)}; wanted numbers by name. Fix: return {{'accuracy': 0.5}}.",
    )
    for name, value in found.items():
        _require_number(name, value)
        require(
            math.isfinite(value),
            f"{name} is {value} after step {step}; wanted a finite number. Fix: evaluate what has one.",
        )


def _require_number(name: str, value: Any) -> None:
    """Raise ValueError where a task answers with anything but one number."""
    require(
        np.ndim(value) == 0 and np.asarray(value).dtype.kind in "iuf",
        f"{name} is {shown(value)}; wanted one number. Fix: the mean over the batch, such as float(losses.mean()).",
    )


def write_checkpoint(
    folder: str | os.PathLike, run: Run, settings: Settings, task: Task
) -> None:
    """Write task, history and state, each in one go: whoever interrupts finds the old file or the new one, never a half."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    _replace_text(folder / "task.json", json.dumps(plain(task)))
    _replace_text(folder / "history.json", json.dumps(run.history, indent=0))
    state = _state(run, settings)
    _replace(folder / "checkpoint.npz", lambda path: trees.save(path, state))


def _state(run: Run, settings: Settings) -> dict[str, Any]:
    return {"parameters": run.parameters, "adam": run.adam, "settings": settings}


def _replace_text(path: Path, text: str) -> None:
    _replace(path, lambda partial: partial.write_text(text, "utf-8"))


def _replace(path: Path, write: Callable[[Path], Any]) -> None:
    partial = path.with_suffix(".partial")
    write(partial)
    with partial.open("r+b") as written:
        os.fsync(written.fileno())  # on the disk before it takes the old one's place
    os.replace(partial, path)


def stop_if_lost(number: int, loss: Any, gradients: Any, history: tuple) -> None:
    """Raise TrainingStopped where the loss or a gradient is no finite number, or the loss is far above that of the first steps.

    A loss that began at 0 or below has no multiple to be compared with.
    Raises ValueError for a loss that is not one number.
    """
    _require_number("the loss", loss)
    if not (math.isfinite(loss) and _all_finite(gradients)):
        what = f"the loss is {loss:.3g}"
    elif history and loss > DIVERGED * history[0]["loss"] > 0:
        what = f"the loss is {loss:.3g}, more than {DIVERGED:g} times that of the first steps"
    else:
        return
    raise TrainingStopped(
        f"step {number}: {what}; {_suspect(gradients)}. "
        "Fix: a smaller learning rate, a longer warm-up or a smaller clipping length; the last checkpoint is whole."
    )


def _all_finite(gradients: Any) -> bool:
    return all(np.isfinite(g).all() for g in trees.leaves(gradients).values())


def _suspect(gradients: Any) -> str:
    """Where to look: the first leaf whose gradient is no number, else the one with the largest gradient."""
    found = trees.leaves(gradients)
    for place, g in found.items():
        if not np.isfinite(g).all():
            wrong = np.asarray(g)[~np.isfinite(g)][0]
            return f"the gradient of {place} holds {wrong}"
    largest = max(found, key=lambda place: np.abs(found[place]).max())
    return f"the largest gradient, {np.abs(found[largest]).max():.3g}, is that of {largest}"
