"""Show the code of a function as it stands in the package, its docstring cut to one line, its guards left out."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass

GUARDS = (
    *("contract", "requires", "requires_as", "twin", "scale_free", "scale_free_vjp"),
    *("scale_invariant", "homogeneous", "homogeneous_of_degree_2_vjp", "by_ratios"),
    *("distinct_words", "finite_squares", "eps_that_counts"),
)


@dataclass(frozen=True)
class Source:
    """Python code that Jupyter and the built page highlight."""

    code: str

    def _repr_markdown_(self) -> str:
        return f"```python\n{self.code}\n```"


def source(*functions: Callable) -> Source:
    """The code of one or more functions or classes, taken from the package itself, without what only refuses bad input.

    >>> print(source(textwrap.dedent).code.splitlines()[0])
    def dedent(text):
    """
    return Source("\n\n\n".join(_shortened(function) for function in functions))


def _shortened(function: Callable) -> str:
    code, node = _parsed(function)
    lines: list[str | None] = [line.split("  # noqa")[0] for line in code.splitlines()]
    for guard in filter(_is_guard, node.decorator_list):
        lines[guard.lineno - 1 : guard.end_lineno] = [None] * _height(guard)
    if (text := ast.get_docstring(node)) is not None:
        docstring = node.body[0]
        first = text.splitlines()[0]
        shown = [f'{" " * docstring.col_offset}"""{first}"""']
        lines[docstring.lineno - 1 : docstring.end_lineno] = shown
    return "\n".join(line for line in lines if line is not None)


def _parsed(function: Callable) -> tuple[str, ast.FunctionDef | ast.ClassDef]:
    """The code of a function, and its tree."""
    try:
        code = textwrap.dedent(inspect.getsource(inspect.unwrap(function))).rstrip()
        node = ast.parse(code).body[0]
    except (TypeError, OSError, SyntaxError):
        code, node = "", ast.Pass()
    if not isinstance(node, ast.FunctionDef | ast.ClassDef):
        raise ValueError(
            f"{function!r:.60} has no code that begins with def or class. Fix: a function or a class of the package."
        )
    return code, node


def _is_guard(decorator: ast.expr) -> bool:
    """Whether a decorator refuses bad input, which the signature says already: what is shown is the equation.

    A decorator with a leading underscore is a condition that several functions of a module share.
    """
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(called, ast.Name) and (
        called.id in GUARDS or called.id.startswith("_")
    )


def _height(node: ast.expr) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1
