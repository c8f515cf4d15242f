"""Make a mistake in functions that are already loaded: no process has to start for it."""

import ast
import gc
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType

from mutation.mutators import Mutant

Place = tuple[
    str, int
]  # a code's qualified name, and which one of that name in its module


CACHED = type(cache(len))


class Impossible(Exception):
    """A mutant that cannot be put into a running function, as when it drops the last use of a closure's variable."""


def functions_of(folder: Path) -> dict[Path, dict[Place, list[FunctionType]]]:
    """Every live function that was defined in the files of a folder, by file and place."""
    found: dict[Path, dict[tuple, list]] = defaultdict(lambda: defaultdict(list))
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and thing.__code__.co_filename.startswith(
            str(folder)
        ):
            code = thing.__code__
            found[Path(code.co_filename)][code.co_qualname, _start(code)].append(thing)
    return {path: _by_rank(places) for path, places in found.items()}


def _by_rank(places: dict[tuple, list]) -> dict[Place, list[FunctionType]]:
    ranked, seen = {}, defaultdict(int)
    for name, start in sorted(places):
        ranked[name, seen[name]] = places[name, start]
        seen[name] += 1
    return ranked


def _start(code: CodeType) -> tuple:
    """Where the first of a code's own instructions stands: decorators that a type checker adds do not move it."""
    places = [
        p
        for p in code.co_positions()
        if None not in p[:3:2] and p[0] and p[2] is not None
    ]
    return min(
        ((line, column) for line, _, column, _ in places if line > 0), default=(0, 0)
    )


def _codes(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _codes(constant)


def codes_of(tree: ast.Module, path: Path) -> list[CodeType]:
    """The code of every function in a module."""
    return list(_codes(compile(tree, str(path), "exec")))


def apply(
    mutant: Mutant, live: dict[Place, list[FunctionType]], original: list[CodeType]
) -> None:
    """Put the mutant's code and defaults into the live functions; what its module remembers is forgotten."""
    before, after = (
        _by_rank(_grouped(codes))
        for codes in (original, codes_of(mutant.tree, mutant.path))
    )
    swapped = 0
    for place in before.keys() & after.keys():
        if before[place] == after[place]:
            continue
        for function in live.get(place, []):
            try:
                function.__code__ = after[place][0]
            except ValueError as error:
                raise Impossible(str(error)) from error
            swapped += 1
    swapped += _apply_defaults(mutant, live)
    if swapped == 0:
        raise Impossible("no live function holds this code")
    forget(mutant.path)


def _grouped(codes: list[CodeType]) -> dict[tuple, list]:
    grouped: dict[tuple, list] = defaultdict(list)
    for code in codes:
        grouped[code.co_qualname, _start(code)].append(code)
    return grouped


def forget(path: Path) -> None:
    """Empty the caches of a module's functions, so that they are computed anew."""
    for name, module in list(sys.modules.items()):
        if getattr(module, "__file__", None) == str(path):
            for thing in list(vars(module).values()):
                if isinstance(thing, CACHED) and thing.__module__ == name:
                    thing.cache_clear()


def _apply_defaults(mutant: Mutant, live: dict[Place, list[FunctionType]]) -> int:
    name = mutant.function.split(".")[-1]
    swapped = 0
    for node in ast.walk(mutant.tree):
        if (
            not isinstance(node, ast.FunctionDef)
            or node.name != name
            or not node.args.defaults
        ):
            continue
        for function in live.get((mutant.function, 0), []):
            values = tuple(_value(default, function) for default in node.args.defaults)
            if function.__defaults__ is not None and values != function.__defaults__:
                function.__defaults__ = values
                swapped += 1
    return swapped


def _value(default: ast.expr, function: FunctionType) -> object:
    expression = ast.fix_missing_locations(ast.Expression(default))
    return eval(
        compile(expression, "default", "eval"), vars(sys.modules[function.__module__])
    )
