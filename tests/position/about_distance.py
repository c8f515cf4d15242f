"""What the tests of all ideas ask of `position/distance`."""

import numpy as np

from transformer_math.position import mean_attention_distance, mean_by_distance

NO_TWIN = {
    mean_by_distance: "it measures scores that are there; nothing is learnt through it",
    mean_attention_distance: "it measures weights that are there; nothing is learnt through it",
}


def apart(n):
    return np.abs(np.subtract.outer(np.arange(n), np.arange(n)))


RIGHT = [
    (
        mean_by_distance,
        lambda S: [
            [np.trace(head, -d) / (len(head) - d) for d in range(len(head))]
            for head in S
        ],
    ),
    (
        mean_by_distance,
        lambda S: np.stack(
            [
                np.mean([S[:, i, i - d] for i in range(d, S.shape[1])], axis=0)
                for d in range(S.shape[1])
            ],
            axis=1,
        ),
    ),
    (
        mean_attention_distance,
        lambda A: np.einsum("hij,ij->h", A, apart(A.shape[1])) / A.shape[1],
    ),
    (
        mean_attention_distance,
        lambda A: [(head * apart(len(head))).sum() / len(head) for head in A],
    ),
]

WRONG = [
    (mean_by_distance, lambda S: mean_by_distance(S.mT), "look ahead"),
    (
        mean_by_distance,
        lambda S: np.stack([np.trace(S, -d, 1, 2) for d in range(S.shape[1])], axis=1),
        "do not divide",
    ),
    (
        mean_by_distance,
        lambda S: np.stack(
            [np.trace(S, -d, 1, 2) / S.shape[1] for d in range(S.shape[1])], axis=1
        ),
        "divide by n",
    ),
    (mean_by_distance, lambda S: S.mean(axis=1), "each column"),
    (mean_by_distance, lambda S: S[:, -1, ::-1], "last query alone"),
    (mean_by_distance, lambda S: mean_by_distance(S)[:, 1:], "it gave"),
    (
        mean_attention_distance,
        lambda A: (A * apart(A.shape[1])).mean(axis=(1, 2)),
        "divide by n twice",
    ),
    (
        mean_attention_distance,
        lambda A: (A * apart(A.shape[1])).sum(axis=(1, 2)),
        "add the queries up",
    ),
    (
        mean_attention_distance,
        lambda A: np.abs(A.argmax(-1) - np.arange(A.shape[1])).mean(-1),
        "the largest weight alone",
    ),
    (
        mean_attention_distance,
        lambda A: (A * apart(A.shape[1]) ** 2).sum(-1).mean(-1),
        "square",
    ),
    (mean_attention_distance, lambda A: (A * apart(A.shape[1])).sum(-1), "it gave"),
]

EQUIVALENT = {
    "mean_by_distance": {
        "np.diagonal(S, -d, 1, 2).mean(axis=-1) → np.diagonal(S, -d, 1, 2).mean(axis=1)": "Of a diagonal for each head the last axis is 1.",
        "np.stack(diagonals, axis=-1) → np.stack(diagonals, axis=1)": "Beside one axis for the heads the last one is 1.",
    },
    "mean_attention_distance": {
        "A.shape[-1] → A.shape[1]": "Its last two axes are equally long.",
        "(A * apart).sum(axis=-1) → (A * apart).sum(axis=-2)": "All entries of a head are added, and divided by n, in whatever order.",
    },
}
