"""The error function, vectorised: NumPy has none, and Python's takes one number at a time.

Two quotients of polynomials, one near 0 and one for the rest, from Cody (1969), "Rational Chebyshev approximations for
the error function", Mathematics of Computation 23, with the digits of his SPECFUN (Cody 1993, ACM TOMS 19).
"""

import numpy as np

from transformer_math.contract import contract
from transformer_math.shapes import Numbers

_NEAR = 0.46875  # below it erf itself is approximated, above it what is missing to 1
_FAR = 6.0  # erf is 1 from here on, to the last of 53 bits

# Highest power first. erf x = x A(x^2) / B(x^2); 1 - erf y = exp(-y^2) C(y) / D(y).
_A = (
    1.85777706184603153e-1,
    3.16112374387056560e0,
    1.13864154151050156e2,
    3.77485237685302021e2,
    3.20937758913846947e3,
)
_B = (
    1.0,
    2.36012909523441209e1,
    2.44024637934444173e2,
    1.28261652607737228e3,
    2.84423683343917062e3,
)
_C = (
    2.15311535474403846e-8,
    5.64188496988670089e-1,
    8.88314979438837594e0,
    6.61191906371416295e1,
    2.98635138197400131e2,
    8.81952221241769090e2,
    1.71204761263407058e3,
    2.05107837782607147e3,
    1.23033935479799725e3,
)
_D = (
    1.0,
    1.57449261107098347e1,
    1.17693950891312499e2,
    5.37181101862009858e2,
    1.62138957456669019e3,
    3.29079923573345963e3,
    4.36261909014324716e3,
    3.43936767414372164e3,
    1.23033935480374942e3,
)


@contract
def erf(x: Numbers) -> Numbers:
    r"""Twice the chance that a normal variable of variance 1/2 lies between 0 and x.

        erf(x) = 2 / sqrt(pi) * integral of exp(-t^2) from 0 to x

    It differs from the true value by at most 1e-15. float32 stays float32.

    >>> erf(np.array([-1.0, 0.0, 0.5]))
    array([-0.84270079,  0.        ,  0.52049988])
    """
    y = np.minimum(np.abs(x), _FAR)
    square = y * y
    missing = np.exp(-square) * _polynomial(_C, y) / _polynomial(_D, y)
    near = y * _polynomial(_A, square) / _polynomial(_B, square)
    return np.copysign(np.where(y < _NEAR, near, 1 - missing), x)


def _polynomial(coefficients: tuple[float, ...], x: np.ndarray) -> np.ndarray:
    # Horner's rule; the coefficient of the highest power comes first
    value = np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        value *= x
        value += coefficient
    return value
