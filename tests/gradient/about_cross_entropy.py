"""What the tests of all ideas ask of `gradient/cross_entropy`."""

import numpy as np
from answer_helpers import bare_gradient, changing, pulling, value_alone

from transformer_math.attention import softmax
from transformer_math.gradient import cross_entropy_vjp
from transformer_math.output import log_softmax


def wanted_of(targets, V, smoothing):
    return (1 - smoothing) * np.eye(V)[targets] + smoothing / V


def by_rows(logits, targets, weights=None, smoothing=0.0):
    y = wanted_of(targets, logits.shape[-1], smoothing)
    w = np.ones(targets.shape) if weights is None else weights
    share = (w / w.sum())[..., None]
    value = -(share * y * log_softmax(logits)).sum()
    return value, lambda g: (g * share * (softmax(logits) - y),)


def by_loop(logits, targets, weights=None, smoothing=0.0):
    value, _ = by_rows(logits, targets, weights, smoothing)
    w = np.ones(targets.shape) if weights is None else weights

    def pullback(g):
        found = np.empty(logits.shape)
        for place in np.ndindex(targets.shape):
            y = wanted_of(targets[place], logits.shape[-1], smoothing)
            found[place] = g * w[place] / w.sum() * (softmax(logits[place]) - y)
        return (found,)

    return value, pullback


def targets_alone(g, logits, targets, weights, smoothing):
    w = np.ones(targets.shape) if weights is None else weights
    y = wanted_of(targets, logits.shape[-1], smoothing)
    return (-g * (w / w.sum())[..., None] * y,)


REFUSED = [
    (cross_entropy_vjp, "the targets run", {"targets": np.array([0, -1, 10])}),
    (cross_entropy_vjp, "the targets run", {"targets": np.array([0, 11, 10])}),
    (cross_entropy_vjp, "the weights hold", {"weights": np.array([1.0, -1.0, 2.0])}),
    (cross_entropy_vjp, "the weights hold", {"weights": np.zeros(3)}),
]

RIGHT = [
    (cross_entropy_vjp, by_rows),
    (cross_entropy_vjp, by_loop),
]

WRONG = [
    (cross_entropy_vjp, bare_gradient(cross_entropy_vjp), "with its comma"),
    (cross_entropy_vjp, value_alone(cross_entropy_vjp), "value, pullback"),
    (
        cross_entropy_vjp,
        changing(cross_entropy_vjp, lambda d: (2 * d,)),
        "twice the one wanted",
    ),
    (
        cross_entropy_vjp,
        changing(cross_entropy_vjp, lambda d: (-d,)),
        "wrong sign",
    ),
    (
        cross_entropy_vjp,
        pulling(cross_entropy_vjp, targets_alone),
        "the gradient of `logits`",
    ),
    (
        cross_entropy_vjp,
        lambda logits, targets, weights=None, smoothing=0.0: cross_entropy_vjp(
            logits, targets, weights
        ),
        "smoothing",
    ),
]
