"""The mutation run: a sample of it is clean, and it notices what no test notices."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import ROOT

from mutants import figures
from mutation.mutators import mutants_of

UNTESTED = '''"""A function that no test knows."""


def untested(x: float) -> float:
    """Double a number."""
    return x + x
'''

UNFINISHED = shutil.ignore_patterns("*.pyc.*")  # another process may be writing


def run(root: Path, *options: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-W", "ignore", "tools/mutants.py", *options],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root / "src")},
        capture_output=True,
        text=True,
    )


@pytest.fixture
def scratch(tmp_path):
    """A copy of the package with the checks and the tests of one group."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=UNFINISHED)
    for group in tmp_path.glob("src/transformer_math/checks/[a-z]*/"):
        if group.name != "output":
            shutil.rmtree(group)
    shutil.copytree(ROOT / "tools", tmp_path / "tools", ignore=UNFINISHED)
    shutil.copytree(
        ROOT / "tests" / "output", tmp_path / "tests" / "output", ignore=UNFINISHED
    )
    for path in (ROOT / "pyproject.toml", *ROOT.glob("*.py"), *ROOT.glob("tests/*.py")):
        if not path.name.startswith("test_"):
            shutil.copy(path, tmp_path / path.relative_to(ROOT))
    (tmp_path / ".cache").symlink_to(ROOT / ".cache")  # texts that checks read
    return tmp_path


def test_a_sample_of_a_modules_mutants_is_killed_or_listed(scratch):
    result = run(scratch, "--only", "output/probabilities", "--sample", "12")
    assert result.returncode == 0, result.stdout + result.stderr
    tried = re.search(r"^(\d+) mutants in", result.stdout, re.MULTILINE)
    assert int(tried[1]) >= 9, "the others could not be put into running functions"


def test_a_function_without_a_test_is_noticed(scratch):
    module = scratch / "src" / "transformer_math" / "output" / "untested.py"
    module.write_text(UNTESTED, "utf-8")
    result = run(scratch, "--only", "output/untested")
    assert result.returncode == 1, result.stdout + result.stderr
    assert "NOT LISTED output/untested.untested: x + x → x - x" in (result.stdout)
    assert "0 killed: 0.0%" in result.stdout


def test_a_package_that_fails_by_itself_measures_nothing(scratch):
    module = scratch / "src" / "transformer_math" / "output" / "probabilities.py"
    source = module.read_text("utf-8")
    module.write_text(source.replace("return ", "return -1.0 * ", 1), "utf-8")
    result = run(scratch, "--only", "output/probabilities")
    assert result.returncode == 1
    assert "nothing can be measured" in result.stdout


def test_tests_that_cannot_be_loaded_measure_nothing(scratch):
    (scratch / "tests" / "conftest.py").write_text("import no_such_module", "utf-8")
    assert run(scratch, "--only", "output/probabilities").returncode == 1


SYMMETRIC = """
@requires(lambda x: x.min() > 0, "x is {x}. Fix: abs(x).")
def twice(x, y):
    return (x - y) ** 2 + np.vecdot(x, y) * np.argsort(x, axis=-1)
"""


@pytest.fixture
def mutants(tmp_path):
    """The mutants of a small module, by how they read."""
    path = tmp_path / "twice.py"
    path.write_text(SYMMETRIC, "utf-8")
    return {mutant.mutation: mutant for mutant in mutants_of(path)}


def test_what_changes_nothing_by_construction_is_not_made(mutants):
    assert not mutants.keys() & {
        "x - y → y - x",
        "np.vecdot(x, y) → np.vecdot(y, x)",
        "np.argsort(x, axis=-1) → np.argsort(x)",
    }
    assert {"x - y → x + y", "axis=-1 → axis=1"} <= mutants.keys()


def test_conditions_on_the_input_are_known(mutants):
    of_input = {name for name, mutant in mutants.items() if mutant.of_input}
    assert "x.min → x.max" in of_input and "x - y → x + y" not in of_input


def test_what_tests_alone_noticed_is_told(mutants):
    outcomes = dict.fromkeys(mutants, "checks")
    outcomes |= {"x - y → x + y": "tests", "x.min → x.max": "tests"}
    session = SimpleNamespace(
        results=[(mutant, outcomes[name]) for name, mutant in mutants.items()],
        checks=[SimpleNamespace(target=twice)],
        survivors=lambda: [],
        explained=lambda mutant: False,
    )
    told = figures(session, 1.0)
    assert f"TESTS ALONE {mutants['x - y → x + y'].name}" in told
    assert told.count("TESTS ALONE") == 2
    inside = sum(not mutant.of_input for mutant in mutants.values())
    assert f"{inside}, {(inside - 1) / inside:.1%}" in told


def twice(x, y):
    """What the check would be of."""


twice.__module__ = "book.twice"
