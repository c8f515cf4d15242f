"""Run the code that a page shows, and keep the value of every piece of it."""

import ast
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType
from typing import Any

import numpy as np

from transformer_math.plots.source import source

MOST = 4000  # numbers of one piece; what has more is left out
Values = list[np.ndarray]


@dataclass(frozen=True)
class Piece:
    """A piece of shown code: the function that it belongs to, from which letter to which, and its text."""

    function: str
    start: int
    end: int
    text: str


class Watched:
    """Functions as their pages show them, each expression of which says what it is worth.

    They call each other: what one of them does inside another is seen too.
    """

    def __init__(self, functions: dict[str, Callable]) -> None:
        self.pieces: list[Piece] = []
        self._values: dict[int, Values] = {}
        self.functions: dict[str, Callable] = {}
        spaces = []
        for name, function in functions.items():
            original = inspect.unwrap(function)
            space = {**original.__globals__, "__see": self._see}
            exec(self._compiled(name, source(function).code), space)
            self.functions[name] = space[name]
            spaces.append((original.__globals__, space))
        for known, space in spaces:
            for name, function in functions.items():
                if known.get(name) is function:
                    space[name] = self.functions[name]

    def run(self, work: Callable[[dict[str, Callable]], Any]) -> dict[int, Values]:
        """Do some work with the functions; the values of each piece that took part, in order."""
        self._values = {}
        with np.errstate(all="ignore"):
            work(self.functions)
        return {place: values for place, values in self._values.items() if values}

    def _compiled(self, name: str, code: str) -> CodeType:
        writer = _Writer(name, code, self.pieces)
        tree = ast.parse(code)
        tree.body = [writer.bare(tree.body[0])]
        return compile(ast.fix_missing_locations(tree), f"<{name}>", "exec")

    def _see(self, place: int, value: Any) -> Any:
        values = self._values.setdefault(place, [])
        array = _numbers(value)
        if array is not None and sum(map(np.size, values)) + array.size <= MOST:
            values.append(array)
        return value


def _numbers(value: Any) -> np.ndarray | None:
    """A copy of a number or an array of numbers; truth values and lists are none."""
    if isinstance(value, bool) or not isinstance(
        value, int | float | np.generic | np.ndarray
    ):
        return None
    array = np.array(value)
    return array.astype(float) if array.dtype.kind in "iuf" else None


class _Writer(ast.NodeTransformer):
    """Puts `__see(place, …)` around every expression, and after every assignment."""

    def __init__(self, function: str, code: str, pieces: list[Piece]) -> None:
        self.function, self.code, self.pieces = function, code, pieces
        lines = code.splitlines(keepends=True)
        self.lines = [line.encode() for line in lines]
        self.starts = [sum(map(len, lines[:i])) for i in range(len(lines))]

    def bare(self, node: Any) -> Any:
        """A function without decorators and annotations, so that nothing but its body is run."""
        node.decorator_list = []
        return self.visit_FunctionDef(node)

    def visit_FunctionDef(self, node: Any) -> Any:
        """Look at the arguments first, then at the body."""
        every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        looks = [self._look(argument, argument.arg) for argument in every]
        for argument in every:
            argument.annotation = None
        node.returns = None
        node.body = [*looks, *self._all(node.body)]
        return node

    def visit_Assign(self, node: ast.Assign) -> Any:
        """Look at what was assigned."""
        targets = [
            name
            for target in node.targets
            for name in ast.walk(target)
            if isinstance(name, ast.Name)
        ]
        looks = [
            self._look(name, name.id)
            for name in targets
            if isinstance(name.ctx, ast.Store)
        ]
        return [self.generic_visit(node), *looks]

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """Look at what became of a name."""
        node.value = self.visit(node.value)
        name = node.target
        return [node, self._look(name, name.id)] if isinstance(name, ast.Name) else node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        """An annotation is no expression."""
        node.value = node.value and self.visit(node.value)
        return node

    def visit_Call(self, node: ast.Call) -> Any:
        """The name of what is called has no number."""
        if isinstance(node.func, ast.Attribute):
            node.func.value = self.visit(node.func.value)
        node.args = self._all(node.args)
        for keyword in node.keywords:
            keyword.value = self.visit(keyword.value)
        return self._seen(node)

    def visit(self, node: ast.AST) -> Any:
        """Look at what can have a value."""
        if isinstance(node, ast.Constant | ast.JoinedStr | ast.Lambda):
            return node
        found = super().visit(node)
        asked = (
            ast.BinOp
            | ast.UnaryOp
            | ast.Name
            | ast.Attribute
            | ast.Subscript
            | ast.IfExp
        )
        is_read = isinstance(getattr(node, "ctx", ast.Load()), ast.Load)
        return self._seen(found) if isinstance(node, asked) and is_read else found

    def _all(self, nodes: list) -> list:
        found = []
        for node in nodes:
            one = self.visit(node)
            found += one if isinstance(one, list) else [one]
        return found

    def _seen(self, node: Any) -> ast.Call:
        return _see(self._place(node), node, node)

    def _look(self, node: Any, name: str) -> ast.Expr:
        call = _see(self._place(node, len(name)), ast.Name(name, ast.Load()), node)
        return ast.copy_location(ast.Expr(call), node)

    def _place(self, node: Any, length: int | None = None) -> int:
        start = self._at(node.lineno, node.col_offset)
        end = (
            start + length if length else self._at(node.end_lineno, node.end_col_offset)
        )
        self.pieces.append(Piece(self.function, start, end, self.code[start:end]))
        return len(self.pieces) - 1

    def _at(self, line: int, column: int) -> int:
        return self.starts[line - 1] + len(self.lines[line - 1][:column].decode())


def _see(place: int, value: ast.expr, where: Any) -> ast.Call:
    see = ast.Name("__see", ast.Load())
    return ast.copy_location(ast.Call(see, [ast.Constant(place), value], []), where)
