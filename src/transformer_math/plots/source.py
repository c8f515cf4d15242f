"""Show the code of a function as it stands in the package, with its docstring cut to the first line."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """Python code that Jupyter and the built page highlight."""

    code: str

    def _repr_markdown_(self) -> str:
        return f"```python\n{self.code}\n```"


def source(*functions: Callable) -> Source:
    """The code of one or more functions or classes, taken from the package itself.

    >>> print(source(textwrap.dedent).code.splitlines()[0])
    def dedent(text):
    """
    return Source("\n\n\n".join(_shortened(function) for function in functions))


def _shortened(function: Callable) -> str:
    code = re.sub(
        r"  # noqa.*",
        "",
        textwrap.dedent(inspect.getsource(inspect.unwrap(function))).rstrip(),
    )
    body = ast.parse(code).body[0].body
    if not (
        isinstance(body[0], ast.Expr)
        and isinstance(body[0].value, ast.Constant)
        and isinstance(body[0].value.value, str)
    ):
        return code
    lines, docstring = code.splitlines(), body[0]
    indent = " " * docstring.col_offset
    first = docstring.value.value.strip().splitlines()[0]
    return "\n".join(
        [
            *lines[: docstring.lineno - 1],
            f'{indent}"""{first}"""',
            *lines[docstring.end_lineno :],
        ]
    )
