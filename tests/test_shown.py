"""What a page shows as the code of an equation is the equation: few lines, and no helper that the page hides."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable
from functools import cache
from importlib import import_module
from statistics import median

import pytest
from conftest import ROOT

from transformer_math.plots import source

PAGES = sorted((ROOT / "book").rglob("*.md"))
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(?::[^\n]*\n)*(.*?)^```$", re.M | re.S)
LONGEST, TYPICAL = 14, 3


@cache
def pages() -> dict[str, dict[str, Callable]]:
    """By page, what its cells hand to `source`, by name."""
    found = {str(page.relative_to(ROOT)): shown_on(page) for page in PAGES}
    return {page: shown for page, shown in found.items() if shown}


def shown_on(page) -> dict[str, Callable]:
    cells = CELL.findall(page.read_text("utf-8"))
    nodes = [node for cell in cells for node in ast.walk(ast.parse(cell))]
    calls = [n for n in nodes if isinstance(n, ast.Call)]
    sources = [c for c in calls if getattr(c.func, "id", None) == "source"]
    imports = [n for n in nodes if isinstance(n, ast.ImportFrom)]
    module_of = {name.name: n.module for n in imports for name in n.names}
    names = [argument.id for call in sources for argument in call.args]
    return {
        name: inspect.unwrap(getattr(import_module(module_of[name]), name))
        for name in names
    }


def tree(shown: Callable) -> ast.FunctionDef | ast.ClassDef:
    return ast.parse(textwrap.dedent(source(shown).code)).body[0]


def body(shown: Callable) -> list[str]:
    """The lines below the signature and the docstring."""
    first, *others = tree(shown).body
    statements = others if isinstance(getattr(first, "value", None), ast.Constant) else [first, *others]  # fmt: skip
    lines = source(shown).code.splitlines()
    begin = statements[0].lineno - 1 if statements else len(lines)
    return [line for line in lines[begin:] if line.strip()]


def hidden(shown: Callable, page: dict[str, Callable]) -> set[str]:
    """The private helpers in the body of a function: with an underscore, or from a module that has one.

    What only refuses bad input, `require…` or `known_ids`, is no part of the equation.
    """
    nodes = [node for part in tree(shown).body for node in ast.walk(part)]
    refusals = [n for n in nodes if isinstance(n, ast.Call) and getattr(n.func, "id", "").startswith("require")]  # fmt: skip
    told = {id(n) for refusal in refusals for n in ast.walk(refusal)}
    names = {n.id for n in nodes if isinstance(n, ast.Name) and id(n) not in told}
    scope = vars(inspect.getmodule(shown))
    return {name for name in names & scope.keys() if is_private(name, scope[name])} - page.keys()  # fmt: skip


def is_private(name: str, value: object) -> bool:
    place = getattr(inspect.unwrap(value) if callable(value) else value, "__module__", None) or ""  # fmt: skip
    ours = place.startswith("transformer_math.") and "._" in place
    return name.startswith("_") or (ours and name != "known_ids")  # fmt: skip


SHOWN = [(page, name) for page, shown in pages().items() for name in shown]


def test_the_pages_show_functions():
    assert len(SHOWN) > 180
    assert pages()["book/attention/scaled_dot_product.md"]["softmax"].__name__ == "softmax"  # fmt: skip


@pytest.mark.parametrize(("page", "name"), SHOWN)
def test_what_is_shown_rests_on_nothing_that_the_page_hides(page, name):
    found = hidden(pages()[page][name], pages()[page])
    fix = f"write {found} inline, or show it too"
    assert found == set(), fix


@pytest.mark.parametrize(("page", "name"), SHOWN)
def test_no_guard_stands_above_what_is_shown(page, name):
    own = {"property", "classmethod", "dataclass"}
    above = tree(pages()[page][name]).decorator_list
    named = {getattr(part, "func", part).id for part in above}
    assert named <= own, "write them into GUARDS of plots/source.py"


@pytest.mark.parametrize(("page", "name"), SHOWN)
def test_what_is_shown_is_short(page, name):
    length = len(body(pages()[page][name]))
    assert length <= LONGEST, f"{length} lines; wanted at most {LONGEST}"


def test_most_of_what_is_shown_is_very_short():
    shown = {f for functions in pages().values() for f in functions.values()}
    assert median(len(body(function)) for function in shown) <= TYPICAL


def test_a_hidden_helper_is_found():
    from transformer_math.output import _continuations, beam

    beam = inspect.unwrap(beam)
    assert hidden(beam, {}) == {"continuations"}
    assert hidden(beam, {"continuations": _continuations.continuations}) == set()


def test_lines_are_counted_without_signature_docstring_and_guards():
    from transformer_math.output import greedy

    assert body(inspect.unwrap(greedy))[0] == "    ids = start"
    assert len(body(inspect.unwrap(greedy))) == 6
