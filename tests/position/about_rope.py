"""What the tests of all ideas ask of `position/rope`."""

import math

import numpy as np
from example_values import Z, normal

from transformer_math.position import frequencies, rope, rope_half_split, rotate_pairs


def rotated_as_complex(x, angles):
    z = (x[..., 0::2] + 1j * x[..., 1::2]) * np.exp(1j * angles)
    return np.stack([z.real, z.imag], axis=-1).reshape(x.shape)


def rope_by_rotate_half(x, positions, base=10000.0):
    angles = np.tile(np.outer(positions, frequencies(x.shape[-1], base)), 2)
    first, second = np.split(x, 2, axis=-1)
    return x * np.cos(angles) + np.concatenate([-second, first], axis=-1) * np.sin(
        angles
    )


EXAMPLES = {
    rope: {"x": Z, "positions": np.arange(3.0), "base": 100.0},
    rope_half_split: {"x": Z, "positions": np.arange(3.0), "base": 100.0},
    rotate_pairs: {"x": Z, "angles": normal(3, 2)},
}

RIGHT = [
    (rotate_pairs, rotated_as_complex),
    (rotate_pairs, lambda x, angles: rotate_pairs(x, angles + 2 * math.pi)),
    (
        rope,
        lambda x, positions, base=10000.0: rotate_pairs(
            x, np.outer(positions, frequencies(x.shape[-1], base))
        ),
    ),
    (
        rope,
        lambda x, m, base: rotated_as_complex(
            x, np.outer(m, frequencies(x.shape[-1], base))
        ),
    ),
    (rope_half_split, rope_by_rotate_half),
    (rope_half_split, lambda x, m, base: rope_half_split(x, m, base).tolist()),
]

WRONG = [
    (
        rotate_pairs,
        lambda x, a: rope_half_split(x, np.arange(float(x.shape[-2]))),
        "it gave",
    ),
    (rotate_pairs, lambda x, a: rotate_pairs(x, np.degrees(a)), "it gave"),
    (rotate_pairs, lambda x, a: rotate_pairs(x, a / 2), "it gave"),
    (rotate_pairs, lambda x, a: x, "it gave"),
    (rotate_pairs, lambda x, a: rotate_pairs(x, -a), "You turn clockwise"),
    (
        rotate_pairs,
        lambda x, a: np.concatenate(
            [
                x[..., ::2] * np.cos(a) - x[..., 1::2] * np.sin(a),
                x[..., ::2] * np.sin(a) + x[..., 1::2] * np.cos(a),
            ],
            -1,
        ),
        "it gave",
    ),
    (rope, lambda x, p, base=10000.0: rope(x, p), "You ignore `base`"),
    (rope, lambda x, p, base=10000.0: rope(x, p + 1, base), "it gave"),
    (
        rope,
        lambda x, p, base=10000.0: rope(x, np.arange(float(len(p))), base),
        "it gave",
    ),
    (rope, lambda x, p, base=10000.0: rope(x, p / 2, base), "it gave"),
    (
        rope,
        lambda x, p, base=500.0: rope(x, p, base),
        "Your function is right where `base` is given",
    ),
    (
        rope_half_split,
        lambda x, p, base=10000.0: rope_half_split(x, p),
        "You ignore `base`",
    ),
    (
        rope_half_split,
        lambda x, p, base=10000.0: rope_half_split(x, -p, base),
        "Your second half has the wrong sign",
    ),
    (
        rope_half_split,
        lambda x, p, base=10000.0: rope_half_split(x, p + 1, base),
        "it gave",
    ),
    (rope_half_split, lambda x, p, base=10000.0: x, "it gave"),
    (
        rope_half_split,
        lambda x, p, base=1000.0: rope_half_split(x, p, base),
        "Your function is right where `base` is given",
    ),
]

EQUIVALENT_FORMULAS = {
    "eq-rope-relative": {
        "\\cos\\big((i - j)": "cosine is even",
    },
}

# ---- what the edits of its formula compute, in NumPy, and what is said of those that are recognised ----


def turned(x, at):
    """A vector turned by its place, by complex numbers."""
    omega = 10000.0 ** (-np.arange(len(x) // 2) * 2 / len(x))
    return (x.view(complex) * np.exp(1j * at * omega)).view(float)


def pairs_of_places(score):
    def run():
        q, k = np.random.default_rng(6).normal(size=(2, 8)).round(2)
        grid = [(i, j) for i in range(9) for j in range(9)]
        return {"result": np.array([score(q, k, i, j) for i, j in grid])}

    return run


def encoding(at, d=8):
    angle = at * 10000.0 ** (-np.arange(0, d, 2) / d)
    return np.stack([np.sin(angle), np.cos(angle)], axis=-1).ravel()


EDITS = {
    "eq-rope-relative": {
        "": (pairs_of_places(lambda q, k, i, j: turned(q, i) @ turned(k, j)), None),
        "Turn the key the other way": (pairs_of_places(lambda q, k, i, j: turned(q, i) @ turned(k, -j)), 'against each other'),
        "Turn the query alone": (pairs_of_places(lambda q, k, i, j: turned(q, i) @ k), 'the query alone'),
        "Turn neither": (pairs_of_places(lambda q, k, i, j: q @ k), 'You turn nothing'),
        "Add positions, turn nothing": (pairs_of_places(lambda q, k, i, j: (q + encoding(i)) @ (k + encoding(j))), 'when both positions move'),
        "Square the positions": (pairs_of_places(lambda q, k, i, j: turned(q, i**2) @ turned(k, j**2)), 'square of the position'),
        "Swap i and j on the right": (pairs_of_places(lambda q, k, i, j: turned(q, j) @ turned(k, i)), 'the other sign'),
        "Sine for cosine": (pairs_of_places(
            lambda q, k, i, j: np.sin((j - i) * 10000.0 ** (-np.arange(4) / 4))
            @ (q[::2] * k[::2] + q[1::2] * k[1::2] + q[1::2] * k[::2] - q[::2] * k[1::2])
        ), 'on the right'),
    }
}  # fmt: skip
