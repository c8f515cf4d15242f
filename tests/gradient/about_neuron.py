"""What the tests of all ideas ask of `gradient/neuron`."""

import numpy as np
from answer_helpers import changing, pulling, value_alone

from transformer_math.gradient import neuron_loss, neuron_loss_vjp


def logistic(z):
    return 1 / (1 + np.exp(-np.clip(z, -700, 700)))


def by_cases(x, w, b, t):
    z = float(np.dot(x, w) + b)
    return max(z, 0.0) - t * z + np.log1p(np.exp(-abs(z)))


def pulled(x, w, b, t):
    dz = logistic(x @ w + b) - t
    return neuron_loss(x, w, b, t), lambda g: (g * dz * w, g * dz * x, g * dz)


ACCEPTED = {neuron_loss: {"b": {"0", "-1", "1.5"}, "t": {"0"}}}


def step_by_step(x, w, b, t):
    z = float(np.dot(w, x)) + b
    p = 1 / (1 + np.exp(-z)) if z > 0 else np.exp(z) / (1 + np.exp(z))
    return neuron_loss(x, w, b, t), lambda g: (
        [g * (p - t) * one for one in w],
        [g * (p - t) * one for one in x],
        g * (p - t),
    )


RIGHT = [
    (neuron_loss, by_cases),
    (
        neuron_loss,
        lambda x, w, b, t: (
            t * np.logaddexp(0, -(x @ w) - b) + (1 - t) * np.logaddexp(0, x @ w + b)
        ),
    ),
    (neuron_loss_vjp, pulled),
    (neuron_loss_vjp, step_by_step),
]

WRONG = [
    (neuron_loss, lambda x, w, b, t: abs(logistic(x @ w + b) - t), "it gave"),
    (neuron_loss, lambda x, w, b, t: (logistic(x @ w + b) - t) ** 2, "it gave"),
    (neuron_loss, lambda x, w, b, t: np.logaddexp(0, x @ w + b), "it gave"),
    (neuron_loss, lambda x, w, b, t: neuron_loss(x, w, -b, t), "it gave"),
    (neuron_loss, lambda x, w, b, t: neuron_loss(x, w, b, round(t)), "it gave"),
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
    (
        neuron_loss_vjp,
        pulling(
            neuron_loss_vjp, lambda g, x, w, b, t: (-g * t * w, -g * t * x, -g * t)
        ),
        "the gradient of `",
    ),
]
