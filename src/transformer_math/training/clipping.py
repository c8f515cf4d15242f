"""A bound for the length of a step: gradients that are too long together are all made shorter by one factor."""

import math

import numpy as np

from transformer_math.contract import Positive, contract, requires
from transformer_math.errors import require
from transformer_math.scaling import length
from transformer_math.trees import Tree, leaves, map_leaves


def all_real(tree: Tree) -> bool:
    """Whether every leaf of a tree holds real numbers in floating point.

    >>> all_real({"W": np.ones(2)}), all_real({"W": np.ones(2), "ids": np.array([1, 2])})
    (True, False)
    """
    return all(np.asarray(leaf).dtype.kind == "f" for leaf in leaves(tree).values())


_ENDLESS = (
    "the gradients hold NaN or infinity, or are together longer than any float64. "
    "Fix: look for the step that made them, and leave it out."
)
_real_gradients = requires(
    lambda gradients: all_real(gradients),
    "the gradients hold something that is no real number. Fix: pass a tree of float arrays, as a pullback gives it.",
)


@contract
@_real_gradients
def global_norm(gradients: Tree) -> float:
    r"""The length of all gradients together, as if they were one vector.

        length(g) = √(Σ_j g_j²)

    Book: eq-global-norm.

    >>> global_norm({"W": np.array([[3.0]]), "b": np.array([0.0, 4.0])})
    5.0
    """
    return math.hypot(*(length(np.asarray(g)) for g in leaves(gradients).values()))


@contract
@_real_gradients
def clip_by_norm(gradients: Tree, largest: Positive) -> Tree:
    r"""Make gradients that are longer than `largest` that long; the direction stays, and shorter ones stay as they are.

        g ← g min(1, c/length(g))

    Raises ValueError where the length is NaN, or longer than a float64 can say.

    Book: eq-clipping. Source: Pascanu, Mikolov and Bengio (2013), arXiv:1211.5063.

    >>> clip_by_norm({"W": np.array([[3.0]]), "b": np.array([0.0, 4.0])}, largest=1.0)
    {'W': array([[0.6]]), 'b': array([0. , 0.8])}
    """
    norm = global_norm(gradients)
    if norm <= largest:
        return gradients
    require(norm < math.inf, _ENDLESS)
    factor = np.float64(largest / norm)  # which single precision may not hold
    return map_leaves(lambda g: (g * factor).astype(g.dtype), gradients)
