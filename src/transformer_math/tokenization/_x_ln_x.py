"""x ln x, of which the likelihoods of counts are made."""

from typing import Any

import numpy as np


def x_ln_x(x: Any) -> Any:
    """x ln x, which is 0 at 0.

    >>> x_ln_x(np.array([0.0, 1.0, np.e])).round(3)
    array([0.   , 0.   , 2.718])
    """
    return x * np.log(np.where(x > 0, x, 1))


def log_likelihood_of_counts(counts: np.ndarray) -> float:
    """The log-likelihood of counts under their own shares; what was not counted adds nothing.

        Λ(C) = Σ_u C_u ln C_u/(Σ_v C_v)

    >>> log_likelihood_of_counts(np.array([2.0, 0.0])), round(log_likelihood_of_counts(np.ones(2)), 3)
    (0.0, -1.386)
    """
    seen = counts[counts > 0]
    return float(seen @ np.log(seen / seen.sum()))
