"""What the tests of all ideas ask of `modalities/pieces`; `tests/abouts.py` explains the names."""

import itertools
import math

import numpy as np

from transformer_math.modalities import bit_rate, count_pieces, signal_to_noise

ACCEPTED = {bit_rate: {"seconds": {"1.5"}}}

NO_TWIN = {
    bit_rate: "it counts what codes cost; nothing is learned from it",
    signal_to_noise: "it says how good a copy is; what is learned from is the squared error in it",
}


def by_listing(sizes, piece, stride):
    """All places where a piece can begin, written out."""
    begins = [range(0, N - p + 1, s) for N, p, s in zip(sizes, piece, stride)]
    return len(list(itertools.product(*begins)))


RIGHT = [
    (count_pieces, by_listing),
    (count_pieces, lambda N, p, s: int(np.prod((N - p + s) / s))),
    (bit_rate, lambda n, seconds, K: n * math.log(K) / math.log(2) / seconds),
    (bit_rate, lambda n, seconds, K: np.log2(float(K)) * (n / seconds)),
    (
        signal_to_noise,
        lambda x, y: 20 * np.log10(np.linalg.norm(x / abs(x).max()) / np.linalg.norm((x - y) / abs(x).max())),
    ),
    (
        signal_to_noise,
        lambda x, y: 10 * (np.log10(np.sum((x / abs(x).max()) ** 2)) - np.log10(np.sum((x / abs(x).max() - y / abs(x).max()) ** 2))),
    ),
]  # fmt: skip

WRONG = [
    (count_pieces, lambda N, p, s: int(np.prod(N)), "it gave"),
    (count_pieces, lambda N, p, s: int(np.prod((N - p) // s + 2)), "it gave"),
    (count_pieces, lambda N, p, s: int(np.prod(N - p + 1)), "it gave"),
    (count_pieces, lambda N, p, s: int(np.prod(-(-N // s))), "it gave"),
    (count_pieces, lambda N, p, s: int(((N - p) // s + 1).max()), "it gave"),
    (bit_rate, lambda n, seconds, K: n / seconds * math.log10(K), "it gave"),
    (bit_rate, lambda n, seconds, K: n / seconds * math.log2(K) / 8, "it gave"),
    (bit_rate, lambda n, seconds, K: n / seconds * math.log2(K + 1), "it gave"),
    (bit_rate, lambda n, seconds, K: n / seconds * max(1, math.log2(K)), "it gave"),
    (bit_rate, lambda n, seconds, K: math.log2(K) / seconds, "it gave"),
    (signal_to_noise, lambda x, y: 10 * np.log10(np.var(x) / np.var(x - y)), ""),
    (signal_to_noise, lambda x, y: -20 * np.log10(np.linalg.norm(x - y)), "it gave"),
    (signal_to_noise, lambda x, y: signal_to_noise(x, y) / 10, "it gave"),
    (signal_to_noise, lambda x, y: abs(signal_to_noise(x, y)), "it gave"),
    (signal_to_noise, lambda x, y: signal_to_noise(y, x), "it gave"),
]
