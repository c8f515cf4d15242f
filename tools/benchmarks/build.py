"""How long the book takes to build: from nothing, and from an edit to the finished page."""

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


EDITS = {  # a file of the copy, and a line for its end
    "position/rope.py": ("src/transformer_math/position/rope.py", "# an edit"),
    "a chapter's text": ("book/position/rope.md", "An edit."),
    "a chapter's code": (
        "book/position/rope.md",
        "```{code-cell} ipython3\nsay('An edit.')\n```",
    ),
    "a style sheet": ("book/_static/book.css", "article { color: inherit; }"),
}
AIMS = {"a style sheet": 5}


def edited(folder: Path, name: str, line: str) -> float:
    """The seconds from a line more in a file to the finished page."""
    with (folder / name).open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    return build(folder)


def rows() -> list[Row]:
    """A cold build, one with nothing changed, and one after each kind of edit, in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="book-") as name:
        folder = Path(name) / "book"
        copy_tree(folder)
        measured = [
            Row("build, cold, without installation", build(folder), "s", at_most=240),
            Row("build, nothing changed", build(folder), "s", at_most=2),
        ]
        for what, (file, line) in EDITS.items():
            seconds = edited(folder, file, line)
            aim = AIMS.get(what)
            measured.append(
                Row(f"build after an edit in {what}", seconds, "s", at_most=aim)
            )
    return measured
