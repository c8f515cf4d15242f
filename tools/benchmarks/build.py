"""How long the book takes to build: from nothing, and again when nothing has changed."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from subprocess import PIPE, STDOUT
from time import perf_counter

from benchmarks.table import Row

ROOT = Path(__file__).resolve().parents[2]


def copy_tree(target: Path) -> None:
    """Copy all but builds and caches; fetched assets are shared: nothing is downloaded."""
    unwanted = shutil.ignore_patterns(".*", "_build", "__pycache__", "*.egg-info")
    shutil.copytree(ROOT, target, ignore=unwanted)
    if (ROOT / ".cache").exists():
        (target / ".cache").symlink_to(ROOT / ".cache")


def build(folder: Path) -> float:
    """Build the copy, with the copy's package, and return the seconds it took."""
    environment = os.environ | {"PYTHONPATH": str(folder / "src")}
    command = [sys.executable, "tools/build.py"]
    start = perf_counter()
    done = subprocess.run(
        command, cwd=folder, env=environment, stdout=PIPE, stderr=STDOUT
    )
    if done.returncode != 0:
        raise RuntimeError(f"the copy was not built:\n{done.stdout.decode()[-5000:]}")
    return perf_counter() - start


def rows() -> list[Row]:
    """A cold build and a warm one, in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="book-") as name:
        folder = Path(name) / "book"
        copy_tree(folder)
        cold, warm = build(folder), build(folder)
    return [
        Row("build, cold, without installation", cold, "s", at_most=120),
        Row("build, nothing changed", warm, "s"),
    ]
