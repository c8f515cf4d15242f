"""What the tests of all ideas ask of `training/dropout`."""

import numpy as np

from transformer_math.training import dropout, dropout_mask

ACCEPTED = {
    dropout: {"p": {"0"}},
    dropout_mask: {"u": {"longer", "no axis"}, "p": {"0"}},
}

RIGHT = [
    (dropout, lambda x, kept, p: x * kept / (1 - p)),
    (dropout, lambda x, kept, p: np.where(kept, x, 0) / (1 - p)),
    (dropout_mask, lambda u, p: ~(u < p)),
    (dropout_mask, lambda u, p: np.logical_or(u > p, u == p)),
]

WRONG = [
    (dropout, lambda x, kept, p: x * kept, "You do not rescale"),
    (dropout, lambda x, kept, p: x / (1 - p), "it gave"),
    (dropout, lambda x, kept, p: x * ~kept, "it gave"),
    (dropout, lambda x, kept, p: np.where(kept, x, x.mean()), "it gave"),
    (dropout, lambda x, kept, p: x[kept] / (1 - p), "it gave"),
    (dropout, lambda x, kept, p: x * (1 - p), "after training"),
    (dropout_mask, lambda u, p: u < p, "that of being dropped"),
    (dropout_mask, lambda u, p: u > p, "A random number that is p itself"),
    (dropout_mask, lambda u, p: u >= p / 2, "it gave"),
    (dropout_mask, lambda u, p: u >= u.mean(), "it gave"),
    (dropout_mask, lambda u, p: np.random.default_rng(0).random(u.shape) >= p, "it"),
]

EQUIVALENT_FORMULAS = {
    "book/training/dropout": {
        "- p \\cdot 0": "nothing is added or taken away",
        "(0 + x)^2": "a square does not know the sign",
    },
}
