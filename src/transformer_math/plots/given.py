"""What a drawing must be given: real numbers on two axes, and a name for each row and column that has one."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from transformer_math.errors import require


def given_matrix(values: Any) -> np.ndarray:
    """The values as a matrix of float64. Raises ValueError for other axes, for nothing, and for what are no real numbers.

    >>> given_matrix([[1, 2]])
    array([[1., 2.]])
    """
    found = np.asarray(values)
    require(
        found.dtype.kind in "biuf",
        f"a matrix has dtype {found.dtype}; wanted real numbers. Fix: np.abs of complex ones, or .real.",
    )
    require(
        found.ndim == 2 and found.size > 0,
        f"a matrix has shape {found.shape}; wanted (rows, columns), neither of them 0. Fix: x[None, :] for a vector.",
    )
    return found.astype(float)


def _counted(names: Sequence[str]) -> str:
    return f"{len(names)} name{'s' * (len(names) != 1)}"


def require_names(names: Sequence[str] | None, sizes: Sequence[int], of: str) -> None:
    """Raise ValueError for names that are not as many as one of the sizes."""
    require(
        names is None or len(names) in sizes,
        f"{_counted(() if names is None else names)} for {sizes[0]} {of}; wanted one for each. Fix: leave some out, or add some.",
    )


def require_limit(limit: Any) -> None:
    """Raise ValueError for an end of a scale that is no finite number above 0."""
    real = isinstance(limit, (int, float, np.integer, np.floating))
    require(
        limit is None or (real and 0 < limit < np.inf),
        f"limit is {limit!r:.40}; wanted a finite number above 0. Fix: leave it out, and the largest number is the end.",
    )
