"""From an annotation to the rule that an argument has to keep: arrays, numbers, parameters, and what else Python knows."""

import inspect
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from inspect import isclass
from typing import Any, ClassVar
from weakref import ref

import numpy as np
from jaxtyping import AbstractArray

from transformer_math.contract.arrays import Array, Sizes
from transformer_math.contract.functions import Function, Parts
from transformer_math.contract.scalars import Number, Scalar, Whole, shown

NONE = type(None)
ITEMS = {int: "whole numbers", str: "texts", bytes: "bytes"}
TEXTS = (str, bytes)  # a text is one thing, and no list of texts
LISTS = (list, Sequence, Iterable)
WORDS = {
    np.ndarray: "a NumPy array",
    Mapping: "a dictionary",
    list: "a list",
    Iterable: "a list or another iterable",
    Sequence: "a list or tuple",
    np.random.Generator: "a generator such as np.random.default_rng(0)",
}


def rule_of(annotation: Any, scope: frozenset[str], name: str = "") -> Any:
    """The rule that an annotation stands for.

    `scope` holds the letters of the signature around it: a dataclass of parameters shares them, and so does a whole
    number whose name is one of them.
    """
    if annotation is int or annotation is float:
        annotation = Whole if annotation is int else Number
    if annotation is Any:
        return Anything()
    if isclass(annotation) and issubclass(annotation, AbstractArray):
        return Array(annotation)
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        scalar = next((part for part in arguments if isinstance(part, Scalar)), None)
        if scalar is None:
            return Array(arguments[0], annotation.__metadata__)
        return Letter(scalar) if name in scope else scalar
    if origin in (typing.Union, types.UnionType):
        return Either(
            [rule_of(part, scope) for part in arguments if part is not NONE],
            NONE in arguments,
        )
    if isclass(annotation) and is_dataclass(annotation):
        return Record(annotation, scope)
    if (
        origin in (tuple, Sequence)
        and isclass(arguments[0])
        and is_dataclass(arguments[0])
    ):
        return Each(Record(arguments[0], scope))
    if origin is tuple and Ellipsis not in arguments:
        own = [part for part in arguments if not _is_rest(part)]
        return Parts([rule_of(part, scope) for part in own], len(own) < len(arguments))
    kind = origin or annotation
    if kind is Callable:
        return _function(arguments)
    if kind in LISTS and ITEMS.keys() & set(arguments):
        return Items(kind, arguments[0])
    if kind in LISTS and {typing.get_origin(part) for part in arguments} & set(LISTS):
        return Instance(kind, TEXTS)
    return (
        Instance(kind)
        if isclass(kind) and kind is not inspect.Parameter.empty
        else Anything()
    )


def _is_rest(part: Any) -> bool:
    """Whether a part of a tuple is `*tuple[Any, ...]`: any number of further ones."""
    return bool(getattr(part, "__unpacked__", False))


def _function(arguments: tuple) -> Function:
    """The rule for `Callable[[A, B], C]`: letters of A, B and C are one scope; where C says nothing, nothing is asked."""
    if not arguments or arguments[0] is Ellipsis or arguments[1] is Any:
        return Function([], None)
    given, answer = arguments
    scope = letters_of([*given, answer])
    return Function([rule_of(part, scope) for part in given], rule_of(answer, scope))


def letters_of(annotations: Iterable) -> frozenset[str]:
    """The letters of the arrays among annotations."""
    rules = [rule_of(annotation, frozenset()) for annotation in annotations]
    arrays = [part for rule in rules for part in getattr(rule, "rules", [rule])]
    return frozenset().union(
        *(rule.letters for rule in arrays if isinstance(rule, Array))
    )


class Letter:
    """A whole number that is the size of an axis: `n_heads` beside `"... n_heads n m"`."""

    def __init__(self, rule: Scalar) -> None:
        self.rule = rule

    def take(self, name: str, value: Any, sizes: Sizes, scan: bool) -> int:
        """The number, known from now on by its letter."""
        number = self.rule.take(name, value, sizes, scan)
        sizes[name] = (number, name, None)
        return number


class Anything:
    """No annotation, or one that says nothing."""

    def take(self, name: str, value: Any, sizes: Sizes, scan: bool) -> Any:
        """The value."""
        return value


class Either:
    """One of several: an array of this or that shape, an array or a number, a value or None."""

    def __init__(self, rules: list, none: bool) -> None:
        self.rules, self.none = rules, none
        self.arrays = [rule for rule in rules if isinstance(rule, Array)]
        self.others = [rule for rule in rules if not isinstance(rule, Array)]

    def take(self, name: str, value: Any, sizes: Sizes, scan: bool) -> Any:
        """The value, by the first of the rules that it keeps."""
        if value is None and self.none:
            return None
        number = isinstance(value, (int, float, np.number))
        if not self.arrays or (self.others and number):
            return self._other(name, value, sizes, scan)
        if len(self.arrays) == 1:
            return self.arrays[0].take(name, value, sizes, scan)
        value = self.arrays[0].numbers(name, value)
        for rule in self.arrays:
            if rule.bind(name, value.shape, trial := dict(sizes)) is None:
                sizes.update(trial)
                return value
        raise ValueError(
            f"{name} has shape {value.shape}; {self._unfit(name, value.shape, sizes)}."
        )

    def _other(self, name: str, value: Any, sizes: Sizes, scan: bool) -> Any:
        refusals = []
        for rule in self.others:
            try:
                return rule.take(name, value, sizes, scan)
            except ValueError as refusal:
                refusals.append(refusal)
        raise refusals[0]

    def _unfit(self, name: str, shape: tuple, sizes: Sizes) -> str:
        wanted = " or ".join(rule.wanted() for rule in self.arrays)
        letters = set().union(*(rule.letters for rule in self.arrays))
        known = ", ".join(
            f"{letter} = {sizes[letter][0]}"
            for letter in sorted(letters)
            if letter in sizes
        )
        repairs = [
            repair
            for rule in self.arrays
            if (repair := rule.repair(name, shape, sizes))
        ]
        return f"wanted {wanted} with {known}. Fix: {[*repairs, 'give every axis its place'][0]}"


