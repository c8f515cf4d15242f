"""What the tests of all ideas ask of `trained/senses`."""

import math

import numpy as np

from transformer_math.trained.senses import centroids, distances, silhouette

RIGHT = [
    (centroids, lambda X, y: [X[y == k].mean(0) for k in sorted(set(y.tolist()))]),
    (
        centroids,
        lambda X, y: [np.average(X, axis=0, weights=y == k) for k in range(max(y) + 1)],
    ),
    (distances, lambda X, C: [[math.dist(x, c) for c in C] for x in X]),
    (distances, lambda X, C: np.linalg.norm(X[:, None] - C[None], axis=-1)),
    (silhouette, lambda X, y: silhouette(X[::-1], 1 - y[::-1])),
    (
        silhouette,
        lambda X, y: np.mean(
            [
                (b - a) / max(a, b)
                for i, x in enumerate(X)
                for r in [np.linalg.norm(X - x, axis=1)]
                for a in [r[y == y[i]].sum() / ((y == y[i]).sum() - 1)]
                for b in [r[y != y[i]].mean()]
            ]
        ),
    ),
]

WRONG = [
    (
        centroids,
        lambda X, y: np.stack([X[y == k].sum(0) for k in range(y.max() + 1)]),
        "You return sums",
    ),
    (
        centroids,
        lambda X, y: np.stack([X[y == k][0] for k in range(y.max() + 1)]),
        "it gave",
    ),
    (
        centroids,
        lambda X, y: np.stack([X[y == k].mean(0) for k in range(y.max() + 1)])[::-1],
        "it gave",
    ),
    (distances, lambda X, C: X @ C.T, "it gave"),
    (distances, lambda X, C: ((X[:, None] - C) ** 2).sum(-1), "You forget the root"),
    (distances, lambda X, C: np.abs(X[:, None] - C).max(-1), "it gave"),
    (
        silhouette,
        lambda X, y: (
            distances(X, X)[y[:, None] != y].mean()
            - distances(X, X)[y[:, None] == y].mean()
        ),
        "it gave",
    ),
    (centroids, lambda X, y: X[y == 0].mean(0), "it gave"),
    (
        centroids,
        lambda X, y: np.stack([np.median(X[y == k], 0) for k in range(y.max() + 1)]),
        "You take the median",
    ),
    (distances, lambda X, C: distances(C, X), "Your table stands on its side"),
    (distances, lambda X, C: np.sqrt((X[:, None] - C).sum(-1) ** 2), "it gave"),
    (
        distances,
        lambda X, C: np.sqrt((X * X).sum(1)[:, None] - 2 * X @ C.T + (C * C).sum(1)),
        "Subtract first, then square",
    ),
    (silhouette, lambda X, y: -silhouette(X, y), "You subtract the other way round"),
    (silhouette, lambda X, y: silhouette(X, y) / 2, "times 0.5 throughout"),
    (
        silhouette,
        lambda X, y: silhouette(np.concatenate([X, X**2], axis=1), y),
        "it gave",
    ),
    (silhouette, lambda X, y: float(np.sign(silhouette(X, y))), "it gave"),
]

EQUIVALENT_FORMULAS = {
    "eq-silhouette": {
        "D_{ji}": "the distance there is the distance back",
    },
}
