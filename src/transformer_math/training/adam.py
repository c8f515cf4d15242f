"""Adam: every number has a step of its own, long where its gradients agree, short where they do not."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from transformer_math.contract import (
    Fraction,
    NonNegative,
    Positive,
    contract,
    requires,
)
from transformer_math.training.clipping import all_real, finite_gradients
from transformer_math.trees import leaves, map_leaves


@dataclass(frozen=True)
class AdamState:
    """What Adam remembers: its steps so far, and running means of the gradients and of their squares."""

    step: int
    m: Any
    v: Any


def _shapes(tree: Any) -> list[tuple[int, ...]]:
    return [np.shape(leaf) for leaf in leaves(tree).values()]


_real_parameters = requires(
    lambda parameters: all_real(parameters),
    "the parameters hold something that is no real number. Fix: pass a tree of float arrays, such as initialise(...).",
)
_same_shapes = requires(
    lambda parameters, gradients, state: (
        all_real(gradients)
        and _shapes(parameters)
        == _shapes(gradients)
        == _shapes(state.m)
        == _shapes(state.v)
    ),
    "parameters, gradients and what Adam remembers differ in their shapes, or the gradients are no real numbers. "
    "Fix: the pullback of the same model gives one gradient for each parameter, and adam_start(parameters) begins.",
)


@contract
@_real_parameters
def adam_start(parameters) -> AdamState:
    """Remember nothing yet: zeros in the form of the parameters.

    >>> adam_start({"b": np.array([1.0, 2.0])})
    AdamState(step=0, m={'b': array([0., 0.])}, v={'b': array([0., 0.])})
    """
    zeros = map_leaves(np.zeros_like, parameters)
    return AdamState(0, zeros, zeros)


@contract
@_real_parameters
@_same_shapes
@finite_gradients
def adam_step(
    parameters,
    gradients,
    state: AdamState,
    learning_rate: NonNegative,
    beta_1: Fraction = 0.9,
    beta_2: Fraction = 0.98,
    eps: Positive = 1e-9,
    weight_decay: NonNegative = 0.0,
) -> tuple[Any, AdamState]:
    r"""Move every parameter against the mean of its gradients, divided by the root of the mean of their squares.

        m' = β_1 m + (1 - β_1) g
        v' = β_2 v + (1 - β_2) g²
        θ' = θ - η ((m' / (1 - β_1^t))/(√(v' / (1 - β_2^t)) + ε) + λ θ)

    t counts from 1; dividing by 1 - beta^t makes up for the zeros that m and v begin with. eps stands outside the root.
    The decay lambda acts on the parameters themselves, not through the gradient: this is AdamW; with lambda = 0 it is Adam.
    The defaults are those of the Transformer. Raises ValueError where parameters and gradients differ in form or shape.
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