class Record:
    """A dataclass of parameters: every field by its own annotation; letters of the signature around it are shared.

    A call from outside looks at every field. The functions below it get the same record again and again: they compare the
    sizes that were found then.
    """

    found: ClassVar[dict[int, tuple]] = {}  # by id: the record, weakly, and its letters

    def __init__(self, kind: type, scope: frozenset[str]) -> None:
        self.kind = kind
        hints = {part.name: part.type for part in fields(kind)}
        own = letters_of(hints.values())
        self.rules = [
            (name, rule_of(hint, scope | own)) for name, hint in hints.items()
        ]
        nested = [
            rule.letters for _, rule in self.rules if isinstance(rule, (Record, Each))
        ]
        self.letters: frozenset[str] = own.union(*nested)
        self.shared: frozenset[str] = self.letters & scope

    def take(self, name: str, value: Any, sizes: Sizes, scan: bool) -> Any:
        """The parameters, when their shapes agree with each other and with what came before."""
        if not isinstance(value, self.kind):
            raise ValueError(
                f"{name} is {shown(value)}; wanted {self.kind.__name__}. Fix: {self.kind.__name__}(...) makes one."
            )
        if scan or not self._fits(name, value, sizes):
            self._look(name, value, sizes, scan)
        return value

    def _look(self, name: str, value: Any, sizes: Sizes, scan: bool) -> None:
        own = {letter: sizes[letter] for letter in self.shared if letter in sizes}
        for field, rule in self.rules:
            rule.take(f"{name}.{field}", getattr(value, field), own, scan)
        sizes.update((letter, own[letter]) for letter in self.shared if letter in own)
        number, inside = id(value), f"{name}."
        found = {
            letter: (size, origin[len(name) :], shape)
            if origin.startswith(inside)
            else (size, None, None)
            for letter, (size, origin, shape) in own.items()
        }
        weakly = ref(value, lambda _: self.found.pop(number, None))
        self.found[number] = weakly, found

    def _fits(self, name: str, value: Any, sizes: Sizes) -> bool:
        """Whether the sizes that were found say all that is needed, and agree with the known ones."""
        known, found = self.found.get(id(value), (NONE, {}))
        if known() is not value or type(value) is not self.kind:
            return False
        for letter in self.shared:
            size, origin, shape = found.get(letter, (None, None, None))
            if origin is not None and letter not in sizes:
                sizes[letter] = (size, name + origin, shape)
            elif letter not in sizes or sizes[letter][0] != size:
                return False
        return True


class Each:
    """A sequence of parameters, such as the layers of a stack: each by the same rule, with letters of its own."""

    def __init__(self, rule: Record) -> None:
        self.rule = rule
        self.letters = rule.shared

    def take(self, name: str, value: Any, sizes: Sizes, scan: bool) -> Any:
        """The sequence, when each of its parts keeps the rule."""
        if not isinstance(value, (tuple, list)):
            raise ValueError(
                f"{name} is {shown(value)}; wanted a list or tuple of {self.rule.kind.__name__}. Fix: [{name}], if there is one."
            )
        for number, part in enumerate(value):
            self.rule.take(f"{name}[{number}]", part, sizes, scan)
        return value


class Instance:
    """A plain Python type: str, Mapping, Callable, a random generator; and what is no value of it, though Python has it so."""

    def __init__(self, kind: type, single: tuple[type, ...] = ()) -> None:
        self.kind, self.single = kind, single
        self.several = WORDS.get(kind)
        self.listed = "[{name}]"

    def take(self, name: str, value: Any, sizes: Sizes, scan: bool) -> Any:
        """The value, when it is of the type."""
        if isinstance(value, self.single):
            raise ValueError(
                f"{name} is one text, {shown(value)}; wanted {self.several}. Fix: {self.listed.format(name=name)}."
            )
        if not isinstance(value, self.kind):
            wanted = WORDS.get(self.kind, f"a {self.kind.__name__}")
            raise ValueError(
                f"{name} is {shown(value)}; wanted {wanted}. Fix: pass {wanted}."
            )
        return value


class Items(Instance):
    """A list of whole numbers, texts or bytes; an iterator is taken on trust, since to look at it would use it up."""

    def __init__(self, kind: type, item: type) -> None:
        super().__init__(kind, (str,) if item is int else TEXTS)  # bytes are numbers
        self.item = item
        self.several = f"a list of {ITEMS[item]}"
        self.types = (int, np.integer) if item is int else item
        if item is int:
            self.listed = "numbers, such as [0, 1]"

    def take(self, name: str, value: Any, sizes: Sizes, scan: bool) -> Any:
        """The value, when it is of the type and so is everything in it."""
        super().take(name, value, sizes, scan)
        if scan and isinstance(value, (list, tuple)):
            odd = [
                x
                for x in value
                if not isinstance(x, self.types) or x is True or x is False
            ]
            if odd:
                raise ValueError(
                    f"{name} holds {shown(odd[0])}; wanted {ITEMS[self.item]}. Fix: convert it, or leave it out."
                )
        return value
