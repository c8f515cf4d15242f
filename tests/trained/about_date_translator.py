"""What the tests of all ideas ask of `trained/date_translator`."""

import numpy as np

from transformer_math.trained.date_translator import exact_match, share_on

RIGHT = [
    (
        exact_match,
        lambda predicted, wanted: np.mean(
            [list(p) == list(w) for p, w in zip(predicted, wanted)]
        ),
    ),
    (exact_match, lambda u, y: 1 - (u != y).any(axis=1).mean()),
    (share_on, lambda A, F: np.where(F, A, 0).sum(axis=1).mean()),
    (share_on, lambda A, F: A[F].sum() / A.shape[0]),
]

WRONG = [
    (
        exact_match,
        lambda u, y: (u == y).mean(axis=1).mean(),
        "You count right characters",
    ),
    (exact_match, lambda u, y: float((u == y).all()), "it gave"),
    (exact_match, lambda u, y: np.mean(u[:, 0] == y[:, 0]), "it gave"),
    (
        exact_match,
        lambda u, y: (u == y).all(axis=1),
        "Your result holds True and False",
    ),
    (
        exact_match,
        lambda u, y: sum(list(a) == list(b) for a, b in zip(u, y)),
        "You return how many are right",
    ),
    (
        share_on,
        lambda A, F: A[F].mean() if F.any() else 0.0,
        "You divide by the number of marked places",
    ),
    (share_on, lambda A, F: (A * F).sum(axis=1), "it gave"),
    (share_on, lambda A, F: (A * F).max(axis=1).mean(), "it gave"),
    (share_on, lambda A, F: A[~F].sum() / A.shape[0], "You add what lies outside"),
    (share_on, lambda A, F: 1 - (A * F).sum() / len(A), "it gave"),
    (share_on, lambda A, F: (A * F).sum() / A.shape[1], "it gave"),
]
