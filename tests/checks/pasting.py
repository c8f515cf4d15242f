"""Paste the source of every function of the package under other names, and say what becomes of it.

It runs in a process of its own: the tests' hook on imports writes decorators into the package's code, readers have none.
"""

import ast
import inspect
import json
import sys
import textwrap
from collections import defaultdict
from itertools import combinations

from transformer_math.checks import Grade, all_checks, grade_written, grading
from transformer_math.checks.copies import same_code

TARGETS = {check.target.__name__: check.target for check in all_checks().values()}


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


def unknown():
    """The functions whose copies are not known for what they are."""
    return [name for name, one in TARGETS.items() if not same_code(pasted(one), one)]


def confused():
    """The pairs of different functions that are taken for one, among those that name as many things."""
    alike = defaultdict(list)
    for name, one in TARGETS.items():
        alike[len(inspect.unwrap(one).__code__.co_names)].append(name)
    pairs = (pair for names in alike.values() for pair in combinations(names, 2))
    return [pair for pair in pairs if same_code(*(TARGETS[name] for name in pair))]


def verdicts(names):
    """What is said to the copies of some functions, which are as right as these, so that nobody need try them."""
    grading.grade = lambda mine, like: Grade("right", "Right.")
    return {name: repr(grade_written(pasted(TARGETS[name]), TARGETS[name])) for name in names}  # fmt: skip


if __name__ == "__main__":
    found = {"unknown": unknown(), "confused": confused()}
    print(json.dumps(found | {"verdicts": verdicts(sys.argv[1:])}))
