"""`make try` tries every part of one idea, says what came of each, and ends with 1 where one is not well."""

import sys
from dataclasses import replace

import examples
import pytest
from conftest import ROOT

import try_idea
from transformer_math.formulas.book import displayed


@pytest.fixture
def parts(monkeypatch):
    """Two parts in the place of the real ones: one is tried here, one in a process."""
    monkeypatch.setattr(try_idea, "PARTS", {"lint": lambda idea: ""})
    monkeypatch.setattr(try_idea, "PROCESSES", {"tests": ending_with(0)})
    return try_idea


def ending_with(code):
    program = f"print('said by it'); raise SystemExit({code})"
    return lambda idea: try_idea.started(sys.executable, "-c", program)


def test_each_part_has_a_line_and_the_last_one_says_that_all_is_well(parts, capsys):
    assert parts.main("position/rope") == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert lines == ["✓ lint", "✓ tests"]
    assert last.startswith("position/rope: all is well, in ")


def test_what_is_wrong_is_said_and_ends_with_1(parts, capsys):
    parts.PARTS["lint"] = lambda idea: f"a long line in {idea}"
    parts.PROCESSES["tests"] = ending_with(1)
    assert parts.main("position/rope") == 1
    *lines, last = capsys.readouterr().out.splitlines()
    assert lines == ["✗ lint", "a long line in position/rope", "✗ tests", "said by it"]
    assert last.startswith("position/rope: not well: lint, tests, in ")


@pytest.mark.parametrize("idea", ["tokenization/digamma", "training/adam"])
def test_the_formulas_of_a_module_without_a_chapter_are_run(idea):
    assert not (ROOT / "book" / f"{idea}.md").exists()
    book = displayed(ROOT, (ROOT / "book").rglob("*.md"))
    found = {formula.name for formula in try_idea.own_formulas(idea, book)}
    assert found == {check.equation for check in try_idea.own_checks(idea)} != set()


def test_an_idea_that_is_not_there_is_refused():
    with pytest.raises(SystemExit, match="Fix: make try IDEA=position/rope"):
        try_idea.main("position/no_such_idea")


def test_the_rooms_of_an_idea_are_found():
    found = {str(path.relative_to(ROOT)) for path in try_idea.files("position/rope")}
    package = "src/transformer_math"
    assert found >= {
        f"{package}/position/rope.py",
        f"{package}/checks/position/rope.py",
        f"{package}/explorables/position/rope.py",
        "tests/position/test_rope.py",
        "tests/position/about_rope.py",
    }


def test_examples_are_made_for_the_functions_of_the_idea_alone(monkeypatch):
    given = {}
    monkeypatch.setattr(try_idea, "started", lambda *words, **more: given.update(more))
    try_idea.tests("position/rope")
    assert given["tried"] == try_idea.functions("position/rope")
    offered = {function.__name__: function for function in examples.public_functions()}
    for tried, wanted in ((given["tried"], False), ([], True)):
        monkeypatch.setattr(examples, "TRIED", tried)
        assert all(examples.is_tried(offered[name]) for name in given["tried"])
        assert examples.is_tried(offered["softmax"]) is wanted


def test_a_wrong_formula_in_a_check_is_told(monkeypatch):
    from transformer_math.checks import all_checks

    registry, name = all_checks(), "softmax_equals_torch"
    wrong = registry[name].wrong_versions[0].implementation
    monkeypatch.setattr(wrong, "__module__", "transformer_math.attention.softmax")
    assert try_idea.checks("attention/softmax") == ""
    monkeypatch.setitem(registry, name, replace(registry[name], target=wrong))
    assert name in try_idea.checks("attention/softmax")
