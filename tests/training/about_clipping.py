"""What the tests of all ideas ask of `training/clipping`."""

import numpy as np
from example_values import Z, model

from transformer_math.training import all_real, clip_by_norm, global_norm
from transformer_math.trees import map_leaves


def plain_norm(gradients):
    return sum((g**2).sum() for g in gradients.values()) ** 0.5


EXAMPLES = {
    all_real: {"tree": model},
    clip_by_norm: {"gradients": Z, "largest": 0.5},
    global_norm: {"gradients": Z},
}

ACCEPTED = {
    all_real: {"tree": {"None", "number"}},
    clip_by_norm: {"largest": {"1.5"}},
}

RIGHT = [
    (
        clip_by_norm,
        lambda g, c: map_leaves(lambda x: x / max(1.0, global_norm(g) / c), g),
    ),
    (
        clip_by_norm,
        lambda g, c: map_leaves(
            lambda x: x * c / max(np.float64(c), global_norm(g)), g
        ),
    ),
]

WRONG = [
    (
        clip_by_norm,
        lambda g, c: map_leaves(lambda x: x * min(1.0, c / (plain_norm(g) or c)), g),
        "Your squares overflow for gradients such as 10²⁰⁰",
    ),
    (
        clip_by_norm,
        lambda g, c: map_leaves(
            lambda x: (plain_norm(g) > c) * x * c / plain_norm(g), g
        ),
        "Short gradients become 0",
    ),
    (global_norm, plain_norm, "Your squares overflow for gradients such as 10²⁰⁰"),
    (
        clip_by_norm,
        lambda g, c: map_leaves(lambda x: x * c / global_norm(g), g),
        "You always make the gradients that long",
    ),
    (
        clip_by_norm,
        lambda g, c: map_leaves(lambda x: np.clip(x, -c, c), g),
        "You cut every number by itself",
    ),
    (
        clip_by_norm,
        lambda g, c: map_leaves(lambda x: x * min(1.0, c / global_norm(g) ** 2), g),
        "it gave",
    ),
    (
        clip_by_norm,
        lambda g, c: map_leaves(lambda x: x * min(1.0, c / np.abs(x).max()), g),
        "it gave",
    ),
    (
        clip_by_norm,
        lambda g, c: map_leaves(lambda x: x * max(1.0, c / global_norm(g)), g),
        "it gave",
    ),
    (
        clip_by_norm,
        lambda g, c: map_leaves(lambda x: x * min(1.0, c / global_norm(g)), g),
        "gradients of zero have none",
    ),
    (
        clip_by_norm,
        lambda g, c: map_leaves(lambda x: x * min(1.0, c / (1e-6 + global_norm(g))), g),
        "You add 10⁻⁶ to the length",
    ),
]

EQUIVALENT = {
    "clip_by_norm": {
        "norm <= largest → norm < largest": "Where both are equal the factor is 1.",
    },
}
