"""One neuron: it weighs what it reads, says yes with some probability, and is surprised by what comes."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import NonNegative, Number, contract, requires


@contract
@requires(
    lambda t: t <= 1,
    "t is {t}; wanted a share of at most 1. Fix: 1 where yes was right, 0 where no was.",
)
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
