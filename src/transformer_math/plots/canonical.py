"""The one form that an answer has, however it is typed: by it the page tells what a reader has answered.

`questions.js` has the same rules; `tests/book/test_questions.py` compares the two on every answer of the book.
"""

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

DIGITS = 3  # of a number that is not whole
FORMULA_DIGITS = 6
POINTS = (1.37, 2.61, 3.19, 5.83, 7.41, 9.07, 12.3, 16.9)


def number(value: float, digits: int | None = None) -> str:
    """A whole number as it is; another, or one of which few digits are wanted, by its first digits and a power of ten.

    >>> number(1050624), number(1 / 3), number(-1050624, 2)
    ('1050624', '333e-3', '-11e5')
    """
    value = float(value)
    if not np.isfinite(value):
        return str(value)
    if digits is None and abs(value - round(value)) <= 1e-9 * abs(value):
        return str(round(value))
    return first_digits(value, digits or DIGITS)


def first_digits(value: float, digits: int) -> str:
    """A number rounded to so many digits: these, and the power of ten of the last.

    >>> first_digits(0.0125, 3), first_digits(31, 1)
    ('125e-4', '3e1')
    """
    if value == 0:
        return "0"
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    return f"{mantissa.replace('.', '')}e{int(exponent) - digits + 1}"


def rounded(value: float, digits: int) -> float:
    """A number of which so many digits are left, rounded.

    >>> rounded(2.19722, 3)
    2.2
    """
    return float(f"{value:.{digits - 1}e}")


def cut(value: float, digits: int) -> float:
    """A number of which so many digits are left, and the others cut off.

    >>> cut(2.19722, 3), cut(-60170.4, 2)
    (2.19, -60000.0)
    """
    mantissa, exponent = f"{value:.12e}".split("e")
    kept = digits + 1 + mantissa.startswith("-")
    return float(f"{mantissa[:kept]}e{exponent}")


def numbers(values: Sequence[float], digits: int | None = None) -> str:
    """Several numbers in their order: a shape, a row, all entries of a matrix."""
    return ",".join(number(value, digits) for value in np.ravel(values))


def words(text: str) -> str:
    """Words without their case, their quotes and what stands between them.

    >>> words("“ea”, ▁Sea"), words("ea | _sea")
    ('ea _sea', 'ea _sea')
    """
    plain = re.sub(r"[“”‘’\"'`()\[\]]", "", text.lower()).replace("▁", "_")
    return " ".join(re.split(r"[\s,;|·]+", plain.replace("␣", "_").strip(" \t\n,;|·")))


def variables(formula: Callable) -> list[str]:
    """The letters in which a formula is written: the arguments of a function."""
    return list(inspect.signature(formula).parameters)


def formula(function: Callable) -> str:
    """A formula by its values at a few points, so that every way to write it is the same."""
    return ",".join(
        first_digits(float(function(*point)), FORMULA_DIGITS)
        for point in points(len(variables(function)))
    )


def points(n: int) -> Iterator[tuple[float, ...]]:
    """Where a formula of n letters is evaluated: each time other numbers, none of them whole."""
    for start in range(3):
        yield tuple(POINTS[(start + 3 * i) % len(POINTS)] for i in range(n))


def kind(answer: Any) -> str:
    """How an answer is typed: a formula, words, several numbers, or one."""
    if callable(answer):
        return "formula"
    if isinstance(answer, str):
        return "words"
    return "numbers" if np.ndim(answer) else "number"


def canonical(answer: Any, digits: int | None = None) -> str:
    """The form of any answer: what is hashed."""
    if callable(answer):
        return formula(answer)
    if isinstance(answer, str):
        return words(answer)
    return numbers(answer, digits) if np.ndim(answer) else number(answer, digits)
