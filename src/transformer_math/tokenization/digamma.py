"""The digamma function, the derivative of ln Γ: what the reference implementation of Unigram takes in place of a logarithm."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import contract, requires

# B_2k / 2k for k = 1, 2, …: the coefficients of the asymptotic series.
_SERIES = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132)
_SHIFT = 10


@contract
@requires(
    lambda y: bool(np.all(y > 0)),
    "y holds numbers that are not positive, where the series has no value. Fix: pass numbers above 0.",
)
def digamma_series(y: Float[np.ndarray, "*shape"]) -> Float[np.ndarray, "*shape"]:
    r"""The series of the digamma function, exact enough from y = 10 on.

        series(y) = ln y - 1/(2 y) - 1/(12 y²) + 1/(120 y⁴) - 1/(252 y⁶) + 1/(240 y⁸) - 1/(132 y¹⁰)

    Book: eq-digamma-series. Source: Bernardo (1976), Algorithm AS 103.

    >>> digamma_series(np.array([1.0, 100.0])).round(4).tolist()
    [-0.5824, 4.6002]
    """
    series = sum(c / y ** (2 * k) for k, c in enumerate(_SERIES, 1))
    return np.log(y) - 1 / (2 * y) - series


@contract
@requires(
    lambda x: bool(np.all(x > 0)),
    "x holds numbers that are not positive, where the digamma has poles. Fix: pass counts above 0.",
)
def digamma(x: Float[np.ndarray, "*shape"]) -> Float[np.ndarray, "*shape"]:
    r"""The digamma function: a logarithm that lies lower, by about 1/(2x), and much lower near 0.

        ψ(x) = series(x + 10) - Σ_{k=0}⁹ 1/(x + k)

    The error is below 1e-12. Book: eq-digamma. Source: Bernardo (1976), Algorithm AS 103.

    >>> digamma(np.array([1.0, 100.0])).round(4).tolist()
    [-0.5772, 4.6002]
    """
    below = sum(1 / (x + k) for k in range(_SHIFT))
    return digamma_series(x + _SHIFT) - below
