"""Arrays as a jaxtyping annotation describes them: type, dtype, shape and values, each refused with what would be right."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from transformer_math.contract.scalars import shown

Sizes = dict[str, tuple]  # letter: its size, the argument it is from, its shape
CLOSE = 1e-3  # what single precision may lose in a sum over a vocabulary


class OrMinusInfinity:
    """In `Annotated[Float[...], OrMinusInfinity]`: -inf is welcome, as the score of what is forbidden."""


class Finite:
    """In the annotation of what is returned: looked at in every call, where -inf would pass for what is forbidden."""


@dataclass(frozen=True)
class Holds:
    """In `Annotated[Float[...], Holds(...)]`: what is true of the whole array, how it is said, and what to do else."""

    condition: Callable[[np.ndarray], bool]
    wanted: str
    fix: str


SOMETHING_FINITE = Holds(
    lambda x: x.max() > -math.inf,
    "something finite: -inf everywhere leaves nothing to choose",
    "allow at least one token",
)


DISTRIBUTION = Holds(
    lambda p: p.min() >= 0 and np.allclose(p.sum(axis=-1), 1, rtol=0, atol=CLOSE),
    "probabilities: no negative number, and a sum of 1",
    "end with probabilities(logits), or divide by the sum",
)
ATTENTION_WEIGHTS = Holds(
    lambda A: A.min() >= 0 and _is_near_0_or_1(A.sum(axis=-1)),
    "attention weights: no negative number, and rows that add up to 1, or are 0 where nothing is seen",
    "softmax the scores",
)


def _is_near_0_or_1(sums: np.ndarray) -> bool:
    return bool(np.all((abs(sums - 1) < CLOSE / 10) | (sums == 0)))


class Array:
    """The contract of one array argument."""

    def __init__(self, annotation: Any, metadata: tuple = ()) -> None:
        self.kind = annotation.dtype.__name__
        self.dims = annotation.dim_str.split()
        self.lead = self.dims[0] if self.dims and self.dims[0][0] in ".*" else None
        self.fixed = [
            (dim.removeprefix("#"), dim.startswith("#"))
            for dim in self.dims[self.lead is not None :]
        ]
        self.rank = len(self.fixed)
        self.spreads = self.lead is not None and "#" in self.lead
        self.lead = self.lead and self.lead.replace("#", "")
        self.lowest = -math.inf if OrMinusInfinity in metadata else None
        self.always = Finite in metadata
        self.holds = [part for part in metadata if isinstance(part, Holds)]
        self.scanned = self.kind == "Float"
        self.chars = {"Float": "fd", "Int": np.dtype(int).char, "Bool": "?"}[self.kind]

    @property
    def letters(self) -> set[str]:
        """The letters of the annotation, its leading axes included."""
        own = {letter for letter, _ in self.fixed}
        return own if self.lead is None else own | {self.lead}

    def take(self, name: str, value: Any, sizes: Sizes, scan: bool) -> np.ndarray:
        """The array, in double precision if it held integers; ValueError for what the annotation does not allow."""
        if type(value) is not np.ndarray or value.dtype.char not in self.chars:
            value = self.numbers(name, value)
        letter = self.bind(name, value.shape, sizes)
        if letter is not None:
            self.refuse(name, value.shape, letter, sizes)
        if scan and self.scanned:
            self._scan(name, value)
        if scan:
            self._require(name, value)
        return value

    def numbers(self, name: str, value: Any) -> np.ndarray:
        """The value if it is an array of the right kind of numbers; integers for real ones become float64, narrow ones int64."""
        _require_array(name, value)
        dtype = value.dtype
        if dtype.char in self.chars:
            return value
        if self.kind == "Float" and dtype.kind in "iu":
            return value.astype(float)
        if self.kind == "Int" and dtype.kind in "iu":
            return _wide(name, value)
        raise ValueError(
            f"{name} has dtype {dtype}; {_DTYPES[self.kind](name, dtype)}."
        )

    def bind(self, name: str, shape: tuple[int, ...], sizes: Sizes) -> str | None:
        """Give each letter its size; returns what does not fit: a letter, or "rank", or "empty"."""
        ahead = len(shape) - self.rank
        if ahead and (self.lead is None or ahead < 0):
            return "rank"
        if 0 in shape:
            return "empty"
        if self.lead is not None:
            lead = shape[:ahead]
            known = sizes.get(self.lead)
            if known is None:
                sizes[self.lead] = (lead, name, shape)
            elif lead != known[0] and not (self.spreads and _spreads(lead, known[0])):
                return self.lead
        for (letter, spreads), size in zip(self.fixed, shape[ahead:]):
            if spreads and size == 1:
                continue
            known = sizes.get(letter)
            if known is None:
                sizes[letter] = (size, name, shape)
            elif known[0] != size:
                return letter
        return None

    def refuse(self, name: str, shape: tuple, letter: str, sizes: Sizes) -> None:
        """Raise the ValueError for an array whose shape does not fit."""
        said = f"{name} has shape {shape}; wanted {self.wanted()}"
        repair = self.repair(name, shape, sizes)
        if letter == "rank":
            axes = "at least " * (self.lead is not None) + _axes(self.rank)
            raise ValueError(
                f"{said}, which is {axes}. Fix: {repair or 'give every axis of the signature its place'}."
            )
        if letter == "empty":
            raise ValueError(
                f"{said} with nothing empty. Fix: pass at least one number along every axis."
            )
        size, other, other_shape = sizes[letter]
        if other == name:
            raise ValueError(
                f"{said}, {letter} the same wherever it stands. Fix: make {letter} one number."
            )
        origin = (
            f"as in {other} of shape {other_shape}"
            if other_shape
            else f"the argument {other}"
        )
        what = "the leading axes" if letter == self.lead else letter
        raise ValueError(
            f"{said} with {letter} = {size}, {origin}. Fix: {repair or f'make {what} the same in {name} and {other}'}."
        )

    def wanted(self) -> str:
        """The shape as the signature has it: `(..., n, d_k)`; an axis that may be 1 says so."""
        dims = [
            f"{dim[1:]} or 1" if dim[0] == "#" else dim.replace("#", "")
            for dim in self.dims
        ]
        return f"({', '.join(dims)}{',' if len(dims) == 1 else ''})"

    def repair(self, name: str, shape: tuple, sizes: Sizes) -> str | None:
        """A small change that would make the array fit, if there is one."""
        for text, candidate in _repairs(name, shape):
            trial = {k: v for k, v in sizes.items() if v[1] != name}
            if self.bind(name, candidate, trial) is None:
                note = (
                    "; PyTorch stores weights transposed"
                    if name.split(".")[-1][0] == "W" and text.endswith(".T")
                    else ""
                )
                return f"{text}, which has shape {candidate}{note}"
        return None

    def _require(self, name: str, value: np.ndarray) -> None:
        for part in self.holds:
            if not part.condition(value):
                raise ValueError(
                    f"{name} is {shown(value)} which is not {part.wanted}. Fix: {part.fix}."
                )

    def _scan(self, name: str, value: np.ndarray) -> None:
        plain = value if type(value) is np.ndarray else value.view(np.ndarray)
        fine = plain.max() < math.inf if self.lowest else all_finite(plain)
        if fine:
            return
        bad = ~(plain < math.inf) if self.lowest else ~np.isfinite(plain)
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        wanted = "finite numbers or -inf" if self.lowest else "finite numbers"
        raise ValueError(
            f"{name} holds {plain[where]} at index {where}; wanted {wanted}. Fix: look for the step that made it."
        )


def _spreads(lead: tuple[int, ...], over: tuple[int, ...]) -> bool:
    return len(lead) <= len(over) and all(
        size in (1, wanted) for size, wanted in zip(lead[::-1], over[::-1])
    )


def _require_array(name: str, value: Any) -> None:
    odd = (np.matrix, np.ma.MaskedArray)
    if isinstance(value, np.ndarray) and not isinstance(value, odd):
        return
    fix = f"np.array({name})"
    if type(value).__module__.startswith("torch"):
        fix = f"np.array({name}.detach())"
    if value is None:
        fix = "pass np.array(...) of your numbers"
    raise ValueError(
        f"{name} is {_described(value)}; wanted a NumPy array. Fix: {fix}."
    )


def all_finite(x: np.ndarray) -> bool:
    """Whether no entry is NaN or infinite. A finite sum of squares says so in a third of the time of looking at each.

    >>> all_finite(np.array([1.0, 1e300])), all_finite(np.array([1.0, np.nan]))
    (True, False)
    """
    flat = x.ravel(order="K")
    with np.errstate(over="ignore", invalid="ignore"):
        squares = np.dot(flat, flat)
    return math.isfinite(squares) or bool(np.isfinite(x).all())


def _wide(name: str, value: np.ndarray) -> np.ndarray:
    """The same integers as int64, in which sums and products of numbers of tokens fit."""
    if value.size and value.max() > np.iinfo(int).max:
        raise ValueError(
            f"{name} holds {value.max()}; wanted at most {np.iinfo(int).max}. Fix: look for the step that made it."
        )
    return value.astype(int)


def _described(value: Any) -> str:
    odd = isinstance(value, np.ndarray)
    return f"a {type(value).__name__}" if odd else shown(value)


def _float_dtype(name: str, dtype: np.dtype) -> str:
    if dtype.kind == "c":
        return f"wanted real numbers. Fix: {name}.real, if nothing is lost with the imaginary part"
    return f"wanted float32 or float64. Fix: {name}.astype(float)"


def _int_dtype(name: str, dtype: np.dtype) -> str:
    return f"wanted integers. Fix: {name}.astype(int)"


def _bool_dtype(name: str, dtype: np.dtype) -> str:
    fix = f"{name}.astype(bool), if 1 stands where attention is allowed"
    if dtype.kind == "f":
        fix = f"{name} == 0, if it holds 0 and -inf and was made to be added to scores"
    return f"wanted bool, True where attention is allowed. Fix: {fix}"


_DTYPES = {"Float": _float_dtype, "Int": _int_dtype, "Bool": _bool_dtype}


def _axes(number: int) -> str:
    return f"{number} {'axis' if number == 1 else 'axes'}"


def _repairs(name: str, shape: tuple[int, ...]) -> Iterable[tuple[str, tuple]]:
    if len(shape) == 2:
        yield f"{name}.T", shape[::-1]
    if len(shape) > 2:
        yield f"np.swapaxes({name}, -1, -2)", (*shape[:-2], shape[-1], shape[-2])
        yield f"{name}[:, None]", (shape[0], 1, *shape[1:])
    if len(shape) > 1:
        yield f"{name}[{'0, ' * (len(shape) - 2)}-1], the last row", shape[-1:]
    if len(shape) == 1:
        yield f"{name}[None, :]", (1, *shape)
