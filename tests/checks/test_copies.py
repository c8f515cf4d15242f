"""A copy of the book's own code is no answer to an exercise that asks to write it, and an answer is no copy."""

import ast
import inspect
import re
import sys
import textwrap

import numpy as np
import pytest
from abouts import listed
from conftest import ROOT

from transformer_math.attention import attention, softmax
from transformer_math.block import swiglu
from transformer_math.checks import all_checks, grade, grade_written
from transformer_math.checks.copies import only_calls, same_code
from transformer_math.model import encoder
from transformer_math.output import top_k

pytestmark = pytest.mark.usefixtures("a_readers_notebook")

WRITTEN = re.compile(r"\bgrade_written\(\w+, like=(\w+)\)")
TARGETS = {check.target.__name__: check.target for check in all_checks().values()}
TO_WRITE = sorted(
    {
        name
        for page in (ROOT / "book").glob("*/*.md")
        for name in WRITTEN.findall(page.read_text("utf-8"))
    }
)


class Renamed(ast.NodeTransformer):
    """The names of a function, its arguments and variables turned round; no decorators, docstrings and annotations."""

    def __init__(self, tree):
        found = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        found |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}  # fmt: skip
        stored = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
        found |= {node.id for node in stored if isinstance(node.ctx, ast.Store)}
        self.names = {name: f"mine_{name[::-1]}" for name in found}

    def visit_FunctionDef(self, node):
        node.decorator_list, node.returns = [], None
        node.body = node.body[ast.get_docstring(node) is not None :]
        node.name = self.names[node.name]
        return self.generic_visit(node)

    def visit_arg(self, node):
        node.annotation, node.arg = None, self.names[node.arg]
        return node

    def visit_Name(self, node):
        node.id = self.names.get(node.id, node.id)
        return node


def pasted(function):
    """What a reader has who pastes the source of a function, and gives everything in it another name."""
    inner = inspect.unwrap(function)
    tree = ast.parse(textwrap.dedent(inspect.getsource(inner)))
    renamed = Renamed(tree)
    code = ast.unparse(ast.fix_missing_locations(renamed.visit(tree)))
    names = dict(vars(sys.modules[inner.__module__]))
    exec(code, names)
    return names[renamed.names[inner.__name__]]


def test_every_function_is_known_under_other_names_and_no_other_is_taken_for_it():
    assert len(TARGETS) > 300
    copies = {name: pasted(target) for name, target in TARGETS.items()}
    unknown = [n for n, target in TARGETS.items() if not same_code(copies[n], target)]
    assert unknown == []
    targets = list(TARGETS.values())
    for place, one in enumerate(targets):
        assert not any(same_code(one, other) for other in targets[place + 1 :]), one


@pytest.mark.parametrize("name", TO_WRITE)
def test_a_copy_is_no_answer(name):
    """It is right, so that nothing but its code tells it from an answer."""
    target = TARGETS[name]
    copy = pasted(target)
    assert grade(copy, like=target)
    verdict = grade_written(copy, like=target)
    assert verdict.verdict == "open" and f"own code for `{name}`" in verdict.message


def test_every_exercise_to_write_is_asked():
    assert len(TO_WRITE) >= 100


def by_hand(p, k):
    order = np.argsort(-p, axis=-1, kind="stable")
    kept = np.zeros_like(p)
    kept[order < k] = 1
    return kept


def wrapped(x, parameters):
    result = swiglu(x, parameters)
    return result


CALLS = {
    "itself": (softmax, softmax),
    "in a lambda": (lambda x: softmax(x), softmax),
    "with a variable": (wrapped, swiglu),
    "whatever comes": (lambda *given, **named: attention(*given, **named), attention),
    "with a call around it": (lambda x: np.array(softmax(x)), softmax),
}


@pytest.mark.parametrize("how", CALLS)
def test_a_call_is_no_answer(how):
    mine, like = CALLS[how]
    verdict = grade_written(mine, like=like)
    assert verdict.verdict == "open"
    assert f"calls `{like.__name__}` itself" in verdict.message


def my_encoder(Z, layers, n_heads, mask=None, activation=None):
    first, *others = layers
    return encoder(encoder(Z, [first], n_heads, mask), others, n_heads, mask)


def test_what_does_more_than_call_is_an_answer():
    assert not only_calls(my_encoder, encoder)
    assert not only_calls(lambda x: softmax(x) / 1, softmax)
    assert grade_written(lambda x: softmax(x + 1), like=softmax)


def test_what_is_wrong_or_not_begun_is_told_as_ever():
    for mine in (by_hand, lambda p, k: 2 * top_k(p, k)):
        assert grade_written(mine, like=top_k) == grade(mine, like=top_k)
    with pytest.raises(ValueError, match="wanted the function itself"):
        grade_written(softmax, like="softmax")


def test_a_second_name_for_an_argument_hides_nothing():
    def gated(x, p):
        return swish(x @ p.W_g) * (x @ p.W_1) @ p.W_2

    swish = None
    assert not same_code(gated, swiglu)  # whose `swish` is no variable
    names = dict(vars(sys.modules[inspect.unwrap(swiglu).__module__]))
    exec("def mine(x, p):\n    return swish(x @ p.W_g) * (x @ p.W_1) @ p.W_2", names)
    assert same_code(names["mine"], swiglu)


def test_what_has_no_code_of_its_own_is_no_copy():
    assert not same_code(np.exp, np.exp)
    assert not only_calls(np.exp, softmax)
    assert only_calls(np.exp, np.exp)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lambda x, y: x - y, lambda x, y: y - x),
        (lambda x: x.sum(axis=0), lambda x: x.sum(keepdims=0)),
        (lambda x: x.min(), lambda x: x.max()),
        (lambda x: [2 * y for y in x], lambda x: [3 * y for y in x]),
        (lambda x: lambda y: x - y, lambda x: lambda y: y - x),
        (lambda x: x < 1, lambda x: x > 1),
        (lambda x: x[0], lambda x: x[0.0]),
    ],
)
def test_a_small_difference_is_one(one, other):
    assert not same_code(one, other)


@pytest.mark.parametrize(("like", "mine"), listed("RIGHT"))
def test_no_right_answer_of_the_tables_to_an_exercise_is_a_copy(like, mine):
    assert like.__name__ not in TO_WRITE or not same_code(mine, like)
