"""Trees of parameters: dataclasses, tuples, lists and dicts, one in another, with arrays or numbers at the leaves."""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import fields, is_dataclass
from functools import cache
from os import PathLike
from typing import Any
from zipfile import BadZipFile

import numpy as np

# what NumPy and zipfile say of files that they cannot read
_DAMAGES = (
    BadZipFile,
    EOFError,
    KeyError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)

Tree = Any  # dataclasses, tuples, lists and dicts, one in another; at the leaves arrays or numbers


def parts(tree: Any) -> dict[str, Any] | None:
    """The parts of a node, each under the step of a path that leads to it; None for a leaf.

    >>> parts({"a": 1.0}), parts([2.0, 3.0]), parts(4.0)
    ({"['a']": 1.0}, {'[0]': 2.0, '[1]': 3.0}, None)
    """
    found = _children(tree)
    return None if found is None else dict(zip(_steps(tree), found))


def _children(tree: Any) -> list | None:
    """The parts of a node in order, without their steps: trees are walked at every step of a training."""
    names = _names_in(tree)
    if names is not None:
        return [getattr(tree, name) for name in names]
    if isinstance(tree, (tuple, list)):
        return [*tree]
    return [*tree.values()] if isinstance(tree, Mapping) else None


def _steps(tree: Any) -> Sequence[str]:
    names = _names_in(tree)
    if names is not None:
        return _dotted(names)
    keys = tree if isinstance(tree, Mapping) else range(len(tree))
    return [f"[{key!r}]" for key in keys]


def _names_in(tree: Any) -> tuple[str, ...] | None:
    kind: Any = type(tree)  # a type checker takes `type[Any]` for unhashable
    return _names(kind)


@cache
def _names(kind: type) -> tuple[str, ...] | None:
    if is_dataclass(kind):
        return tuple(field.name for field in fields(kind))
    return getattr(kind, "_fields", None) if issubclass(kind, tuple) else None


@cache
def _dotted(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f".{name}" for name in names)


def leaves(tree: Any) -> dict[str, Any]:
    """Every leaf, under its path from the root, in the order in which the tree is written.

    >>> leaves({"W": 1.0, "layers": [2.0, 3.0]})
    {"['W']": 1.0, "['layers'][0]": 2.0, "['layers'][1]": 3.0}
    """
    found: dict[str, Any] = {}
    _gather(tree, "", found)
    return found


def _gather(tree: Any, place: str, found: dict[str, Any]) -> None:
    """Put every leaf of the tree at a place under its path: each once, however deep it stands."""
    children = _children(tree)
    if children is None:
        found[place] = tree
    else:
        for step, child in zip(_steps(tree), children):
            _gather(child, place + step, found)


def map_leaves(function: Callable, tree: Any, *others: Any) -> Any:
    """A tree of the same form, whose leaves are `function(leaf, *leaves of the others at the same place)`.

    Raises ValueError where the others have another form.

    >>> map_leaves(lambda p, gradient: p - 0.1 * gradient, {"W": 1.0, "b": (2.0,)}, {"W": 10.0, "b": (0.0,)})
    {'W': 0.0, 'b': (2.0,)}
    """
    for other in others:
        if mismatch := different_form(tree, other):
            raise ValueError(
                f"the trees differ in form: {mismatch}. Fix: build both from the same model."
            )
    return _mapped(function, tree, others)


def different_form(tree: Any, other: Any) -> str | None:
    """The first place where two trees differ in their nodes (not in their leaves), in words; None where none does."""
    one, two = _children(tree), _children(other)
    if one is None and two is None:
        return None
    if one is None or two is None or type(tree) is not type(other):
        return f"{type(tree).__name__} here, {type(other).__name__} there"
    if len(one) != len(two) or (isinstance(tree, Mapping) and [*tree] != [*other]):
        return f"{type(tree).__name__} with the parts {[*_steps(tree)]} here, {[*_steps(other)]} there"
    for place, (here, there) in enumerate(zip(one, two)):
        if found := different_form(here, there):
            return f"at {_steps(tree)[place]}: {found}"
    return None


def same(tree: Any, other: Any) -> bool:
    """Whether two trees have one form and, bit for bit, the same numbers of the same type; NaN equals NaN."""
    return different_form(tree, other) is None and all(
        _identical(np.asarray(a), np.asarray(b))
        for a, b in zip(leaves(tree).values(), leaves(other).values())
    )


def save(path: str | PathLike, tree: Any) -> None:
    """Write the leaves into an `.npz` file, each under its path: plain arrays, nothing that could run when read.

    Raises ValueError for a leaf that is neither an array nor a number.
    """
    arrays = {place or "leaf": np.asarray(leaf) for place, leaf in leaves(tree).items()}
    for place, array in arrays.items():
        if array.dtype.kind not in "biufc":
            raise ValueError(
                f"{place} is {array.dtype}; wanted numbers. Fix: save arrays and numbers alone."
            )
    with open(path, "wb") as file:
        named: dict[str, Any] = {_key(place): array for place, array in arrays.items()}
        np.savez(file, **named)


def load(path: str | PathLike, like: Any) -> Any:
    """Read the leaves that `save` wrote into a tree of the form of `like`, whose numbers do not matter.

    Raises ValueError where the file holds other places, shapes or types than `like`, or is damaged.
    """
    stored = _stored(path)
    wanted = {place or "leaf": np.asarray(leaf) for place, leaf in leaves(like).items()}
    for place in {**wanted, **stored}:
        one, two = (_described(where.get(place)) for where in (stored, wanted))
        if one != two:
            raise ValueError(
                f"{place} is {one} in the file; wanted {two}. Fix: a tree of the form that was saved."
            )
    return _filled(like, "", stored)


def _stored(path: str | PathLike) -> dict[str, np.ndarray]:
    """The arrays of a file by their places, as it has them."""
    with open(path, "rb") as opened:
        try:
            with np.load(opened, allow_pickle=False) as file:
                return {_place(key): file[key] for key in file.files}
        except _DAMAGES:
            raise ValueError(
                f"{path} is damaged, or no archive of arrays; wanted a file that save(...) wrote. "
                "Fix: write it again, or delete it."
            ) from None


def _filled(like: Any, place: str, stored: dict[str, np.ndarray]) -> Any:
    found = parts(like)
    if found is None:
        array = stored[place or "leaf"]
        return array if isinstance(like, np.ndarray) else type(like)(array[()])
    return _rebuilt(
        like, [_filled(part, place + step, stored) for step, part in found.items()]
    )


def _mapped(function: Callable, tree: Any, others: Sequence) -> Any:
    found = _children(tree)
    if found is None:
        return function(tree, *others)
    columns = zip(found, *(_children(other) or () for other in others))
    children = [_mapped(function, one, rest) for one, *rest in columns]
    return _rebuilt(tree, children)


def _rebuilt(node: Any, children: list) -> Any:
    if isinstance(node, Mapping):
        made: Any = copy(node)  # a Counter or defaultdict cannot be made from pairs
        for key, child in zip(node, children):
            made[key] = child
        return made
    plain = type(node) in (tuple, list)
    return type(node)(children) if plain else type(node)(*children)


def _identical(a: np.ndarray, b: np.ndarray) -> bool:
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    return np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")


def _described(array: np.ndarray | None) -> str:
    return "missing" if array is None else f"{array.dtype} of shape {array.shape}"


def _key(place: str) -> str:
    return place.replace("%", "%25").replace("/", "%2F")  # a slash would be a folder


def _place(key: str) -> str:
    return key.replace("%2F", "/").replace("%25", "%")
