"""Show values in few words, and the place where two of them part ways."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from html import escape
from typing import Any

import numpy as np

from transformer_math.checks.compare import alike, as_numbers, distances, plain
from transformer_math.checks.recording import Call, same

SMALL = 9  # arrays up to this size are shown in full, but for empty ones
LONG = 160  # and texts up to this length


def show(value: Any, digits: int = 3) -> str:
    """A value in few words: small arrays in full, large ones by their shape."""
    value = plain(value)
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, np.ndarray):
        return _array(value, digits)
    if isinstance(value, (tuple, list)) and any(
        isinstance(plain(part), np.ndarray) or is_dataclass(part) for part in value
    ):
        return _shortened(f"({_joined(show(part, digits) for part in value)})")
    if callable(value):
        return "a function"
    if isinstance(value, np.random.Generator):
        return "rng"
    if is_dataclass(value):
        inside = (
            f"{part.name}={show(getattr(value, part.name), digits)}"
            for part in fields(value)
        )
        text = f"{type(value).__name__}({_joined(inside)})"
        return text if len(text) <= LONG else f"{type(value).__name__}(…)"
    text = f"{value:.{digits + 1}g}" if isinstance(value, float) else repr(value)
    return _shortened(text)


def as_html(message: str) -> str:
    """A message as HTML: what stands between backticks is code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(message))


def _joined(texts: Iterator[str]) -> str:
    """Texts with commas between them, as far as they may be shown: of a whole model the first few arrays are enough."""
    joined = next(texts, "")
    while len(joined) <= LONG and (text := next(texts, None)) is not None:
        joined += f", {text}"
    return joined


def _shortened(text: str) -> str:
    return text if len(text) <= LONG else f"{text[: LONG - 1]}…"


def _array(array: np.ndarray, digits: int) -> str:
    if not 0 < array.size <= SMALL:
        return f"an array of shape {array.shape}"
    text = np.array2string(array, precision=digits, separator=", ")
    return re.sub(r"(?<=\[) +| +(?=[],])", "", " ".join(text.split()))


def show_call(name: str, call: Call) -> str:
    """A call as it would be written."""
    given = [
        *map(show, call.arguments),
        *(f"{key}={show(value)}" for key, value in call.settings.items()),
    ]
    return f"{name}({', '.join(given)})"


def first_difference(got: Any, wanted: Any) -> str:
    """Where two results part ways, in one line, with as many digits as it takes to see it."""
    got, wanted = plain(got), plain(wanted)
    if _sequences(got, wanted) and alike(got, wanted) and len(got) == len(wanted):
        i = next((i for i, (a, b) in enumerate(zip(got, wanted)) if not same(a, b)), 0)
        return f"part {i + 1} of the result: {first_difference(got[i], wanted[i])}"
    if not isinstance(wanted, np.ndarray) or wanted.size <= SMALL:
        return _side_by_side(got, wanted)
    numbers = as_numbers(got, of_arrays=True)
    if numbers is None or numbers.shape != wanted.shape:
        return f"it gave {_kind(got)}; wanted shape {wanted.shape}"
    where = _farthest(numbers, wanted)
    return (
        f"at index {where} {_side_by_side(numbers[where].item(), wanted[where].item())}"
    )


def visible(got: Any, wanted: Any) -> bool:
    """Whether three digits show the difference."""
    got, wanted = plain(got), plain(wanted)
    if _sequences(got, wanted) and alike(got, wanted) and len(got) == len(wanted):
        return any(visible(a, b) for a, b in zip(got, wanted))
    numbers = as_numbers(got, of_arrays=True)
    large = isinstance(wanted, np.ndarray) and wanted.size > SMALL
    if large and numbers is not None and numbers.shape == wanted.shape:
        where = _farthest(numbers, wanted)
        got, wanted = numbers[where].item(), wanted[where].item()
    return _digits_needed(got, wanted) == 3


def _digits_needed(got: Any, wanted: Any) -> int:
    return next(
        (digits for digits in (3, 6, 9) if show(got, digits) != show(wanted, digits)),
        12,
    )


def _side_by_side(got: Any, wanted: Any) -> str:
    digits = _digits_needed(got, wanted)
    ours, theirs = show(got, digits), show(wanted, digits)
    if ours == theirs and isinstance(got, float):
        ours = repr(float(got))  # 3.0, where 3 is wanted
    return f"it gave {ours}; wanted {theirs}"


def _kind(value: Any) -> str:
    return (
        f"an array of shape {value.shape}"
        if isinstance(value, np.ndarray)
        else show(value)
    )


def _sequences(*values: Any) -> bool:
    return all(isinstance(value, (tuple, list)) for value in values)


def _farthest(got: np.ndarray, wanted: np.ndarray) -> tuple[int, ...]:
    if "b" in (got.dtype.kind, wanted.dtype.kind):
        apart = (got != wanted).astype(float)
    else:
        apart = distances(got.astype(float), wanted.astype(float))
    return tuple(int(i) for i in np.unravel_index(apart.argmax(), wanted.shape))
