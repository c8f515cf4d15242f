"""Measure build, pages, explorables, attention, trainings and tokenizers; print one table.

Speed is measured and never asserted: only a crash makes this fail.
"""

import argparse
import importlib
import os
import pickle
import platform
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from benchmarks.table import Row, render

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
TWO, ONE = dict.fromkeys(THREADS, "2"), dict.fromkeys(THREADS, "1")
# Each runs in a process of its own, since libraries read these variables when they are loaded.
BENCHMARKS = {
    "build": ONE,
    "pages": ONE,
    "explorables": ONE,
    "attention": TWO,
    "training": ONE,
    "word_vectors": ONE,
    "unigram": ONE,
    "bpe": ONE | {"RAYON_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"},
    "encoding": ONE | {"RAYON_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"},
    "word_piece": ONE | {"RAYON_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"},
}


def machine() -> str:
    """What all this was measured on."""
    packages = ("numpy", "torch", "tokenizers", "jupyter-book")
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    python = f"Python {platform.python_version()}"
    return f"{os.cpu_count()} cores, {processor()}\n{python}, {versions}"


def processor() -> str:
    """The processor's name, as far as the system tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    found = (line.split(":")[1].strip() for line in lines if "model name" in line)
    return next(found, platform.processor() or platform.machine())


def measure(name: str) -> list[Row] | None:
    """Run one benchmark in a process of its own; None if it crashed."""
    print(f"{name} …", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "rows"
        command = [sys.executable, __file__, "--write", str(result), "--only", name]
        environment = os.environ | BENCHMARKS[name]
        done = subprocess.run(command, env=environment, stdout=sys.stderr)
        return pickle.loads(result.read_bytes()) if done.returncode == 0 else None


def names(text: str) -> list[str]:
    """The benchmarks named, separated by commas."""
    chosen = text.split(",")
    unknown = [name for name in chosen if name not in BENCHMARKS]
    if unknown:
        raise argparse.ArgumentTypeError(
            f"there is no benchmark {unknown[0]!r}; there are {', '.join(BENCHMARKS)}"
        )
    return chosen


def main() -> None:
    """Print one table; exit with 1 only if a benchmark crashed."""
    parser = argparse.ArgumentParser(description=__doc__)
    some = "some of " + ",".join(BENCHMARKS)
    parser.add_argument("--only", type=names, default=list(BENCHMARKS), help=some)
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.write:
        rows = importlib.import_module(f"benchmarks.{options.only[0]}").rows()
        options.write.write_bytes(pickle.dumps(rows))
        return
    results = {name: measure(name) for name in options.only}
    table = render([row for rows in results.values() for row in rows or []])
    print(f"\n{machine()}\n\n{table}")
    crashed = [name for name, rows in results.items() if rows is None]
    if crashed:
        sys.exit(f"\nCrashed: {', '.join(crashed)}; see above.")


if __name__ == "__main__":
    main()
