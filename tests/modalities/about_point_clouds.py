"""What the tests of all ideas ask of `modalities/point_clouds`; `tests/abouts.py` explains the names."""

import numpy as np
from scipy.spatial import KDTree
from scipy.special import softmax
from scipy.stats import gumbel_r

from transformer_math.modalities import (
    chamfer_distance,
    farthest_points,
    gumbel_noise,
    gumbel_softmax,
    local_groups,
    nearest_neighbours,
    point_net,
)

ACCEPTED = {
    farthest_points: {
        "X": {"longer"},
        "start": {"0"},
    },  # another cloud, its first point
    local_groups: {"neighbours": {"longer"}},  # larger groups
    gumbel_noise: {"u": {"longer", "no axis"}},
}

NO_TWIN = {
    farthest_points: "it gives numbers of points, which are whole: there is no slope",
    nearest_neighbours: "it gives numbers of points, which are whole: there is no slope",
    local_groups: "it picks points and subtracts; nothing that learns stands before it",
    gumbel_noise: "what goes in was drawn at random, and nothing wants its gradient",
}


EQUIVALENT_FORMULAS = {
    "eq-farthest-points": {
        "\\Delta_{ji} &=": "a distance is the same both ways",
        "\\delta_{ji}": "it is 1 where i = j, whichever comes first",
    },
}


def squares(X, Y):
    return np.square(X[..., :, None, :] - Y[..., None, :, :]).sum(-1)


def by_a_table(X, number, start=0):
    D = squares(X, X)
    chosen = [start]
    for _ in range(number - 1):
        near = D[:, chosen].min(axis=1)
        near[chosen] = -np.inf
        chosen.append(int(near.argmax()))
    return np.array(chosen)


def one_centre_at_a_time(C, X, k):
    rows = []
    for c in C:
        D = np.square(X - c).sum(axis=1)
        rows.append(sorted(range(len(X)), key=lambda i: (D[i], i))[:k])
    return rows


def by_take(X, C, neighbours):
    return np.take(X, neighbours, axis=0) - np.expand_dims(C, 1)


def with_einsum(X, p):
    hidden = np.einsum("...nd,df->...nf", X, p.W_1) + p.b_1
    hidden = np.where(hidden > 0, hidden, 0)
    return np.amax(np.einsum("...nf,fm->...nm", hidden, p.W_2) + p.b_2, axis=-2)


def running_maximum(X, p):
    best = None
    for i in range(X.shape[-2]):
        h = np.maximum(X[..., i, :] @ p.W_1 + p.b_1, 0) @ p.W_2 + p.b_2
        best = h if best is None else np.maximum(best, h)
    return best


def with_trees(X, Y):
    found = np.empty(X.shape[:-2])
    for place in np.ndindex(found.shape):
        there = KDTree(Y[place]).query(X[place])[0]
        back = KDTree(X[place]).query(Y[place])[0]
        found[place] = (there**2).mean() + (back**2).mean()
    return found


def with_table(X, Y):
    D = squares(X, Y)
    return D.min(-1).mean(-1) + D.min(-2).mean(-1)


RIGHT = [
    (farthest_points, by_a_table),
    (farthest_points, lambda X, number, start=0: by_a_table(X, number, start).tolist()),
    (nearest_neighbours, one_centre_at_a_time),
    (
        nearest_neighbours,
        lambda C, X, k: np.argsort(squares(C, X), axis=1, kind="stable")[:, :k],
    ),
    (local_groups, by_take),
    (
        local_groups,
        lambda X, C, N: [[X[i] - C[q] for i in N[q]] for q in range(len(C))],
    ),
    (point_net, with_einsum),
    (point_net, running_maximum),
    (chamfer_distance, with_trees),
    (chamfer_distance, with_table),
    (gumbel_noise, gumbel_r.ppf),
    (gumbel_noise, lambda u: -np.log(np.log(1 / u))),
    (gumbel_softmax, lambda z, g, temperature: softmax((z + g) / temperature, axis=-1)),
    (
        gumbel_softmax,
        lambda z, g, temperature: softmax(z / temperature + g / temperature, axis=-1),
    ),
]

