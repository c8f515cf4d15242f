"""How long the book takes to build: from nothing, and again when nothing has changed."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from benchmarks.table import Row

ROOT = Path(__file__).resolve().parents[2]


def copy_tree(target: Path) -> None:
    """Copy what git holds or would hold (no build, no caches); fetched assets are shared, so nothing is downloaded."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)
    if (ROOT / ".cache").exists():
        (target / ".cache").symlink_to(ROOT / ".cache")


def build(folder: Path) -> float:
    """Build the copy, with the copy's package, and return the seconds it took."""
    environment = os.environ | {"PYTHONPATH": str(folder / "src"), "PYTHONDONTWRITEBYTECODE": ""}
    command = [sys.executable, "tools/build.py"]
    start = perf_counter()
    result = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=900)
    seconds = perf_counter() - start
    if result.returncode != 0:
        raise RuntimeError(f"the copy was not built:\n{result.stdout[-3000:]}\n{result.stderr[-3000:]}")
    return seconds


def rows() -> list[Row]:
    """A cold build and a warm one, in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="book-") as name:
        folder = Path(name) / "book"
        copy_tree(folder)
        cold, warm = build(folder), build(folder)
    return [Row("build, cold, without installation", cold, "s", at_most=120), Row("build, nothing changed", warm, "s")]
