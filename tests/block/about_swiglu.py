"""What the tests of all ideas ask of `block/swiglu`."""

import numpy as np

from transformer_math.block import relu, swiglu, swish

ACCEPTED = {
    swish: {"x": {"longer", "no axis"}},
}

RIGHT = [
    (swish, lambda x: x * (1 + np.tanh(x / 2)) / 2),
    (swish, lambda x: x / (1 + np.exp(-np.clip(x, -700, None)))),
    (swiglu, lambda x, p: (x @ p.W_1 * swish(x @ p.W_g)) @ p.W_2),
    (swiglu, lambda x, p: np.matmul(x @ p.W_1 * swish(x @ p.W_g), p.W_2).tolist()),
]

WRONG = [
    (swish, lambda x: 1 / (1 + np.exp(-np.clip(x, -700, None))), "logistic function"),
    (swish, lambda x: relu(x), "it gave"),
    (swish, lambda x: 2 * swish(x), "times 2 throughout"),
    (swish, lambda x: x * np.tanh(x), "it gave"),
    (swish, lambda x: x * (1 + np.tanh(x)) / 2, "tanh(x/2) is wanted"),
    (swiglu, lambda x, p: swish(x @ p.W_g) @ p.W_2, "There is no gate"),
    (swiglu, lambda x, p: ((x @ p.W_g) * (x @ p.W_1)) @ p.W_2, "no activation"),
    (swiglu, lambda x, p: swish((x @ p.W_g) * (x @ p.W_1)) @ p.W_2, "it gave"),
    (swiglu, lambda x, p: relu(x @ p.W_g) * (x @ p.W_1) @ p.W_2, "it gave"),
    (
        swiglu,
        lambda x, p: (
            1 / (1 + np.exp(-np.clip(x @ p.W_g, -700, None))) * (x @ p.W_1) @ p.W_2
        ),
        "that is GLU",
    ),
]
