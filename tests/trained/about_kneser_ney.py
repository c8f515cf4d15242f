"""What the tests of all ideas ask of `trained/kneser_ney`."""

import numpy as np

from transformer_math.trained.kneser_ney import kneser_ney, kneser_ney_discount

RIGHT = [
    (kneser_ney, lambda c, C, N, D, p: np.maximum(c - D, 0) / C + D * N / C * p),
    (kneser_ney, lambda c, C, N, D, p: ((c - D) * (c > D) + D * N * p) / C),
    (
        kneser_ney_discount,
        lambda c: float(1 / (1 + 2 * np.sum(c == 2) / max(np.sum(c == 1), 1))),
    ),
    (
        kneser_ney_discount,
        lambda c: sum(c == 1) / (sum(c == 1) + 2 * sum(c == 2)),
    ),
]

WRONG = [
    (kneser_ney, lambda c, C, N, D, p: c / C, "it gave"),
    (kneser_ney, lambda c, C, N, D, p: np.maximum(c - D, 0) / C, "sum to less than 1"),
    (kneser_ney, lambda c, C, N, D, p: np.maximum(c - D, 0) / C + D * p, "it gave"),
    (kneser_ney, lambda c, C, N, D, p: (c - D + D * N * p) / C, "A count of 0 becomes"),
    (kneser_ney, lambda c, C, N, D, p: kneser_ney(c, C, N, 0.5, p), "it gave"),
    (
        kneser_ney_discount,
        lambda c: float((c == 1).mean()),
        "You divide by all n-grams",
    ),
    (kneser_ney_discount, lambda c: 0.75, "it gave"),
    (
        kneser_ney_discount,
        lambda c: float(np.sum(c == 1) / np.sum(c <= 2)),
        "seen twice once",
    ),
    (
        kneser_ney_discount,
        lambda c: float(np.sum(c == 1) / (np.sum(c == 1) + 2 * np.sum(c >= 2))),
        "it gave",
    ),
    (kneser_ney_discount, lambda c: 1 - kneser_ney_discount(c), "it gave"),
]
