"""The smallest thing that learns: one neuron, its loss, and the chain rule by which the loss reaches what it was made from."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import (
    NonNegative,
    Number,
    Pullback,
    contract,
    requires,
    twin,
)

_share = requires(
    lambda t: t <= 1,
    "t is {t}; wanted a share of at most 1. Fix: 1 where yes was right, 0 where no was.",
)


@contract
@_share
def neuron_loss(
    x: Float[np.ndarray, " d"],
    w: Float[np.ndarray, " d"],
    b: Number,
    t: NonNegative,
) -> float:
    r"""The surprise of a neuron, in nats, that says yes with probability p, where yes was right with probability t.

        L = -t ln p - (1 - t) ln (1 - p)
        p = 1/(1 + e^(-z))
        z = Σ_j w_j x_j + b

    Book: eq-neuron. Source: Rumelhart, Hinton and Williams (1986).

    >>> round(neuron_loss(np.array([1.0, 2.0]), np.array([2.0, -1.0]), b=0.0, t=1.0), 3)
    0.693
    """
    z = w @ x + b
    return float(np.logaddexp(0, z) - t * z)


@twin
@_share
def neuron_loss_vjp(
    x: Float[np.ndarray, " d"],
    w: Float[np.ndarray, " d"],
    b: Number,
    t: NonNegative,
) -> tuple[float, Pullback]:
    r"""The loss of a neuron and its pullback to what it read, its weights and its bias.

        dz = dL (p - t)
        dx_j = dz w_j
        dw_j = dz x_j
        db = dz

    Book: eq-neuron-vjp. Source: Rumelhart, Hinton and Williams (1986).

    >>> loss, pullback = neuron_loss_vjp(np.array([1.0, 2.0]), np.array([2.0, -1.0]), b=0.0, t=1.0)
    >>> pullback(1.0)
    (array([-1. ,  0.5]), array([-0.5, -1. ]), -0.5)
    """
    p = (1 + np.tanh((w @ x + b) / 2)) / 2

    def pullback(dL):
        dz = dL * (p - t)
        return dz * w, dz * x, dz

    return neuron_loss(x, w, b, t), pullback
