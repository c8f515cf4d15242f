"""What the tests of all ideas ask of `position/t5`."""

import math

import numpy as np
from example_values import normal

from transformer_math.position import (
    distance_range,
    t5_bias,
    t5_bucket,
    t5_causal_bias,
    t5_causal_bucket,
    t5_scores,
)

EXAMPLES = {
    distance_range: {"distance": np.arange(9), "exact": 2, "max_distance": 8},
    t5_bucket: {"offset": np.arange(-9, 9), "n_buckets": 8, "max_distance": 8},
    t5_causal_bucket: {"offset": np.arange(-9, 9), "n_buckets": 4, "max_distance": 8},
    t5_bias: {"table": normal(8, 2), "n": 3, "max_distance": 8},
    t5_causal_bias: {"table": normal(4, 2), "n": 3, "max_distance": 8},
    t5_scores: {"Q": normal(2, 3, 4), "K": normal(2, 5, 4), "bias": normal(2, 3, 5)},
}

ACCEPTED = {
    distance_range: {"distance": {"longer", "no axis"}},
    t5_bias: {"table": {"longer"}},
    t5_causal_bias: {"table": {"longer"}},
    t5_bucket: {"offset": {"longer"}},
    t5_causal_bucket: {"offset": {"longer"}},
}


def range_by_logarithms(distance, exact=8, max_distance=128):
    factor = np.maximum(distance, exact) / exact
    borders = np.floor(exact * np.log(factor) / np.log(max_distance / exact) + 1e-9)
    large = np.minimum(exact + borders.astype(int), 2 * exact - 1)
    return np.where(distance < exact, distance, large)


def range_one_by_one(distance, exact=8, max_distance=128):
    def one(x):
        borders = [
            exact * (max_distance / exact) ** (m / exact) for m in range(1, exact)
        ]
        return x if x < exact else exact + sum(x > b - 1e-6 for b in borders)

    return np.vectorize(one, otypes=[int])(distance)


def bias_by_pieces(table, n, max_distance=128):
    biases = table[t5_bucket(np.arange(1 - n, n), len(table), max_distance)]
    pieces = np.lib.stride_tricks.sliding_window_view(biases, n, axis=0)
    return np.moveaxis(pieces[::-1], 1, 0)


def offsets(n):
    return np.arange(n) - np.arange(n)[:, None]


RIGHT = [
    (distance_range, range_by_logarithms),
    (distance_range, range_one_by_one),
    (
        t5_bucket,
        lambda x, n_buckets=32, max_distance=128: (
            np.where(x > 0, n_buckets // 2, 0)
            + range_by_logarithms(np.abs(x), n_buckets // 4, max_distance)
        ),
    ),
    (
        t5_bucket,
        lambda x, n_buckets=32, max_distance=128: np.where(
            x > 0,
            n_buckets // 2
            + range_one_by_one(np.maximum(x, 0), n_buckets // 4, max_distance),
            range_one_by_one(np.maximum(-x, 0), n_buckets // 4, max_distance),
        ),
    ),
    (t5_bias, bias_by_pieces),
    (
        t5_bias,
        lambda table, n, max_distance=128: [
            list(column[t5_bucket(offsets(n), len(table), max_distance)])
            for column in table.T
        ],
    ),
]

WRONG = [
    (
        distance_range,
        lambda x, exact=8, max_distance=128: distance_range(x, exact),
        "You ignore `max_distance`",
    ),
    (
        distance_range,
        lambda x, exact=8, max_distance=128: np.minimum(x, 2 * exact - 1),
        "it gave",
    ),
    (
        distance_range,
        lambda x, exact=8, max_distance=128: distance_range(x, exact, max_distance) + 1,
        "it gave",
    ),
    (
        distance_range,
        lambda x, exact=8, max_distance=128: np.where(
            x < exact,
            x,
            exact
            + np.floor(
                exact
                * np.log(np.maximum(x, 1) / exact)
                / math.log(max_distance / exact)
                + 1e-9
            ).astype(int),
        ),
        "You do not stop at D",
    ),
    (
        distance_range,
        lambda x, exact=8, max_distance=128: np.log2(1 + x).astype(int),
        "it gave",
    ),
    (
        t5_bucket,
        lambda x, n_buckets=32, max_distance=128: t5_bucket(
            -x, n_buckets, max_distance
        ),
        "Your halves are exchanged",
    ),
    (
        t5_bucket,
        lambda x, n_buckets=32, max_distance=128: t5_bucket(
            -np.abs(x), n_buckets, max_distance
        ),
        "You forget the side",
    ),
    (
        t5_bucket,
        lambda x, n_buckets=32, max_distance=128: t5_bucket(x, n_buckets),
        "You ignore `max_distance`",
    ),
    (
        t5_bucket,
        lambda x, n_buckets=32, max_distance=128: (
            t5_bucket(x, n_buckets, max_distance) + 1
        ),
        "it gave",
    ),
    (
        t5_bucket,
        lambda x, n_buckets=32, max_distance=128: (
            np.where(x >= 0, n_buckets // 2, 0)
            + distance_range(np.abs(x), n_buckets // 4, max_distance)
        ),
        "it gave",
    ),
    (t5_bias, lambda table, n, max_distance=128: t5_bias(table, n), "You ignore `max_"),
    (
        t5_bias,
        lambda table, n, max_distance=128: t5_bias(table, n, max_distance).mT,
        "Your offset is i",
    ),
    (
        t5_bias,
        lambda table, n, max_distance=128: -t5_bias(table, n, max_distance),
        "it gave",
    ),
    (
        t5_bias,
        lambda table, n, max_distance=128: t5_bias(table[::-1], n, max_distance),
        "it gave",
    ),
    (
        t5_bias,
        lambda table, n, max_distance=128: np.exp(t5_bias(table, n, max_distance)),
        "it gave",
    ),
]

EQUIVALENT_FORMULAS = {
    "eq-t5-range": {
        "x \\le E": "at the border the sum is empty, and both cases give E",
    },
}

EQUIVALENT = {
    "t5_bucket": {
        "32 → 33": "Half of either is 16, a quarter 8; written into the source, it is refused by the contract.",
    },
    "t5_causal_bucket": {
        "32 → 33": "Half of either is 16; written into the source, it is refused by the contract.",
    },
    "distance_range": {
        "exact * (max_distance / exact) ** share - 1e-09 → exact * (max_distance / exact) ** share - 2e-09": "Either is far smaller than the gap between whole numbers.",
        "distance < exact → distance <= exact": "At the border the sum is empty, and both cases give E.",
    },
}