WRONG = [
    (farthest_points, lambda X, number, start=0: np.arange(number), "it gave"),
    (
        farthest_points,
        lambda X, number, start=0: np.argsort(-squares(X, X)[start], kind="stable")[
            :number
        ],
        "it gave",
    ),
    (
        farthest_points,
        lambda X, number, start=0: np.argsort(squares(X, X)[start], kind="stable")[
            :number
        ],
        "it gave",
    ),
    (
        farthest_points,
        lambda X, number, start=0: by_a_table(X, number, len(X) - 1 - start),
        "it gave",
    ),
    (
        farthest_points,
        lambda X, number, start=0: by_a_table(X, number, start) + 1,
        "it gave",
    ),
    (
        nearest_neighbours,
        lambda C, X, k: np.argsort(squares(C, X), axis=1)[:, -k:],
        "it gave",
    ),
    (
        nearest_neighbours,
        lambda C, X, k: np.argsort(squares(C, X), axis=1)[:, :k][:, ::-1],
        "it gave",
    ),
    (
        nearest_neighbours,
        lambda C, X, k: np.argsort(squares(X, C), axis=0)[:k],
        "it gave",
    ),
    (nearest_neighbours, lambda C, X, k: np.sort(squares(C, X))[:, :k], "it gave"),
    (
        nearest_neighbours,
        lambda C, X, k: np.argsort(np.abs(C[:, None] - X).max(-1), axis=1)[:, :k],
        "it gave",
    ),
    (local_groups, lambda X, C, N: X[N] + C[:, None], "it gave"),
    (local_groups, lambda X, C, N: X[N] - X[N][:, :1], "it gave"),
    (local_groups, lambda X, C, N: X[N] - X.mean(axis=0), "it gave"),
    (local_groups, lambda X, C, N: X[N][:, ::-1] - C[:, None], "it gave"),
    (local_groups, lambda X, C, N: np.abs(by_take(X, C, N)), "it gave"),
    (point_net, lambda X, p: with_einsum(X, p) - p.b_2, "it gave"),
    (point_net, lambda X, p: np.tanh(with_einsum(X, p)), "it gave"),
    (
        point_net,
        lambda X, p: np.median(
            np.maximum(X @ p.W_1 + p.b_1, 0) @ p.W_2 + p.b_2, axis=-2
        ),
        "it gave",
    ),
    (
        point_net,
        lambda X, p: (np.tanh(X @ p.W_1 + p.b_1) @ p.W_2 + p.b_2).max(-2),
        "it gave",
    ),
    (
        point_net,
        lambda X, p: (np.maximum(X @ p.W_1, 0) @ p.W_2).max(-2) + p.b_2,
        "it gave",
    ),
    (chamfer_distance, lambda X, Y: np.sqrt(with_table(X, Y)), "it gave"),
    (chamfer_distance, lambda X, Y: with_table(X, Y) ** 2, "it gave"),
    (chamfer_distance, lambda X, Y: squares(X, Y).min((-1, -2)), "it gave"),
    (
        chamfer_distance,
        lambda X, Y: squares(X, Y).max(-1).mean(-1) + squares(X, Y).max(-2).mean(-1),
        "it gave",
    ),
    (
        chamfer_distance,
        lambda X, Y: np.square(X.mean(-2) - Y.mean(-2)).sum(-1),
        "it gave",
    ),
    (gumbel_noise, lambda u: np.log(u), "it gave"),
    (gumbel_noise, lambda u: np.log(u / (1 - u)), "it gave"),
    (gumbel_noise, lambda u: -np.log(1 - np.log(u)), "it gave"),
    (gumbel_noise, lambda u: -np.exp(-np.exp(-u)), "it gave"),
    (gumbel_noise, lambda u: -np.log10(-np.log10(u)), "it gave"),
    (gumbel_softmax, lambda z, g, t: softmax(z + g / t, axis=-1), "it gave"),
    (gumbel_softmax, lambda z, g, t: softmax((z + g) / t**2, axis=-1), "it gave"),
    (gumbel_softmax, lambda z, g, t: softmax(z + g, axis=-1), "it gave"),
    (gumbel_softmax, lambda z, g, t: softmax(g / t, axis=-1), "it gave"),
    (gumbel_softmax, lambda z, g, t: softmax(-(z + g) / t, axis=-1), "it gave"),
]

EQUIVALENT = {
    "nearest_neighbours": {
        "((C[:, None] - X) ** 2).sum → ((C[:, None] - X) ** 2).mean": "Which distance is smaller is the same of means as of sums.",
    },
    "farthest_points": {
        "((X - X[new]) ** 2).sum → ((X - X[new]) ** 2).mean": "Which point is farthest is the same of means as of sums.",
    },
}
