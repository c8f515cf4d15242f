"""What the tests of all ideas ask of `training/adam`."""

import math

import numpy as np
from example_values import Z

from transformer_math.training import AdamState, adam_start, adam_step
from transformer_math.trees import map_leaves


def adam_by_hand(
    p, g, state, rate, beta_1=0.9, beta_2=0.98, eps=1e-9, weight_decay=0.0
):
    t = state.step + 1
    m = map_leaves(lambda m, g: m + (1 - beta_1) * (g - m), state.m, g)
    v = map_leaves(lambda v, g: v + (1 - beta_2) * (g * g - v), state.v, g)
    correction = math.sqrt(1 - beta_2**t) / (1 - beta_1**t)

    def moved(theta, m, v):
        root = np.sqrt(v) + eps * math.sqrt(1 - beta_2**t)
        return theta * (1 - rate * weight_decay) - rate * correction * m / root

    return map_leaves(moved, p, m, v), type(state)(t, m, v)


def changed_adam(change):
    def adam(p, g, state, rate, beta_1=0.9, beta_2=0.98, eps=1e-9, weight_decay=0.0):
        return change(p, g, state, rate, beta_1, beta_2, eps, weight_decay)

    return adam


EXAMPLES = {
    adam_start: {"parameters": Z},
    adam_step: {
        "parameters": Z,
        "gradients": Z + 1,
        "state": AdamState(2, Z - 1, Z**2),
        "learning_rate": 0.1,
        "beta_1": 0.5,
        "beta_2": 0.75,
        "eps": 1e-3,
        "weight_decay": 0.2,
    },
}

ACCEPTED = {
    adam_step: {
        "beta_1": {"0"},
        "beta_2": {"0"},
        "learning_rate": {"0", "1.5"},
        "weight_decay": {"0", "1.5"},
    },
}

OTHER_DEFAULTS = {
    adam_step: {"beta_1": 0.8, "beta_2": 0.9, "weight_decay": 0.1},
}

RIGHT = [
    (adam_step, adam_by_hand),
    (adam_step, changed_adam(lambda *a: adam_step(*a))),
]


def moved_with(p, after, rate, b1, b2, eps, decay):
    """The parameters, moved by these means with these betas in the corrections."""
    t = after.step

    def moved(theta, m, v):
        step = m / (1 - b1**t) / (np.sqrt(v / (1 - b2**t)) + eps)
        return theta - rate * (step + decay * theta)

    return map_leaves(moved, p, after.m, after.v), after


def exchanged_in_the_means(p, g, state, rate, b1, b2, eps, decay):
    _, after = adam_step(p, g, state, rate, b2, b1, eps, decay)
    return moved_with(p, after, rate, b1, b2, eps, decay)


def exchanged_in_the_corrections(p, g, state, rate, b1, b2, eps, decay):
    _, after = adam_step(p, g, state, rate, b1, b2, eps, decay)
    return moved_with(p, after, rate, b2, b1, eps, decay)


WRONG = [
    (
        adam_step,
        changed_adam(exchanged_in_the_means),
        "wrong way round in the means",
    ),
    (
        adam_step,
        changed_adam(exchanged_in_the_corrections),
        "wrong way round in the corrections",
    ),
    (
        adam_step,
        changed_adam(lambda p, g, s, rate, *rest: adam_step(p, g, s, 2 * rate, *rest)),
        "it gave",
    ),
    (
        adam_step,
        changed_adam(
            lambda p, g, s, rate, b1, b2, eps, decay: adam_step(
                p, g, s, rate, b2, b1, eps, decay
            )
        ),
        "it gave",
    ),
    (
        adam_step,
        changed_adam(
            lambda p, g, s, rate, b1, b2, eps, decay: adam_step(
                p, g, s, rate, b1, b2, eps
            )
        ),
        "You ignore",
    ),
    (
        adam_step,
        changed_adam(
            lambda p, g, s, rate, b1, b2, eps, decay: adam_step(
                p, g, s, rate, b1, b2, 1e-8, decay
            )
        ),
        "it gave",
    ),
    (
        adam_step,
        changed_adam(
            lambda p, g, s, rate, *rest: (adam_step(p, g, s, rate, *rest)[0], s)
        ),
        "it gave",
    ),
]
