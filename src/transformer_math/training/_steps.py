"""What every step of an optimiser asks of its trees: one form, single or double precision, squares that stay in range."""

import math

import numpy as np

from transformer_math.contract import requires
from transformer_math.contract.arrays import all_finite
from transformer_math.trees import Tree, leaves


def shapes(tree: Tree) -> list[tuple[int, ...]]:
    """The shape of every leaf.

    >>> shapes({"W": np.ones((2, 3)), "b": 1.0})
    [(2, 3), ()]
    """
    return [np.shape(leaf) for leaf in leaves(tree).values()]


def single_or_double(tree: Tree) -> bool:
    """Whether every leaf holds real numbers in single or double precision.

    >>> single_or_double({"W": np.ones(2, np.float32)}), single_or_double(np.ones(2, np.float16))
    (True, False)
    """
    return all(np.asarray(leaf).dtype.char in "fd" for leaf in leaves(tree).values())


def squares_fit(gradients: Tree) -> bool:
    """Whether the squares of all numbers are finite, a few of them together too.

    >>> squares_fit(np.array([1e150])), squares_fit(np.array([1e160])), squares_fit(np.array([np.nan]))
    (True, False, False)
    """
    return all(_squares_fit(np.asarray(g)) for g in leaves(gradients).values())


def _squares_fit(g: np.ndarray) -> bool:
    flat = g.ravel(order="K")
    with np.errstate(over="ignore", invalid="ignore"):
        together = float(np.dot(flat, flat))
    largest = math.sqrt(np.finfo(g.dtype).max) / 2
    return math.isfinite(together) or bool((np.abs(flat) <= largest).all())


def _unfit(gradients: Tree) -> str:
    arrays = [np.asarray(g) for g in leaves(gradients).values()]
    if not all(map(all_finite, arrays)):
        return (
            "the gradients hold NaN or infinity; wanted finite numbers. "
            "Fix: look for the step that made them, and leave it out."
        )
    g = next(g for g in arrays if not _squares_fit(g))
    return (
        f"the gradients hold {np.abs(g).max():.3g} in {g.dtype}, whose square is infinite; wanted squares that are finite. "
        "Fix: clip_by_norm(gradients, 1.0) before the step."
    )


finite_squares = requires(squares_fit, _unfit)
eps_that_counts = requires(
    lambda parameters, gradients, eps: all(
        np.asarray(leaf).dtype.type(eps) > 0
        for leaf in leaves((parameters, gradients)).values()
    ),
    "eps is {eps}, which is 0 in single precision: 0 would be divided by 0. "
    "Fix: eps = 1e-9, or parameters and gradients in float64.",
)
