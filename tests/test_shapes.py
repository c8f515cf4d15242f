"""A name of a shape means one thing, and what several modules share stands in `shapes.py`."""

import ast
from collections import defaultdict

from conftest import ROOT

PACKAGE = ROOT / "src" / "transformer_math"


def shapes_in(source):
    """The names that a module gives to shapes, and what they stand for."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and "[np.ndarray, " in ast.unparse(node.value):
            yield ast.unparse(node.targets[0]), ast.unparse(node.value)


def test_a_name_is_given_once():
    names = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        for name, _ in shapes_in(path.read_text("utf-8")):
            names[name].append(path.relative_to(PACKAGE).as_posix())
    assert len(names) >= 20
    assert {name: where for name, where in names.items() if len(where) > 1} == {}


def test_a_name_that_is_given_is_found():
    source = 'Mask = Bool[np.ndarray, "#n m"] | None\nn = np.ones(3)\n'
    assert list(shapes_in(source)) == [("Mask", "Bool[np.ndarray, '#n m'] | None")]
