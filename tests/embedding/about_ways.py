"""What the tests of all ideas ask of `embedding/ways`."""

import numpy as np

from transformer_math.embedding import plane_of_question, rank_correlation

rng = np.random.default_rng(5)

EXAMPLES = {
    plane_of_question: {"W": rng.normal(size=(5, 4)), "a": 0, "b": 1, "c": 3},
    rank_correlation: {"x": np.array([1.0, 2.0, 0.5]), "y": np.array([0.0, 1.0, 3.0])},
}

ACCEPTED = {plane_of_question: {"W": {"longer"}, "a": {"0"}}}

NO_TWIN = {
    plane_of_question: "it draws vectors that are there; nothing is learnt through it",
    rank_correlation: "ranks are steps: their slope is 0 wherever there is one",
}


def rows_of(W, a, b, c):
    Q, R = np.linalg.qr(np.stack([W[b] - W[a], W[c] - W[a]], axis=1))
    return Q * np.sign(np.diag(R))


def by_counting(x):
    return np.array([np.mean([(o < v) + (o == v) / 2 for o in x]) for v in x])


RIGHT = [
    (plane_of_question, lambda W, a, b, c: (W - W[a]) @ rows_of(W, a, b, c)),
    (
        plane_of_question,
        lambda W, a, b, c: [
            [float((w - W[a]) @ u) for u in rows_of(W, a, b, c).T] for w in W
        ],
    ),
    (
        rank_correlation,
        lambda x, y: np.corrcoef(by_counting(x), by_counting(y))[0, 1],
    ),
    (
        rank_correlation,
        lambda x, y: np.corrcoef(10 * by_counting(x) + 3, by_counting(y))[1, 0],
    ),
]

WRONG = [
    (
        plane_of_question,
        lambda W, a, b, c: (W - W[a]) @ np.stack([W[b] - W[a], W[c] - W[a]], axis=1),
        "it gave",
    ),
    (
        plane_of_question,
        lambda W, a, b, c: W @ rows_of(W, a, b, c),
        "does not stand at 0, 0",
    ),
    (plane_of_question, lambda W, a, b, c: plane_of_question(W, a, c, b), "b and c"),
    (
        plane_of_question,
        lambda W, a, b, c: plane_of_question(W, a, b, c)[:, ::-1],
        "exchanged",
    ),
    (plane_of_question, lambda W, a, b, c: plane_of_question(W, b, a, c), "it gave"),
    (rank_correlation, lambda x, y: np.corrcoef(x, y)[0, 1], "the numbers themselves"),
    (
        rank_correlation,
        lambda x, y: np.corrcoef(np.argsort(np.argsort(x)), np.argsort(np.argsort(y)))[
            0, 1
        ],
        "Equal numbers",
    ),
    (
        rank_correlation,
        lambda x, y: np.corrcoef(np.argsort(x), np.argsort(y))[0, 1],
        "sort once",
    ),
    (rank_correlation, lambda x, y: -rank_correlation(x, y), "turns round"),
    (rank_correlation, lambda x, y: rank_correlation(y, y), "with itself"),
    (rank_correlation, lambda x, y: abs(rank_correlation(x, y)), "it gave"),
    (rank_correlation, lambda x, y: rank_correlation(x, y) ** 2, "square"),
]

EQUIVALENT = {
    "rank_correlation": {
        "r @ s → s @ r": "A dot product does not know its order.",
        "(np.cumsum(times) - times / 2)[at] - len(z) / 2 → len(z) / 2 - (np.cumsum(times) - times / 2)[at]": "Both lists are ranked by it: turned round together, their ranks agree as much.",
    },
    "plane_of_question": {
        "W[[b, c]] - W[a] → W[a] - W[[b, c]]": "Turned round, two vectors span the same plane.",
        "(W[c] - W[a]) @ along → along @ (W[c] - W[a])": "A dot product does not know its order.",
    },
}
