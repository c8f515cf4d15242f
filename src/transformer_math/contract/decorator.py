"""The decorators `contract` and `requires`: what they read when a function is made, what they do when it is called."""

import inspect
from collections.abc import Callable
from functools import wraps
from threading import local
from typing import Any

import numpy as np

from transformer_math.contract.rules import letters_of, rule_of


class _Calls(local):
    inside = False  # whether a function of the package is already running


_CALLS = _Calls()


def requires(
    condition: Callable[..., bool], message: str | Callable[..., str]
) -> Callable:
    """Add a condition that no annotation can say. Its arguments are named like the function's.

    The message shows arguments in braces, or is a function of the condition's arguments.

    It takes effect through `@contract`, which stands above it.
    """

    def attach(function: Callable) -> Callable:
        function.conditions = (
            (tuple(inspect.signature(condition).parameters), condition, message),
            *getattr(function, "conditions", ()),
        )
        return function

    return attach


def requires_as(other: Callable) -> Callable:
    """Add the conditions of another function that takes the same arguments: a twin refuses what its function refuses."""

    def attach(function: Callable) -> Callable:
        function.conditions = other.conditions + getattr(function, "conditions", ())
        return function

    return attach


def contract(function: Any) -> Any:
    """Hold the arguments of a function, or the fields of a dataclass, to their annotations and conditions.

    >>> @contract
    ... def halves(d_model: int) -> int:
    ...     return d_model // 2
    >>> halves(3.0)
    Traceback (most recent call last):
    ...
    ValueError: d_model is 3.0; wanted a whole number. Fix: round(d_model), if the fraction is a slip.
    """
    if isinstance(function, type):
        function.__init__ = contract(function.__init__)
        function.__no_type_check__ = (
            True  # of two looks at the fields this one has the words
        )
        return function
    plan = Plan(function)

    @wraps(function)
    def checked(*args, **kwargs):
        if _CALLS.inside:
            return function(*plan.values(args, kwargs, False), **kwargs)
        _CALLS.inside = True
        try:
            return function(*plan.values(args, kwargs, True), **kwargs)
        finally:
            _CALLS.inside = False

    return checked


def inside(function: Callable, *args: Any) -> Any:
    """Call a function as one of the package's own, whose calls are not looked at for NaN and infinity."""
    before, _CALLS.inside = _CALLS.inside, True
    try:
        return function(*args)
    finally:
        _CALLS.inside = before


def is_inside() -> bool:
    """Whether a function of the package is running, so that values need not be looked at."""
    return _CALLS.inside


class Plan:
    """All that can be known of a function's contract before it is called."""

    def __init__(self, function: Callable) -> None:
        parameters = inspect.signature(inspect.unwrap(function)).parameters
        named = [p for p in parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
        scope = letters_of([p.annotation for p in named])
        self.rules = [(p.name, rule_of(p.annotation, scope, p.name)) for p in named]
        self.defaults = {p.name: p.default for p in named}
        self.conditions = getattr(function, "conditions", ())

    def values(self, args: tuple, kwargs: dict, scan: bool) -> list:
        """The positional arguments, and in `kwargs` the others, when all keep the contract."""
        sizes: dict = {}
        values = [
            rule.take(name, value, sizes, scan)
            for (name, rule), value in zip(self.rules, args)
        ]
        if kwargs:
            for name, rule in self.rules[len(args) :]:
                if name in kwargs:
                    kwargs[name] = rule.take(name, kwargs[name], sizes, scan)
        if self.conditions:
            self._require(values, kwargs)
        return [*values, *args[len(values) :]]

    def _require(self, values: list, kwargs: dict) -> None:
        given = {**self.defaults, **dict(zip(self.defaults, values)), **kwargs}
        for names, condition, message in self.conditions:
            known = [_plain(given[name]) for name in names]
            if _missing(known):
                return  # Python will say which one
            if not condition(*known):
                said = message(*known) if callable(message) else message.format(**given)
                raise ValueError(said)


def _missing(values: list) -> bool:
    return any(value is inspect.Parameter.empty for value in values)


def _plain(value: Any) -> Any:
    kind = type(value)
    if kind is np.ndarray or not isinstance(value, np.ndarray):
        return value
    return value.view(np.ndarray)
