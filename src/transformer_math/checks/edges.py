"""The edges of a function's domain, as its signature has them, and which of them its checks visit.

A mistake may be right in the middle of a domain and wrong at its edge: for one token, at a probability of 0, after the
last step. What a signature says, follows from it; what it cannot say is declared beside a check, as `check.visits`.
An edge that a function does not have is excused there, with the reason: `check.excuses`.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from transformer_math.checks.registry import Check, checks_for
from transformer_math.contract.arrays import Array
from transformer_math.contract.decorator import Plan
from transformer_math.contract.rules import (
    Each,
    Either,
    Instance,
    Items,
    Letter,
    Record,
)
from transformer_math.contract.scalars import WHOLE, Scalar
from transformer_math.trees import leaves

LONG = 1000  # characters: the product of their probabilities is beneath the smallest number
COLD = 0.01  # a temperature near 0
# the square of a smaller number is 0, that of a larger one is beyond all floats
SQUARES = (1e-162, 1e155)
DISTRIBUTIONS = {"p", "probabilities", "weights", "A"}


class Edge(NamedTuple):
    """A place at the rim of a domain: its name, and whether a call, its arguments by name, is there."""

    name: str
    visited: Callable[[dict[str, Any]], bool]


def edges_of(target: Callable) -> list[Edge]:
    """The edges that the signature of a function says, and those that are declared beside its checks."""
    derived: dict[str, Edge] = {}
    for name, rule in Plan(inspect.unwrap(target)).rules:
        for edge in _edges_of_rule(name, rule, _argument(name)):
            derived.setdefault(edge.name, edge)  # of a letter the first array tells
    declared = {
        name: Edge(name, _of_named(condition))
        for check in checks_for(target)
        for name, condition in check.edges.items()
    }
    return [*(derived | declared).values()]


class Watched:
    """A function at work, and the edges at which no call has come out yet, but for those that its checks excuse."""

    def __init__(self, target: Callable) -> None:
        excused = {name for check in checks_for(target) for name in check.excused}
        self.target, self.signature = target, inspect.signature(target)
        self.left = [edge for edge in edges_of(target) if edge.name not in excused]

    def __call__(self, *arguments, **settings):
        """Call the function, and strike out the edges at which this call is."""
        output = self.target(*arguments, **settings)
        if self.left:
            bound = self.signature.bind(*arguments, **settings)
            bound.apply_defaults()
            self.left = [e for e in self.left if not e.visited(bound.arguments)]
        return output

    def unvisited(self, checks: list[Check]) -> list[str]:
        """The names of the edges that are left when these checks, too, have run their cases, as far as it takes."""
        for check in checks:
            for number in range(check.cases):
                if not self.left:
                    return []
                with suppress(Exception):  # a check says itself what fails
                    check.error(self, number)
        return [edge.name for edge in self.left]


def squares_overflow(tree: Any) -> bool:
    """Whether a tree holds a number whose square is beyond all floats: an edge for whatever takes squares."""
    return any(np.max(np.abs(leaf)) > SQUARES[1] for leaf in leaves(tree).values())


def squares_vanish(tree: Any) -> bool:
    """Whether a tree holds a row, not all 0, whose squares are all 0."""
    largest = (np.max(np.abs(leaf), axis=-1) for leaf in leaves(tree).values())
    return any(np.any((row > 0) & (row < SQUARES[0])) for row in largest)


def unvisited(target: Callable) -> list[str]:
    """The edges of a function at which no case of its checks calls it, but for those that are excused."""
    return Watched(target).unvisited(checks_for(target))


def needless_excuses(target: Callable) -> list[str]:
    """What is excused and is no edge of the function."""
    known = {edge.name for edge in edges_of(target)}
    return [
        name
        for check in checks_for(target)
        for name in check.excused
        if name not in known
    ]


def _argument(name: str) -> Callable[[dict[str, Any]], Any]:
    return lambda arguments: arguments[name]


def _field(get: Callable, field: str) -> Callable[[dict[str, Any]], Any]:
    return lambda arguments: getattr(get(arguments), field, None)


def _of_named(condition: Callable[..., bool]) -> Callable[[dict[str, Any]], bool]:
    names = tuple(inspect.signature(condition).parameters)
    return lambda arguments: bool(condition(*(arguments[name] for name in names)))


def _at(get: Callable, condition: Callable[[Any], Any]) -> Callable:
    """Whether a value, where there is one, keeps a condition."""

    def visited(arguments: dict[str, Any]) -> bool:
        value = get(arguments)
        return value is not None and bool(condition(value))

    return visited


def _edges_of_rule(name: str, rule: Any, get: Callable) -> Iterator[Edge]:
    if isinstance(rule, Letter):
        rule = rule.rule
    if isinstance(rule, Array):
        yield from _edges_of_array(name, rule, get)
    elif isinstance(rule, Scalar):
        yield from (
            _edges_of_text(name, get)
            if rule.plain is str
            else _edges_of_number(name, rule, get)
        )
    elif isinstance(rule, Either):
        for part in rule.rules:
            yield from _edges_of_rule(name, part, get)
    elif isinstance(rule, Record):
        for field, part in rule.rules:
            yield from _edges_of_rule(field, part, _field(get, field))
    elif isinstance(rule, Each):
        yield Edge(f"one of the {name}", _at(get, lambda value: len(value) == 1))
    elif isinstance(rule, Instance):
        yield from _edges_of_instance(name, rule, get)


def _edges_of_array(name: str, rule: Array, get: Callable) -> Iterator[Edge]:
    for place, (letter, spreads) in enumerate(rule.fixed):
        if letter.isidentifier() and not spreads:
            axis = place - rule.rank
            yield Edge(
                f"{letter} = 1", _at(get, partial(_is_one, axis=axis, rank=rule.rank))
            )
    if rule.lead is not None and rule.rank and not rule.spreads:
        yield Edge("no leading axes", _at(get, lambda x: np.ndim(x) == rule.rank))
        yield Edge("leading axes", _at(get, lambda x: np.ndim(x) > rule.rank))
    if rule.lowest is not None:
        yield Edge(f"-inf in {name}", _at(get, lambda x: np.any(np.isneginf(x))))
    if rule.kind == "Int" and rule.rank:
        yield Edge(
            f"a number twice in {name}", _at(get, lambda x: len(np.unique(x)) < x.size)
        )
    if name in DISTRIBUTIONS:
        yield Edge(f"0 in {name}", _at(get, lambda x: np.any(np.asarray(x) == 0)))
        yield Edge(f"1 in {name}", _at(get, lambda x: np.any(np.asarray(x) == 1)))
    if name == "counts" and rule.kind == "Float":
        yield Edge("0 in counts", _at(get, lambda x: np.any(np.asarray(x) == 0)))


def _is_one(value: Any, axis: int, rank: int) -> bool:
    return np.ndim(value) >= rank and np.shape(value)[axis] == 1


def _edges_of_number(name: str, rule: Scalar, get: Callable) -> Iterator[Edge]:
    if WHOLE[0] in rule.types and rule.plain is int:
        least = next(n for n in range(3) if rule.holds(n))
        yield Edge(f"{name} = {least}", _at(get, lambda n: n == least))
    elif rule.holds(0.0):
        yield Edge(f"{name} = 0", _at(get, lambda x: np.ndim(x) == 0 and x == 0))
    elif rule.holds(2.0):
        yield Edge(f"{name} < 1", _at(get, lambda x: x < 1))
        yield Edge(f"{name} > 1", _at(get, lambda x: x > 1))
    if rule.holds(1.0) and not rule.holds(1.5) and rule.plain is float:
        yield Edge(f"{name} = 1", _at(get, lambda x: x == 1))
    if name == "temperature":
        yield Edge("temperature → 0", _at(get, lambda x: x <= COLD))


def _edges_of_text(name: str, get: Callable) -> Iterator[Edge]:
    yield Edge(f"one character in {name}", _at(get, lambda text: len(text) == 1))
    yield Edge(f"1,000 characters in {name}", _at(get, lambda text: len(text) >= LONG))
    yield Edge(f"beyond ASCII in {name}", _at(get, lambda text: not text.isascii()))


def _edges_of_instance(name: str, rule: Instance, get: Callable) -> Iterator[Edge]:
    if rule.kind is str:
        yield Edge(f"nothing in {name}", _at(get, lambda text: text == ""))
        yield from _edges_of_text(name, get)
    elif isinstance(rule, Items) or rule.kind is Mapping:
        yield Edge(f"one in {name}", _at(get, lambda items: _length(items) == 1))


def _length(items: Any) -> int:
    return len(items) if hasattr(items, "__len__") else -1
