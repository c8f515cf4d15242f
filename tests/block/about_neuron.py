"""What the tests of all ideas ask of `block/neuron`."""

import numpy as np

from transformer_math.block import neuron_loss


def logistic(z):
    return 1 / (1 + np.exp(-np.clip(z, -700, 700)))


def by_cases(x, w, b, t):
    z = float(np.dot(x, w) + b)
    return max(z, 0.0) - t * z + np.log1p(np.exp(-abs(z)))


def by_both_answers(x, w, b, t):
    z = x @ w + b
    return t * np.logaddexp(0, -z) + (1 - t) * np.logaddexp(0, z)


def of_a_clipped_answer(x, w, b, t):
    p = np.clip(logistic(x @ w + b), 1e-15, 1 - 1e-15)
    return -t * np.log(p) - (1 - t) * np.log(1 - p)


ACCEPTED = {neuron_loss: {"b": {"0", "-1", "1.5"}, "t": {"0"}}}

RIGHT = [(neuron_loss, by_cases), (neuron_loss, by_both_answers)]

WRONG = [
    (neuron_loss, lambda x, w, b, t: abs(logistic(x @ w + b) - t), "it gave"),
    (neuron_loss, lambda x, w, b, t: (logistic(x @ w + b) - t) ** 2, "it gave"),
    (neuron_loss, lambda x, w, b, t: np.logaddexp(0, x @ w + b), "it gave"),
    (neuron_loss, lambda x, w, b, t: neuron_loss(x, w, -b, t), "it gave"),
    (neuron_loss, lambda x, w, b, t: neuron_loss(x, w, b, round(t)), "it gave"),
    (neuron_loss, of_a_clipped_answer, "surprise below a bound"),
]

EQUIVALENT = {
    "neuron_loss": {
        "w @ x → x @ w": "A dot product does not know its order.",
    },
}
