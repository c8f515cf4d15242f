"""What the tests of all ideas ask of `position/sinusoidal`."""

import math

import numpy as np

from transformer_math.position import (
    frequencies,
    position_similarity,
    shift_matrix,
    sinusoidal,
    sinusoidal_at,
    wavelengths,
)


def sinusoidal_by_slices(n, d_model, base):
    angles = np.outer(np.arange(n), frequencies(d_model, base))
    P = np.empty((n, d_model))
    P[:, 0::2], P[:, 1::2] = np.sin(angles), np.cos(angles)
    return P


EXAMPLES = {
    sinusoidal_at: {"positions": np.arange(3.0), "d_model": 4, "base": 100.0},
}

ACCEPTED = {
    position_similarity: {"offset": {"longer"}},
    sinusoidal_at: {"positions": {"longer"}},
    shift_matrix: {"k": {"-1", "0", "1.5"}},
}

NO_TWIN = {
    frequencies: "made of sizes, of positions and of a base, all of them given",
    position_similarity: "made of sizes, of positions and of a base, all of them given",
    shift_matrix: "made of sizes, of positions and of a base, all of them given",
    sinusoidal: "made of sizes, of positions and of a base, all of them given",
    sinusoidal_at: "made of sizes, of positions and of a base, all of them given",
    wavelengths: "made of sizes, of positions and of a base, all of them given",
}

