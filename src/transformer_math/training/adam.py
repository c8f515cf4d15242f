"""Adam: every number has a step of its own, long where its gradients agree, short where they do not."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from transformer_math.contract import (
    Fraction,
    NonNegative,
    Positive,
    contract,
    requires,
)
from transformer_math.contract.scalars import WHOLE, Scalar
from transformer_math.training._steps import (
    eps_that_counts,
    finite_squares,
    shapes,
    single_or_double,
)
from transformer_math.trees import Tree, leaves, map_leaves

Count = Annotated[
    int,
    Scalar(
        WHOLE,
        int,
        lambda n: n >= 0,
        "a whole number of at least 0",
        "{name} = 0 before the first step",
    ),
]


@dataclass(frozen=True)
class AdamState:
    """What Adam remembers: its steps so far, and running means of the gradients and of their squares."""

    step: Count
    m: Tree
    v: Tree


_real_parameters = requires(
    lambda parameters: single_or_double(parameters),
    "the parameters hold something else than float32 or float64. Fix: pass a tree of float arrays, such as initialise(...).",
)
_same_shapes = requires(
    lambda parameters, gradients, state: (
        single_or_double((gradients, state.m, state.v))
        and shapes(parameters)
        == shapes(gradients)
        == shapes(state.m)
        == shapes(state.v)
    ),
    "parameters, gradients and what Adam remembers differ in their shapes, or hold something else than float32 or float64. "
    "Fix: the pullback of the same model gives one gradient for each parameter, and adam_start(parameters) begins.",
)
_means = requires(
    lambda state: (
        all(np.isfinite(m).all() for m in leaves(state.m).values())
        and all(((v >= 0) & np.isfinite(v)).all() for v in leaves(state.v).values())
    ),
    "what Adam remembers holds NaN or infinity, or a mean of squares below 0. "
    "Fix: begin with adam_start(parameters), and pass what the last step returned.",
)


@contract
@_real_parameters
def adam_start(parameters: Tree) -> AdamState:
    """Remember nothing yet: zeros in the form of the parameters.

    >>> adam_start({"b": np.array([1.0, 2.0])})
    AdamState(step=0, m={'b': array([0., 0.])}, v={'b': array([0., 0.])})
    """
    m, v = (map_leaves(np.zeros_like, parameters) for _ in range(2))
    return AdamState(0, m, v)


@contract
@_real_parameters
@_same_shapes
@_means
@finite_squares
@eps_that_counts
def adam_step(
    parameters: Tree,
    gradients: Tree,
    state: AdamState,
    learning_rate: NonNegative,
    beta_1: Fraction = 0.9,
    beta_2: Fraction = 0.98,
    eps: Positive = 1e-9,
    weight_decay: NonNegative = 0.0,
) -> tuple[Tree, AdamState]:
    r"""Move every parameter against the mean of its gradients, divided by the root of the mean of their squares.

        m' = β_1 m + (1 - β_1) g
        v' = β_2 v + (1 - β_2) g²
        θ' = θ - η ((m' / (1 - β_1^t))/(√(v' / (1 - β_2^t)) + ε) + λ θ)

    t counts from 1; dividing by 1 - beta^t makes up for the zeros that m and v begin with. eps stands outside the root.
    The decay lambda acts on the parameters themselves, not through the gradient: this is AdamW; with lambda = 0 it is Adam.
    The defaults are those of the Transformer. Raises ValueError where parameters and gradients differ in form or shape,
    and where a square would be infinite.
    Book: eq-adam. Source: Kingma and Ba (2015), arXiv:1412.6980; decay: Loshchilov and Hutter (2019), arXiv:1711.05101.

    >>> parameters = {"b": np.array([1.0, 2.0])}
    >>> adam_step(parameters, {"b": np.array([0.3, -7.0])}, adam_start(parameters), learning_rate=0.1)[0]
    {'b': array([0.9, 2.1])}
    """
    t = state.step + 1
    m = map_leaves(lambda m, g: beta_1 * m + (1 - beta_1) * g, state.m, gradients)
    v = map_leaves(lambda v, g: beta_2 * v + (1 - beta_2) * g**2, state.v, gradients)

    def moved(theta, m, v):
        m_hat, v_hat = m / (1 - beta_1**t), v / (1 - beta_2**t)
        step = m_hat / (np.sqrt(v_hat) + eps) + weight_decay * theta
        return theta - learning_rate * step

    return map_leaves(moved, parameters, m, v), AdamState(t, m, v)
