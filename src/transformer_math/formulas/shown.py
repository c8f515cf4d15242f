"""Which functions a page shows the code of: those that its cells hand to `source`."""

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from importlib import import_module

_CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_HEAD = re.compile(r"\A(?:---\n.*?^---\n|(?::[^\n]*\n)+)", re.DOTALL | re.MULTILINE)


def shown_on(text: str) -> dict[str, Callable]:
    """The functions that the cells of a page show, by name.

    >>> cell = "```{code-cell}\\nfrom transformer_math.attention import attention\\nsource(attention)\\n```\\n"
    >>> list(shown_on(cell))
    ['attention']
    """
    trees = list(_cells(text))
    names = [name for tree in trees for name in _sources(tree)]
    found = {name: _imported(trees, name) for name in names}
    return {name: one for name, one in found.items() if inspect.isfunction(one)}


def _cells(text: str) -> Iterator[ast.Module]:
    for code in _CELL.findall(text):
        try:
            yield ast.parse(_HEAD.sub("", code))
        except SyntaxError:  # magics
            continue


def _sources(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "source"
        ):
            yield from (one.id for one in node.args if isinstance(one, ast.Name))


def _imported(trees: list[ast.Module], name: str) -> object:
    imports = (
        (node.module, alias.name)
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
        if (alias.asname or alias.name) == name
    )
    found = next(imports, None)
    return found and getattr(import_module(found[0]), found[1], None)
