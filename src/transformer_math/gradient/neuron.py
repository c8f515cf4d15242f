"""The smallest thing that learns: one neuron, and the chain rule by which its loss reaches what it was made from."""

import numpy as np
from jaxtyping import Float

from transformer_math.block.neuron import neuron_loss
from transformer_math.contract import NonNegative, Number, Pullback, requires_as, twin


@twin
@requires_as(neuron_loss)
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
        dz = float(dL * (p - t))
        return dz * w, dz * x, dz

    return neuron_loss(x, w, b, t), pullback
