"""AdaGrad: every number has a step of its own, which becomes shorter the more its gradients have added up."""

from typing import Any

import numpy as np

from transformer_math.contract import NonNegative, Positive, contract, requires
from transformer_math.training.clipping import all_real, finite_gradients
from transformer_math.trees import leaves, map_leaves


def _shapes(tree: Any) -> list[tuple[int, ...]]:
    return [np.shape(leaf) for leaf in leaves(tree).values()]


@contract
@requires(
    lambda parameters, gradients, squares: (
        all_real((parameters, gradients, squares))
        and _shapes(parameters) == _shapes(gradients) == _shapes(squares)
    ),
    "parameters, gradients and sums of squares differ in their shapes, or hold something that is no real number. "
    "Fix: three trees of one form; np.zeros_like of each parameter begins the squares.",
)
@requires(
    lambda squares: all((np.asarray(s) >= 0).all() for s in leaves(squares).values()),
    "squares hold a negative number. Fix: begin with zeros, and pass what the last step returned.",
)
@finite_gradients
def adagrad_step(
    parameters,
    gradients,
    squares,
    learning_rate: NonNegative,
    eps: Positive = 1e-10,
) -> tuple[Any, Any]:
    r"""Move every parameter against its gradient, divided by the root of the sum of all its squared gradients so far.

        s' = s + g²
        θ' = θ - η g/(√s' + ε)

    Returns the new parameters and the new sums. Raises ValueError where the trees differ in form or shape.
    Book: eq-adagrad. Source: Duchi, Hazan and Singer (2011), JMLR 12.

    >>> b = {"b": np.array([1.0, 2.0])}
    >>> adagrad_step(b, {"b": np.array([3.0, -0.1])}, {"b": np.array([16.0, 0.0])}, learning_rate=0.5)
    ({'b': array([0.7, 2.5])}, {'b': array([2.5e+01, 1.0e-02])})
    """
    sums = map_leaves(lambda s, g: s + g**2, squares, gradients)

    def moved(theta, g, s):
        return theta - learning_rate * g / (np.sqrt(s) + eps)

    return map_leaves(moved, parameters, gradients, sums), sums
