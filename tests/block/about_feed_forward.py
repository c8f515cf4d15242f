"""What the tests of all ideas ask of `block/feed_forward`."""

import math

import numpy as np

from transformer_math.block import feed_forward, gelu, gelu_tanh, relu

ACCEPTED = {
    gelu_tanh: {"x": {"longer", "no axis"}},
    gelu: {"x": {"longer", "no axis"}},
    relu: {"x": {"longer", "no axis"}},
}

RIGHT = [
    (
        gelu,
        np.vectorize(
            lambda x: x * (1 + math.erf(x / math.sqrt(2))) / 2, otypes=[float]
        ),
    ),
    (gelu, lambda x: gelu(x).tolist()),
    (
        gelu_tanh,
        lambda x: (
            0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * x * (1 + 0.044715 * x**2)))
        ),
    ),
    (
        gelu_tanh,
        lambda x: x / (1 + np.exp(-2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    ),
    (
        feed_forward,
        lambda x, p, activation=relu: activation(x @ p.W_1 + p.b_1) @ p.W_2 + p.b_2,
    ),
    (
        feed_forward,
        lambda x, p, activation: (
            np.einsum("...f,fd->...d", activation(x @ p.W_1 + p.b_1), p.W_2) + p.b_2
        ),
    ),
]

WRONG = [
    (gelu, lambda x: relu(x), "it gave"),
    (gelu, lambda x: gelu(x) - x, "it gave"),
    (
        gelu,
        lambda x: x * (1 + np.vectorize(math.erf, otypes=[float])(x / math.sqrt(2))),
        "Your numbers are the ones wanted, times 2 throughout",
    ),
    (gelu, lambda x: gelu(x) / x, "it gave"),
    (
        gelu,
        lambda x: gelu(x).astype(np.float32),
        "The formula is right, the precision is not",
    ),
    (
        gelu_tanh,
        lambda x: x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**2))),
        "it gave",
    ),
    (
        gelu_tanh,
        lambda x: x / 2 * (1 + np.tanh(2 / math.pi * (x + 0.044715 * x**3))),
        "it gave",
    ),
    (
        gelu_tanh,
        lambda x: x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
        "Your numbers are the ones wanted, times 2 throughout",
    ),
    (
        gelu_tanh,
        lambda x: x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.0447 * x**3))),
        "it gave",
    ),
    (gelu_tanh, lambda x: x / 2 * (1 + math.erf(1)), "it gave"),
    (
        feed_forward,
        lambda x, p, activation=relu: feed_forward(x, p),
        "You always use ReLU",
    ),
    (
        feed_forward,
        lambda x, p, activation=relu: activation(x @ p.W_1) @ p.W_2 + p.b_2,
        "You forget b_1, the bias of the first layer",
    ),
    (
        feed_forward,
        lambda x, p, activation=relu: activation(x @ p.W_1 + p.b_1) @ p.W_2,
        "You forget b_2, the bias of the second layer",
    ),
    (
        feed_forward,
        lambda x, p, activation=relu: activation(x @ p.W_1 + p.b_1),
        "it gave",
    ),
    (
        feed_forward,
        lambda x, p: relu(x @ p.W_1 + p.b_1) @ p.W_2 + p.b_2,
        "Your function takes 2 of 3 arguments",
    ),
    (
        feed_forward,
        lambda x, p, activation=gelu: activation(x @ p.W_1 + p.b_1) @ p.W_2 + p.b_2,
        "Your function is right where `activation` is given",
    ),
]

# ---- what the edits of its formula compute, in NumPy, and what is said of those that are recognised ----


erf = np.vectorize(math.erf)


def by_entry(f):
    return lambda x: {"result": f(x)}


def probability(x):
    return (1 + erf(x / np.sqrt(2))) / 2


EDITS = {
    "eq-gelu": {
        "": (by_entry(lambda x: x * probability(x)), None),
        "Without √2": (by_entry(lambda x: x / 2 * (1 + erf(x))), 'erf takes x / √2'),
        "By tanh": (by_entry(lambda x: x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))), 'tanh approximation'),
        "By a logistic curve": (by_entry(lambda x: x / (1 + np.exp(-1.702 * x))), '1.702'),
        "ReLU": (by_entry(lambda x: np.maximum(0, x)), 'That is ReLU'),
        "The probability alone": (by_entry(probability), 'alone: GELU is x times'),
        "The other tail": (by_entry(lambda x: x * probability(-x)), 'the other tail'),
        "Forget the 1": (by_entry(lambda x: x / 2 * erf(x / np.sqrt(2))), 'forget the 1'),
    }
}  # fmt: skip
