"""How two results are compared: part by part, numbers with numbers only, and never blind to NaN."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from transformer_math import trees


def difference(got: Any, wanted: Any) -> float:
    """The largest difference of two results; infinite where they differ in structure, shape or kind.

    - Real numbers are compared relative to the wanted one where that is larger than 1, whole numbers exactly.
    - Where whole numbers are wanted, 3.0 is none; where real ones are, 3 is.
    - NaN equals NaN alone, and an infinity itself alone.
    - Numbers may come as array, tensor or (nested) list, no rows as an empty one; a tuple may come as a list.
    - True and False are no numbers, and text is never turned into one: what is neither is equal, 0, or not, infinite.
    """
    if got is wanted:
        return 0.0
    got, wanted = plain(got), plain(wanted)
    if (numbers := as_numbers(wanted)) is not None:
        if isinstance(got, list) and len(got) == 0 == len(np.atleast_1d(numbers)):
            return 0.0
        return _distance(as_numbers(got, of_arrays=True), numbers)
    ours, theirs = trees.parts(got), trees.parts(wanted)
    if ours is None and theirs is None:
        return 0.0 if _equal(got, wanted) else np.inf
    if ours is None or theirs is None or not alike(got, wanted):
        return np.inf
    if ours.keys() != theirs.keys():
        return np.inf
    return worst(difference(ours[step], theirs[step]) for step in theirs)


def worst(errors: Iterable[float]) -> float:
    """The largest of several errors; infinite where one is NaN, which `max` passes over; 0 where there is none."""
    found = np.array([0.0, *errors])
    return np.inf if np.isnan(found).any() else float(found.max())


def plain(value: Any) -> Any:
    """A PyTorch tensor as an array, anything else as it is. (The module's name tells: torch need not be loaded.)"""
    if type(value).__module__ == "torch":
        return value.detach().numpy()
    return value


def as_numbers(value: Any, of_arrays: bool = False) -> np.ndarray | None:
    """An array of booleans or real numbers, if that is what the value is; lists of arrays count `of_arrays` only."""
    if not of_arrays and _holds_arrays(value):
        return None
    if not isinstance(value, (np.ndarray, np.generic, bool, int, float, list, tuple)):
        return None
    try:
        array = np.asarray(trees.map_leaves(plain, value) if of_arrays else value)
    except (TypeError, ValueError):
        return None
    mixed = array.dtype.kind in "iuf" and _holds_truth(value)
    return array if array.dtype.kind in "biuf" and not mixed else None


def _holds_arrays(value: Any) -> bool:
    if not isinstance(value, (list, tuple)):
        return False
    return any(
        isinstance(plain(part), np.ndarray) or _holds_arrays(part) for part in value
    )


def _holds_truth(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_holds_truth, value))
    return isinstance(value, (bool, np.bool_))


def alike(got: Any, wanted: Any) -> bool:
    """Whether two results are of one kind: of one type, or both sequences, or both mappings."""
    if type(got) is type(wanted):
        return True
    kinds = (
        (lambda value: type(value) in (tuple, list)),
        (lambda value: isinstance(value, Mapping)),
    )
    return any(kind(got) and kind(wanted) for kind in kinds)


def _equal(got: Any, wanted: Any) -> bool:
    return type(got) is type(wanted) and bool(np.all(got == wanted))


def _distance(got: np.ndarray | None, wanted: np.ndarray) -> float:
    if got is None or got.shape != wanted.shape:
        return np.inf
    if wanted.size == 0:
        return 0.0
    kinds = {got.dtype.kind, wanted.dtype.kind}
    if "b" in kinds:
        return float(np.any(got != wanted)) if kinds == {"b"} else np.inf
    if wanted.dtype.kind in "iu" and got.dtype.kind == "f":
        return np.inf
    if np.array_equal(got, wanted):
        return 0.0
    if kinds <= {"i", "u"}:
        apart = [abs(int(a) - int(b)) for a, b in zip(got.flat, wanted.flat)]
        return float(max(apart))
    return float(distances(got.astype(float), wanted.astype(float)).max())


def distances(got: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Number by number: how far apart, relative to the wanted number where that is larger than 1."""
    same = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
    finite = np.isfinite(got) & np.isfinite(wanted)
    a, b = np.where(finite, got, 0.0), np.where(finite, wanted, 0.0)
    with np.errstate(over="ignore"):
        apart = np.abs(a - b) / np.maximum(1.0, np.abs(b))
    return np.where(same, 0.0, np.where(finite, apart, np.inf))
