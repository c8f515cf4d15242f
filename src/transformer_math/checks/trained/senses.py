"""Checks of how classes of vectors are measured."""

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import size, smallest
from transformer_math.trained.senses import centroids, distances, silhouette


def vectors_and_labels(rng, classes, fewest=1):
    """Random vectors, every class there at least so many times."""
    labels = np.concatenate(
        [
            np.repeat(np.arange(classes), fewest),
            rng.integers(0, classes, size(rng) - smallest()),
        ]
    )
    rng.shuffle(labels)
    X = rng.normal(size=(len(labels), size(rng))) + rng.normal() * labels[:, None]
    return X, labels


@check(
    centroids,
    equation="eq-centroids",
    oracle="torch.nn.functional.one_hot, a product and a division",
)
def centroids_equal_torch(centroids, rng):
    classes = 1 if smallest() else int(rng.integers(1, 5))
    X, labels = vectors_and_labels(rng, classes)
    member = torch.nn.functional.one_hot(torch.from_numpy(labels), classes).double()
    wanted = member.T @ torch.from_numpy(X) / member.sum(0)[:, None]
    return difference(centroids(X, labels), wanted)


@centroids_equal_torch.rejects(
    "You divide by the number of all vectors; each sum is divided by the number of its own class."
)
def divided_by_all(X, labels):
    return centroids(X, labels) * np.bincount(labels)[:, None] / len(X)


@centroids_equal_torch.rejects("You return sums; a centroid is a mean.")
def sums(X, labels):
    return centroids(X, labels) * np.bincount(labels)[:, None]


@centroids_equal_torch.rejects(
    "You take the mean over all vectors, whatever their class."
)
def one_for_all(X, labels):
    return np.repeat(X.mean(axis=0)[None], labels.max() + 1, axis=0)


@centroids_equal_torch.rejects(
    "You take the median of each class; a centroid is the mean."
)
def medians(X, labels):
    return np.stack(
        [np.median(X[labels == k], axis=0) for k in range(labels.max() + 1)]
    )


@check(distances, equation="eq-distances", oracle="torch.cdist", tolerance=1e-9)
def distances_equal_torch(distances, rng):
    d = size(rng)
    X, C = rng.normal(size=(size(rng), d)), rng.normal(size=(size(rng), d))
    if rng.random() < 0.4 and not smallest():  # a vector stands among the others, too
        C[rng.integers(len(C))] = X[rng.integers(len(X))]
    exact = {"compute_mode": "donot_use_mm_for_euclid_dist"}
    return difference(
        distances(X, C), torch.cdist(*map(torch.from_numpy, (X, C)), **exact)
    )


distances_equal_torch.visits(
    "equal vectors", lambda X, C: (X[:, None] == C).all(axis=-1).any()
)


@distances_equal_torch.rejects("You forget the root: those are squared distances.")
def squared(X, C):
    return ((X[:, None] - C) ** 2).sum(axis=-1)


@distances_equal_torch.rejects(
    "You add absolute differences; wanted the straight way, the root of the sum of squares."
)
def city_blocks(X, C):
    return np.abs(X[:, None] - C).sum(axis=-1)


@distances_equal_torch.rejects("You take the mean of the squares; wanted their sum.")
def mean_of_squares(X, C):
    return np.sqrt(((X[:, None] - C) ** 2).mean(axis=-1))


@distances_equal_torch.rejects(
    "Your table stands on its side: a row for each vector of X, a column for each of C."
)
def on_its_side(X, C):
    return distances(C, X)


@distances_equal_torch.rejects(
    "Of equal vectors your distance is not 0, or NaN: x·x − 2 x·c + c·c cancels, and its rounding may be below 0. Subtract first, then square."
)
def by_products(X, C):
    squares = (X**2).sum(axis=1)[:, None] - 2 * X @ C.T + (C**2).sum(axis=1)
    with np.errstate(invalid="ignore"):
        return np.sqrt(squares)


@check(
    silhouette,
    equation="eq-silhouette",
    symbols={"labels": "y"},
    oracle="its definition by Rousseeuw, one vector at a time",
)
def silhouette_equals_definition(silhouette, rng):
    X, labels = vectors_and_labels(rng, classes=2, fewest=2)
    found = []
    for i, x in enumerate(X):
        far = [np.linalg.norm(x - y) for y in X]
        own = [far[j] for j in range(len(X)) if labels[j] == labels[i] and j != i]
        other = [far[j] for j in range(len(X)) if labels[j] != labels[i]]
        a, b = sum(own) / len(own), sum(other) / len(other)
        found.append((b - a) / max(a, b))
    return difference(silhouette(X, labels), sum(found) / len(found))


def compared(X, labels, itself=1, larger=np.maximum):
    """Silhouettes of all vectors, with other counts or another denominator: the material of wrong versions."""
    D, same = distances(X, X), labels[:, None] == labels
    a = (D * same).sum(axis=1) / (same.sum(axis=1) - itself)
    b = (D * ~same).sum(axis=1) / (~same).sum(axis=1)
    return (b - a) / larger(a, b)


silhouette_equals_definition.excuses(
    "each of two classes has two vectors at least", "n = 1"
)


@silhouette_equals_definition.rejects(
    "You count a vector among its own neighbours: its distance to itself is 0, and makes the mean too small. Divide by one less."
)
def counts_itself(X, labels):
    return float(compared(X, labels, itself=0).mean())


@silhouette_equals_definition.rejects(
    "You subtract the other way round: b − a, so that more is better."
)
def other_way_round(X, labels):
    return -float(compared(X, labels).mean())


@silhouette_equals_definition.rejects(
    "You divide by the smaller mean; wanted the larger."
)
def divided_by_smaller(X, labels):
    return float(compared(X, labels, larger=np.minimum).mean())


@silhouette_equals_definition.rejects(
    "You do not divide: b − a has the units of the vectors; over the larger of the two it has none."
)
def not_divided(X, labels):
    return float(compared(X, labels, larger=lambda a, b: 1.0).mean())


@silhouette_equals_definition.rejects(
    "You return one number for each vector; wanted their mean."
)
def one_for_each(X, labels):
    return compared(X, labels)


@distances_equal_torch.rejects(
    "You return the cosine distance; wanted the straight one, the root of the sum of squares."
)
def cosine_distance(X, C):
    lengths = np.linalg.norm(X, axis=1)[:, None] * np.linalg.norm(C, axis=1)
    return 1 - X @ C.T / lengths


@distances_equal_torch.rejects("You return dot products; wanted distances.")
def dot_products(X, C):
    return X @ C.T


@distances_equal_torch.rejects(
    "You return the distance to the nearest of C alone; wanted one for each pair."
)
def nearest_alone(X, C):
    return distances(X, C).min(axis=1)


@distances_equal_torch.rejects(
    "The middle term counts twice: ‖x − c‖² = ‖x‖² + ‖c‖² − 2 x · c."
)
def middle_term_once(X, C):
    squares = (X**2).sum(axis=1)[:, None] + (C**2).sum(axis=1) - X @ C.T
    return np.sqrt(np.maximum(squares, 0))