RIGHT = [
    (
        frequencies,
        lambda d_model, base=10000: [
            base ** (-2 * i / d_model) for i in range(d_model // 2)
        ],
    ),
    (frequencies, lambda d, base: np.exp(-np.arange(0, d, 2) / d * math.log(base))),
    (
        wavelengths,
        lambda d_model, base=10000.0: (
            2 * math.pi * base ** (np.arange(0, d_model, 2) / d_model)
        ),
    ),
    (wavelengths, lambda d, base: tuple(2 * math.pi / f for f in frequencies(d, base))),
    (
        sinusoidal,
        lambda n, d, base=10000.0: [
            [
                (math.cos if j % 2 else math.sin)(t / base ** (j // 2 * 2 / d))
                for j in range(d)
            ]
            for t in range(n)
        ],
    ),
    (sinusoidal, sinusoidal_by_slices),
    (
        position_similarity,
        lambda offset, d, base=10000.0: [
            sum(math.cos(k * f) for f in frequencies(d, base)) for k in offset
        ],
    ),
    (
        position_similarity,
        lambda k, d, base: np.cos(np.outer(k, frequencies(d, base))).sum(1),
    ),
    (shift_matrix, lambda k, d, base=10000.0: shift_matrix(-k, d, base).T),
    (shift_matrix, lambda k, d, base: shift_matrix(k, d, base).tolist()),
]

WRONG = [
    (frequencies, lambda d, base=10000.0: frequencies(d), "You ignore `base`"),
    (
        frequencies,
        lambda d, base=1000.0: frequencies(d, base),
        "Your function is right where `base` is given",
    ),
    (frequencies, lambda d: frequencies(d), "Your function takes 1 of 2 arguments"),
    (
        frequencies,
        lambda d, base=10000.0: np.repeat(frequencies(d, base), 2),
        "it gave",
    ),
    (
        frequencies,
        lambda d, base=10000.0: 2 * np.pi * frequencies(d, base),
        "Your numbers are the ones wanted, times 6",
    ),
    (wavelengths, lambda d, base=10000.0: wavelengths(d), "You ignore `base`"),
    (
        wavelengths,
        lambda d, base=10000.0: np.pi / frequencies(d, base),
        "Your numbers are the ones wanted, times 0",
    ),
    (wavelengths, lambda d, base=10000.0: wavelengths(d, base)[::-1], "it gave"),
    (
        wavelengths,
        lambda d, base=10000.0: frequencies(d, base) / (2 * np.pi),
        "it gave",
    ),
    (wavelengths, lambda d, base=10000.0: wavelengths(d, base)[:-1], "it gave"),
    (sinusoidal, lambda n, d, base=10000.0: sinusoidal(n, d), "You ignore `base`"),
    (
        sinusoidal,
        lambda n, d, base=10000.0: np.sin(
            np.arange(n)[:, None] * np.repeat(frequencies(d, base), 2)
        ),
        "it gave",
    ),
    (
        sinusoidal,
        lambda n, d, base=10000.0: sinusoidal(n, d, base).T,
        "Your result is the transpose of the one wanted",
    ),
    (
        sinusoidal,
        lambda n, d, base=10000.0: sinusoidal(n, d, base) / np.sqrt(d),
        "In each case your numbers are the ones wanted",
    ),
    (
        sinusoidal,
        lambda n, d, base=100.0: sinusoidal(n, d, base),
        "Your function is right where `base` is given",
    ),
    (
        position_similarity,
        lambda o, d, base=10000.0: position_similarity(o, d),
        "You ignore `base`",
    ),
    (
        position_similarity,
        lambda o, d, base=10000.0: 2 * position_similarity(o, d, base),
        "Your numbers are the ones wanted, times 2 throughout",
    ),
    (
        position_similarity,
        lambda o, d, base=10000.0: position_similarity(o, d, base) / np.sqrt(d),
        "it gave",
    ),
    (
        position_similarity,
        lambda o, d, base=10000.0: np.cos(o * frequencies(d, base)[0]),
        "it gave",
    ),
    (
        position_similarity,
        lambda o, d, base=10000.0: np.cos(o[:, None] * frequencies(d, base)),
        "it gave",
    ),
    (shift_matrix, lambda k, d, base=10000.0: shift_matrix(k, d), "You ignore `base`"),
    (
        shift_matrix,
        lambda k, d, base=10000.0: shift_matrix(-k, d, base),
        "Your matrix shifts backwards",
    ),
    (shift_matrix, lambda k, d, base=10000.0: np.eye(d), "it gave"),
    (
        shift_matrix,
        lambda k, d, base=10000.0: np.round(shift_matrix(k, d, base), 2),
        "it gave",
    ),
    (shift_matrix, lambda k, d, base=10000.0: shift_matrix(k + 1, d, base), "it gave"),
]

EQUIVALENT = {
    "sinusoidal_at": {
        "pairs.reshape(len(positions), d_model).astype(positions.dtype, copy=False) → pairs.reshape(len(positions), d_model).astype(positions.dtype)": "A copy of an array that nobody else holds has the same numbers.",
        "copy=False → copy=True": "A copy of an array that nobody else holds has the same numbers.",
    },
    "position_similarity": {
        "cosines.sum(axis=-1).astype(offset.dtype, copy=False) → cosines.sum(axis=-1).astype(offset.dtype)": "A copy of an array that nobody else holds has the same numbers.",
        "copy=False → copy=True": "A copy of an array that nobody else holds has the same numbers.",
        "axis=-1 → axis=1": "The array has two axes: the last one is axis 1.",
    },
    "sinusoidal": {
        "np.arange(n, dtype=float) → np.arange(n)": "The contract of sinusoidal_at makes whole positions real ones, in double precision.",
    },
}

EQUIVALENT_FORMULAS = {
    "eq-position-similarity": {
        "p_{pos - k}": "cosine is even",
    },
}

# ---- what the edits of its formula compute, in NumPy, and what is said of those that are recognised ----


def waves(even, odd, order=None):
    def run(n, d):
        pos, i = np.arange(n)[:, None], np.arange(d // 2)
        omega = 10000.0 ** (-2 * i / d)
        pair = even(pos, omega, i, d), odd(pos, omega, i, d)
        return {"result": order(*pair) if order else np.stack(pair, axis=-1).reshape(n, d)}  # fmt: skip

    return run


def s(pos, omega, *_):
    return np.sin(pos * omega)


def c(pos, omega, *_):
    return np.cos(pos * omega)


EDITS = {
    "eq-sinusoidal": {
        "": (waves(s, c), None),
        "Cosine first": (waves(c, s), 'sine comes first'),
        "Sine for cosine": (waves(s, s), 'sines in the odd'),
        "Count from 1": (waves(lambda p, *rest: s(p + 1, *rest), lambda p, *rest: c(p + 1, *rest)), 'start at 1'),
        "All waves alike": (waves(lambda p, o, *_: np.sin(p + 0 * o), lambda p, o, *_: np.cos(p + 0 * o)), 'All your waves'),
        "A speed for each dimension": (waves(s, lambda p, o, i, d: np.cos(p * 10000.0 ** (-(2 * i + 1) / d))), 'a frequency of its own'),
        "Sines left, cosines right": (waves(s, c, lambda a, b: np.hstack([a, b])), 'before all your cosines'),
        "Divide by ω": (waves(lambda p, o, *_: np.sin(p / o), lambda p, o, *_: np.cos(p / o)), 'divide the position'),
    }
}  # fmt: skip
