"""Claims over several seeds, tokens or cases: the mean, how far it may be trusted, and over how many, always in the same words."""

import math
from collections.abc import Iterable

import numpy as np

FEW = 20  # of so many values a range says more than a standard error


def spread(values: Iterable[float], of: str, form: str = ".3g") -> str:
    """The mean of some values in words: with their range where they are few, else with its standard error.

    The standard error is that of independent values, s / √n, with s² = Σ(x − x̄)² / (n − 1).
    `of` says what was counted, in the plural; `form` is the format of each number. Raises ValueError where there are
    fewer than two values, or one that is no finite number.

    >>> spread([0.91, 0.81, 0.85, 0.72], "seeds", ".0%")
    '82% on average over 4 seeds (72% to 91%)'
    >>> spread([0.999, 1.0], "seeds", ".0%")
    '100% in each of 2 seeds'
    >>> spread(np.arange(100) % 2, "tokens", ".2f")
    '0.50 ± 0.05 on average over 100 tokens (standard error)'
    """
    x = np.array(list(values), float)
    if x.size < 2 or not np.isfinite(x).all():
        raise ValueError(
            f"the values are {x.tolist()[:5]}; wanted two finite numbers or more. "
            "Fix: repeat what was measured, or say that it was measured once"
        )
    _, power = np.frexp(abs(x).max())
    near_1 = np.ldexp(x, -power)  # no sum and no square of these leaves the range
    mean, number = np.ldexp(near_1.mean(), power), f"{x.size:,}".replace(",", "\u202f")
    if x.size < FEW:
        least, most = f"{x.min():{form}}", f"{x.max():{form}}"
        if least == most:
            return f"{most} in each of {number} {of}"
        return f"{mean:{form}} on average over {number} {of} ({least} to {most})"
    error = np.ldexp(near_1.std(ddof=1), power) / math.sqrt(x.size)
    return (
        f"{mean:{form}} ± {error:{form}} on average over {number} {of} (standard error)"
    )
