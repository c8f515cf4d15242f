"""What the tests of all ideas ask of `gradient/neuron`."""

import numpy as np
from answer_helpers import changing, pulling, value_alone

from transformer_math.block import neuron_loss
from transformer_math.gradient import neuron_loss_vjp


def in_one_line(x, w, b, t):
    dz = (1 + np.tanh((x @ w + b) / 2)) / 2 - t
    return neuron_loss(x, w, b, t), lambda g: (g * dz * w, g * dz * x, g * dz)


def step_by_step(x, w, b, t):
    z = float(np.dot(w, x)) + b
    p = 1 / (1 + np.exp(-z)) if z > 0 else np.exp(z) / (1 + np.exp(z))
    return neuron_loss(x, w, b, t), lambda g: (
        [g * (p - t) * one for one in w],
        [g * (p - t) * one for one in x],
        g * (p - t),
    )


def targets_alone(g, x, w, b, t):
    return -g * t * w, -g * t * x, -g * t


def by_a_quotient(x, w, b, t):
    z = x @ w + b

    def pullback(g):
        with np.errstate(all="ignore"):
            dz = g * (np.exp(z) / (1 + np.exp(z)) - t)
        return dz * w, dz * x, dz

    return neuron_loss(x, w, b, t), pullback


REFUSED = [(neuron_loss_vjp, "share of at most 1", {"t": 1.5})]

RIGHT = [(neuron_loss_vjp, in_one_line), (neuron_loss_vjp, step_by_step)]

WRONG = [
    (neuron_loss_vjp, value_alone(neuron_loss_vjp), "value, pullback"),
    (
        neuron_loss_vjp,
        changing(neuron_loss_vjp, lambda dx, dw, db: (dw, dx, db)),
        "exchanged",
    ),
    (
        neuron_loss_vjp,
        changing(neuron_loss_vjp, lambda dx, dw, db: (dx, -dw, db)),
        "`w`",
    ),
    (
        neuron_loss_vjp,
        changing(neuron_loss_vjp, lambda dx, dw, db: (dx, dw, 2 * db)),
        "`b`",
    ),
    (neuron_loss_vjp, by_a_quotient, "nan"),
    (neuron_loss_vjp, pulling(neuron_loss_vjp, targets_alone), "the gradient of `"),
]

EQUIVALENT = {
    "neuron_loss_vjp": {
        "w @ x → x @ w": "A dot product does not know its order.",
        "neuron_loss(x, w, b, t) → neuron_loss(w, x, b, t)": "The value is of the product of x and w, in either order.",
    },
}
