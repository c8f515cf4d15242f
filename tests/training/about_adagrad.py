"""What the tests of all ideas ask of `training/adagrad`."""

import numpy as np
from example_values import Z

from transformer_math.training import adagrad_step
from transformer_math.trees import map_leaves

EXAMPLES = {
    adagrad_step: {
        "parameters": Z,
        "gradients": Z + 1,
        "squares": Z**2,
        "learning_rate": 0.1,
        "eps": 1e-3,
    },
}

ACCEPTED = {adagrad_step: {"learning_rate": {"0", "1.5"}, "eps": {"1.5"}}}

OTHER_DEFAULTS = {adagrad_step: {"eps": 0.5}}


def step_by_dictionary(p, g, s, rate, eps=1e-10):
    sums = {name: s[name] + np.square(g[name]) for name in s}
    return {
        name: p[name] - rate / (sums[name] ** 0.5 + eps) * g[name] for name in p
    }, sums


def step_by_leaves(p, g, s, rate, eps=1e-10):
    sums = map_leaves(lambda old, slope: old + np.square(slope), s, g)
    rates = map_leaves(lambda total: rate / (total**0.5 + eps), sums)
    return map_leaves(lambda theta, eta, slope: theta - eta * slope, p, rates, g), sums


RIGHT = [(adagrad_step, step_by_leaves)]

WRONG = [(adagrad_step, step_by_dictionary, "You go over the keys of one dict")]
