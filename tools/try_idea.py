"""`make try IDEA=position/rope`: lint, types, checks, printed formulas, tests and chapter of one idea, for the daily loop.

One line says what came of each part, and what was wrong with it below. `make test` remains the last word: it asks the
ideas that build on this one too.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "transformer_math"
BIN = Path(sys.executable).parent
OF_ALL_IDEAS = [  # of these tests, the ones that name a function of the idea
    "tests/test_abouts.py",
    "tests/contract/test_every_function.py",
    "tests/checks/test_arguments.py",
    "tests/checks/test_grading.py",
    "tests/gradient/test_every_twin.py",
]
Part = Callable[[str], str]  # what was wrong with it; nothing, if all is well


def main(idea: str) -> int:
    """Try every part of an idea; 1 where one of them is not well."""
    if not (PACKAGE / f"{idea}.py").exists():
        raise SystemExit(f"there is no {idea}. Fix: make try IDEA=position/rope")
    start, failed = time.perf_counter(), []
    waiting = {name: begun(idea) for name, begun in PROCESSES.items()}
    for name, part in PARTS.items():
        say(name, part(idea), failed)
    for name, process in waiting.items():
        said, _ = process.communicate()
        say(name, said if process.returncode else "", failed)
    verdict = f"not well: {', '.join(failed)}" if failed else "all is well"
    print(f"{idea}: {verdict}, in {time.perf_counter() - start:.0f} s", flush=True)
    return 1 if failed else 0


def say(name: str, wrong: str, failed: list[str]) -> None:
    """One line for a part, and below it what was wrong."""
    print(f"{'✗' if wrong else '✓'} {name}", flush=True)
    if wrong:
        failed.append(name)
        print(wrong.strip(), flush=True)


def files(idea: str) -> list[Path]:
    """The Python files of an idea, in every room."""
    group, _, name = idea.partition("/")
    rooms = [*PACKAGE.glob(f"*/{idea}.py"), PACKAGE / f"{idea}.py"]
    tests = (ROOT / "tests" / group).glob("*.py")
    stems = (f"test_{name}", f"about_{name}")
    return [*rooms, *(path for path in tests if path.stem in stems)]


def started(*command: str | Path, tried: Iterable[str] = ()) -> subprocess.Popen:
    """A process that goes on while the other parts are tried."""
    extensions = str(ROOT / "book" / "_ext")
    env = {"OMP_NUM_THREADS": "1", "PYTHONPATH": extensions, "TRIED": " ".join(tried)}
    return subprocess.Popen(
        [*map(str, command)],
        cwd=ROOT,
        env=os.environ | env,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def types(idea: str) -> subprocess.Popen:
    """The type checker, on the files of the package."""
    own = [path for path in files(idea) if PACKAGE in path.parents]
    return started(BIN / "mypy", *own)


def tests(idea: str) -> subprocess.Popen:
    """Its own tests, and those of all ideas that name one of its functions."""
    group, _, name = idea.partition("/")
    own = (ROOT / "tests" / group).glob(f"test_{name}*.py")
    named = " or ".join({f"test_{name}", idea, *functions(idea)})
    command = (
        sys.executable,
        "-m",
        "pytest",
        "-n",
        "0",
        "-q",
        "--tb=short",
        "-p",
        "no:cacheprovider",
    )
    options = ("-k", named, *own, *OF_ALL_IDEAS)
    return started(*command, *options, tried=functions(idea))


def functions(idea: str) -> list[str]:
    """The names that the module offers."""
    from transformer_math.exports import definitions

    return definitions((PACKAGE / f"{idea}.py").read_text("utf-8"))


def lint(idea: str) -> str:
    """Ruff, on all files of the idea."""
    said = []
    for options in (["check", "--output-format=concise"], ["format", "--check"]):
        process = started(BIN / "ruff", *options, *files(idea))
        words, _ = process.communicate()
        said += [words] if process.returncode else []
    return "\n".join(said)


def own_checks(idea: str) -> list:
    """The checks of what its module defines."""
    from transformer_math.checks import all_checks

    module = f"transformer_math.{idea.replace('/', '.')}"
    return [c for c in all_checks().values() if c.target.__module__ == module]


def checks(idea: str) -> str:
    """Its checks, which the function must pass and every wrong version must not."""
    from transformer_math.checks import prove

    proofs = [prove(check) for check in own_checks(idea)]
    return "\n".join(
        f"{proof.check.name}: {proof.outcome.exception or proof.outcome.error}; "
        f"accepted: {[wrong.name for wrong in proof.missed]}; never visited: {[*proof.unvisited]}"
        for proof in proofs
        if not proof.holds
    )


def formulas(idea: str) -> str:
    """The formulas of its chapter, and those of its checks on other pages, run as printed."""
    from transformer_math.formulas.book import displayed
    from transformer_math.formulas.verdict import judge, open_engine

    book = displayed(ROOT, (ROOT / "book").rglob("*.md"))
    with open_engine(book) as engine:
        verdicts = [judge(engine, formula) for formula in own_formulas(idea, book)]
    return "\n".join(f"{v.formula.name}: {v.problem}" for v in verdicts if v.problem)


def own_formulas(idea: str, book: list) -> list:
    """Of all formulas, those of the idea's chapter and of its checks: a module may have no chapter of its own."""
    checked = {check.equation for check in own_checks(idea)}
    return [f for f in book if f.page == f"book/{idea}" or f.name in checked]


CHAPTER = """
import sys
from pathlib import Path
from chapter_form import copyable, missing, parts_of
from execution import run
page = Path(sys.argv[1])
text = page.read_text("utf-8")
lacks = [*missing(text, parts_of(page)), *copyable(text)]
*_, fault = run(page)
sys.exit("\\n".join([*lacks, fault]).strip() or None)
"""


def chapter(idea: str) -> subprocess.Popen:
    """Its parts; its cells, from the first to the last; its solutions, which their graders must accept."""
    page = ROOT / "book" / f"{idea}.md"
    code = CHAPTER if page.exists() else ""
    return started(sys.executable, "-c", code, page)


PROCESSES = {"types": types, "chapter": chapter, "tests": tests}
PARTS: dict[str, Part] = {
    "lint": lint,
    "checks": checks,
    "formulas": formulas,
}


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
