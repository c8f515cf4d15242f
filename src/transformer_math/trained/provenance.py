"""Where a committed model came from: the command, the commit, the processor and the versions that made it."""

import json
import platform
import subprocess
from pathlib import Path

import numpy as np

from transformer_math.trained.committed import FOLDER, read_history, read_texts
from transformer_math.training.loop import Settings, Task

CPU = Path("/proc/cpuinfo")


def provenance(name: str) -> dict[str, str]:
    """What is true of a training that ends here and now."""
    return {
        "command": f"make train MODEL={name}",
        "commit": commit(),
        "processor": processor(),
        "versions": f"Python {platform.python_version()}, NumPy {np.__version__}",
    }


def commit(folder: Path = FOLDER) -> str:
    """The commit of the program, with a note where any of its files differs from it; nothing outside a repository."""
    try:
        found = _git(folder, "rev-parse", "HEAD")
        changed = _git(folder, "status", "--porcelain", "--", ":(top)*.py")
    except (OSError, subprocess.CalledProcessError):
        return ""
    return f"{found} and changes" if changed else found


def _git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(
        command, check=True, capture_output=True, text=True
    ).stdout.strip()


def processor(described: Path = CPU) -> str:
    """The processor's name, as the system gives it."""
    lines = described.read_text("utf-8").splitlines() if described.exists() else []
    names = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def card(name: str, task: Task, settings: Settings) -> list[list[str]]:
    """The rows of a model's card that say how it was trained, from what stands in its checkpoint and its history."""
    made = json.loads(read_texts(name)["made"])
    at, with_changes = made["commit"][:7], made["commit"][40:]
    rates = [task.learning_rate(step) for step in range(1, task.steps + 1)]
    peak = int(np.argmax(rates))
    seconds = read_history(name)[-1]["seconds"]
    return [
        [
            "learning rate",
            f"up to {rates[peak]:.3g} in {peak + 1} steps, then down to {rates[-1]:.0g} along half a cosine wave",
        ],
        [
            "optimiser",
            f"Adam with $\\beta_1$ = {settings.beta_1}, $\\beta_2$ = {settings.beta_2}; gradients clipped at length "
            f"{settings.largest_norm:g}; weight decay {settings.weight_decay:g}; no dropout; seed {settings.seed}",
        ],
        ["trained by", f"{made['command']}, at commit {at}{with_changes}"],
        ["on", f"{made['processor']}; {made['versions']}"],
        ["time", f"{seconds / 60:.1f} minutes of one core, evaluations included"],
        ["intended use", "to be looked into, on the pages of this book"],
    ]
