"""Numbers as text: a real minus sign, thin spaces between thousands, few digits."""

import re
from typing import Any, SupportsFloat

import numpy as np

from transformer_math.errors import require

Real = int | float | np.integer | np.floating

_PERCENT = re.compile(r"(?<=\d) ?%")
_HYPHEN = re.compile(r"(?<![\w.)\[\]=–-])-(?=\.?\d)|(?<=\de)-(?=\d)")


def number(value: Real, digits: int = 3) -> str:
    """A number with so many decimals, for a sentence.

    >>> number(-0.125, 2), number(12345678, 0), number(-0.0001, 2)
    ('−0.12', '12\u202f345\u202f678', '0.00')
    """
    require(
        isinstance(value, SupportsFloat)
        and np.ndim(value) == 0
        and isinstance(digits, (int, np.integer))
        and digits >= 0,
        f"number({value!r:.40}, {digits!r:.40}); wanted a real number, and how many decimals. Fix: number(0.25, 2).",
    )
    value = value if isinstance(value, int) else float(value)
    if not np.isfinite(float(value)):
        return {np.inf: "∞", -np.inf: "−∞"}.get(float(value), "NaN")
    text = f"{value:,.{digits}f}".replace(",", "\u202f")
    return text.lstrip("-") if float(f"{value:.{digits}f}") == 0 else minus(text)


def minus(text: str) -> str:
    """Turn the hyphen of a printed number into a minus sign."""
    return text.replace("-", "−")


def typographic(text: str) -> str:
    """Give the numbers in a text real minus signs and a space before %, at which no line ends; names and code keep theirs.

    >>> typographic("-3 and 1e-9, pages 10-20 of GPT-2, axis=-1, 50%")
    '−3 and 1e−9, pages 10-20 of GPT-2, axis=-1, 50\xa0%'
    """
    return _PERCENT.sub("\u00a0%", _HYPHEN.sub("−", text))


def cell(value: Any) -> str:
    """One value as the text of a table's cell."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (int, np.integer)):
        return minus(f"{value:,}".replace(",", "\u202f"))
    if isinstance(value, (float, np.floating)):
        return _real(float(value))
    return str(value)


def short(value: Real) -> str:
    """A number for an axis or a hover: no more digits than it needs.

    >>> short(1.0), short(-0.25), short(0.123456)
    ('1', '−0.25', '0.123')
    """
    return minus(f"{value:.3g}") if np.isfinite(value) else number(value)


def _real(value: float) -> str:
    if not np.isfinite(value) or value == 0 or 0.001 <= abs(value) < 1000:
        return number(value)
    return minus(f"{value:.2e}")
