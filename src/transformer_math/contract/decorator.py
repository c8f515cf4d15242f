"""The decorators `contract` and `requires`: what they read when a function is made, what they do when it is called."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from transformer_math.contract.answers import Answer
from transformer_math.contract.calls import inside, is_inside
from transformer_math.contract.rules import letters_of, rule_of

Decorated = TypeVar(
    "Decorated", bound=Callable
)  # what comes out has the type of what went in


def requires(
    condition: Callable[..., bool], message: str | Callable[..., str]
) -> Callable[[Decorated], Decorated]:
    """Add a condition that no annotation can say. Its arguments are named like the function's, or like a dataclass's fields.

    The message shows arguments in braces, or is a function of the condition's arguments.

    It takes effect through `@contract`, which stands above it.
    """

    def attach(function: Decorated) -> Decorated:
        names = tuple(inspect.signature(condition).parameters)
        _add(function, ((names, condition, message),))
        return function

    return attach


def requires_as(other: Callable) -> Callable[[Decorated], Decorated]:
    """Add the conditions of another function that takes the same arguments: a twin refuses what its function refuses."""

    def attach(function: Decorated) -> Decorated:
        _add(function, conditions_of(other))
        return function

    return attach


def conditions_of(function: Callable) -> tuple:
    """What `requires` added: the names of the arguments, the condition, the message."""
    return getattr(function, "conditions", ())


def _add(function: Any, conditions: tuple) -> None:
    function.conditions = conditions + conditions_of(function)


def contract(function: Decorated) -> Decorated:
    """Hold the arguments of a function, or the fields of a dataclass, to their annotations and conditions.

    >>> @contract
    ... def halves(d_model: int) -> int:
    ...     return d_model // 2
    >>> halves(3.0)
    Traceback (most recent call last):
    ...
    ValueError: d_model is 3.0; wanted a whole number. Fix: round(d_model), if the fraction is a slip.
    """
    return _fields(function) if isinstance(function, type) else _checked(function)


def _fields(kind: Any) -> Any:
    _add(kind.__init__, conditions_of(kind))
    kind.__init__ = contract(kind.__init__)
    kind.__no_type_check__ = True  # of two looks at the fields this one has the words
    return kind


def _checked(function: Any) -> Any:
    plan, answer = Plan(function), Answer(function)

    def run(args, kwargs):
        return answer.look(function(*plan.values(args, kwargs, True), **kwargs))

    @wraps(function)
    def checked(*args, **kwargs):
        if not is_inside():
            return inside(run, args, kwargs)
        value = function(*plan.values(args, kwargs, False), **kwargs)
        return answer.look(value) if answer.always else value

    return checked


class Plan:
    """All that can be known of a function's contract before it is called."""

    def __init__(self, function: Callable) -> None:
        parameters = inspect.signature(inspect.unwrap(function)).parameters
        named = [p for p in parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
        scope = letters_of([p.annotation for p in named])
        self.rules = [(p.name, rule_of(p.annotation, scope, p.name)) for p in named]
        self.defaults = {p.name: p.default for p in named}
        self.places = {p.name: place for place, p in enumerate(named)}
        self.conditions = conditions_of(function)

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
        for names, condition, message in self.conditions:
            known = []
            for name in names:
                value = self._given(name, values, kwargs)
                if value is inspect.Parameter.empty:
                    return  # Python will say which one
                known.append(_plain(value))
            if not condition(*known):
                given = {**self.defaults, **dict(zip(self.defaults, values)), **kwargs}
                said = message(*known) if callable(message) else message.format(**given)
                raise ValueError(said)

    def _given(self, name: str, values: list, kwargs: dict) -> Any:
        if name in kwargs:
            return kwargs[name]
        place = self.places[name]
        return values[place] if place < len(values) else self.defaults[name]


def _plain(value: Any) -> Any:
    kind = type(value)
    if kind is np.ndarray or not isinstance(value, np.ndarray):
        return value
    return value.view(np.ndarray)
