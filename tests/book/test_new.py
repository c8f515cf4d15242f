"""`make new` writes every room of an idea, and the contract names what is still to be written in each of them."""

import os
import re
import shutil
import subprocess
import sys
import tomllib

import pytest
from chapter_form import faults
from conftest import ROOT
from contents import chapters

from new import EXPLORABLE, ROOMS, TEMPLATES, named, new
from transformer_math.formulas.answers import marked
from transformer_math.formulas.book import formulas_of
from transformer_math.formulas.notation import PAGE, own_rows, rows_of
from transformer_math.formulas.verdict import open_engine


@pytest.fixture
def copy(tmp_path):
    """A copy of the book, the package and the tests."""
    for name in ("book", "src", "tests"):
        unwanted = shutil.ignore_patterns("*.pyc.*", "*.egg-info", "_ext")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=unwanted)
    for name in ("_toc.yml", "pyproject.toml", "requirements.txt"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def test_every_room_stands_and_what_is_missing_is_named(copy):
    assert faults(copy) == []
    new("block/batch_norm", explorable=True, root=copy)
    found = faults(copy)
    for room in (ROOMS | EXPLORABLE).values():
        room = named(room, "block/batch_norm")
        assert (copy / room).exists()
        assert any(fault.startswith(f"{room}, line ") for fault in found), room
    assert all("still to be written" in fault for fault in found)  # no part lacks


KINDS = {  # what the exercise of each kind begins with, and what makes it answer
    "pencil": (r"With pencil", r"\bask\("),
    "predict": (r"Predict", r"\bpredict\("),
    "write": (r".{6}write it", r"\bgrade_written\(my_"),
    "break": (r".{6}break it", r"(?s)\bgrade\(broken.*\bchoose\("),
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_chapter_has_an_exercise_of_each_kind(copy, kind):
    new("block/batch_norm", root=copy)
    text = (copy / "book" / "block" / "batch_norm.md").read_text("utf-8")
    own = text.split(f":label: ex-batch-norm-{kind}\n")[1].split("```{exercise}")[0]
    begins, answers = KINDS[kind]
    assert re.match(rf"\*\*{begins}\b", own)
    assert re.search(answers, own) and "{dropdown} Hint" in own and "Solution" in own


def test_the_rooms_are_in_order_as_they_stand(copy):
    files = new("block/batch_norm", explorable=True, root=copy)
    python = [str(file) for file in files if file.suffix == ".py"]
    for command in ("check", "format --check"):
        ruff = [sys.executable, "-m", "ruff", *command.split(), *python]
        done = subprocess.run(ruff, capture_output=True, text=True, cwd=copy)
        assert done.returncode == 0, done.stdout


def test_the_new_function_is_found_and_passes_its_stub_of_a_check(copy):
    new("block/batch_norm", root=copy)
    code = (
        "from transformer_math.block import batch_norm\n"
        "from transformer_math.checks import checks_for, prove\n"
        "(check,) = checks_for(batch_norm)\n"
        "print(prove(check).holds)\n"
    )
    command = [sys.executable, "-c", code]
    env = {"PYTHONPATH": str(copy / "src")}
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.stdout == "True\n", done.stderr


def test_the_chapter_stands_behind_the_last_of_its_group(copy):
    def order():
        return [f"{page.parent.name}/{page.stem}" for page in chapters(copy)]

    def last(group):
        return [name for name in order() if name.startswith(f"{group}/")][-1]

    before = {group: last(group) for group in ("position", "output")}
    new("position/xpos", root=copy)
    new("modality/patches", root=copy)
    names = order()
    assert names[names.index(before["position"]) + 1] == "position/xpos"
    assert names[names.index(before["output"]) + 1] == "modality/patches"
    front = copy / "src" / "transformer_math" / "modality" / "__init__.py"
    assert "from transformer_math.modality.patches import patches" in front.read_text(
        "utf-8"
    )


def test_the_symbols_of_a_new_formula_answer_in_every_group():
    groups = {page.parent.name for page in (ROOT / "book").glob("[a-z]*/*.md")}
    template = (TEMPLATES / "chapter.md").read_text("utf-8")
    ideas = [f"{group}/new_in_{group}" for group in groups | {"a_new_group"}]
    pages = {f"book/{idea}": named(template, idea) for idea in ideas}
    rows = [row for page, text in pages.items() for row in own_rows(text, page)]
    rows += rows_of((ROOT / f"{PAGE}.md").read_text("utf-8"))
    formulas = [one for page, text in pages.items() for one in formulas_of(text, page)]
    with open_engine(formulas) as engine:
        found = marked(formulas, rows, engine)
    assert len(found) == len(ideas) > 10
    assert not [fault for one in found.values() for fault in one.faults]


def test_a_new_group_keeps_the_rules_on_imports(copy):
    def rules():
        read = tomllib.loads((copy / "pyproject.toml").read_text("utf-8"))
        return read["tool"]["importlinter"]["contracts"]

    before = rules()
    new("position/xpos", root=copy)
    assert rules() == before
    new("modality/patches", root=copy)
    floors, alone = rules()
    [floor] = [floor for floor in floors["layers"] if "output" in floor.split(" : ")]
    assert "modality" in floor.split(" : ")
    assert "transformer_math.modality" in alone["source_modules"]


@pytest.mark.parametrize("idea", ["rope", "position/rope", "Position/Xpos", "a/b/c"])
def test_a_name_that_is_taken_or_none_is_refused(copy, idea):
    with pytest.raises(SystemExit, match="Fix:"):
        new(idea, root=copy)


OF_ALL_IDEAS = [  # tests that look at every idea, or hold a list that a new one could be missing from
    "tests/test_abouts.py",
    "tests/contract/test_every_function.py",
    "tests/checks/test_registry.py",
    "tests/checks/test_arguments.py",
    "tests/checks/test_grading.py",
    "tests/gradient/test_every_twin.py",
    "tests/book/test_numbers.py",
    "tests/explorables/test_every_explorable.py",
    "tests/explorables/test_tasks.py",
]
OF_ONE = (
    "batch_norm and not minus_sign or test_every_public or test_every_grader"
    " or test_every_idea or test_every_numbered or test_no_reason or words_of_all"
)


def test_the_tests_of_all_ideas_take_the_new_one_as_it_stands(copy):
    new("block/batch_norm", explorable=True, root=copy)
    shutil.copy(ROOT / "conftest.py", copy)
    for path in (".cache", "_build", "book/_ext", "tools"):
        (copy / path).symlink_to(ROOT / path)
    command = [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, "-vv", "-k", OF_ONE, *OF_ALL_IDEAS],
        env={**os.environ, "PYTHONPATH": str(copy / "src")},
        capture_output=True,
        text=True,
        cwd=copy,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert all(path in done.stdout for path in OF_ALL_IDEAS)
