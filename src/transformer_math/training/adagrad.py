"""AdaGrad: every number has a step of its own, which becomes shorter the more its gradients have added up."""

import numpy as np

from transformer_math.contract import NonNegative, Positive, contract, requires
from transformer_math.training._steps import (
    eps_that_counts,
    finite_squares,
    shapes,
    single_or_double,
)
from transformer_math.trees import Tree, leaves, map_leaves


def _adds_up(squares: np.ndarray) -> bool:
    s = np.asarray(squares)
    return bool(((s >= 0) & (s <= np.finfo(s.dtype).max / 2)).all())


@contract
@requires(
    lambda parameters, gradients, squares: (
        single_or_double((parameters, gradients, squares))
        and shapes(parameters) == shapes(gradients) == shapes(squares)
    ),
    "parameters, gradients and sums of squares differ in their shapes, or hold something else than float32 or float64. "
    "Fix: three trees of one form; np.zeros_like of each parameter begins the squares.",
)
@requires(
    lambda squares: all(map(_adds_up, leaves(squares).values())),
    "squares hold a negative number, or one to which no further square can be added. "
    "Fix: begin with zeros, and pass what the last step returned.",
)
@finite_squares
@eps_that_counts
def adagrad_step(
    parameters: Tree,
    gradients: Tree,
    squares: Tree,
    learning_rate: NonNegative,
    eps: Positive = 1e-10,
) -> tuple[Tree, Tree]:
    r"""Move every parameter against its gradient, divided by the root of the sum of all its squared gradients so far.

        s' = s + g²
        θ' = θ - η g/(√s' + ε)

    Returns the new parameters and the new sums. Raises ValueError where the trees differ in form or shape, and where a
    square or a sum would be infinite.
    Book: eq-adagrad. Source: Duchi, Hazan and Singer (2011), JMLR 12.

    >>> b = {"b": np.array([1.0, 2.0])}
    >>> adagrad_step(b, {"b": np.array([3.0, -0.1])}, {"b": np.array([16.0, 0.0])}, learning_rate=0.5)
    ({'b': array([0.7, 2.5])}, {'b': array([2.5e+01, 1.0e-02])})
    """
    sums = map_leaves(lambda s, g: s + g**2, squares, gradients)

    def moved(theta, g, s):
        return theta - learning_rate * g / (np.sqrt(s) + eps)

    return map_leaves(moved, parameters, gradients, sums), sums
