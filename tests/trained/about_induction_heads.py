"""What the tests of all ideas ask of `trained/induction_heads`."""

import numpy as np

from transformer_math.trained.induction_heads import (
    prefix_matching_score,
    previous_token_score,
)

RIGHT = [
    (
        previous_token_score,
        lambda A: A[..., range(1, A.shape[-1]), range(A.shape[-1] - 1)].mean(-1),
    ),
    (
        previous_token_score,
        lambda A: np.trace(A[..., 1:, :-1], axis1=-2, axis2=-1) / (A.shape[-1] - 1),
    ),
    (
        prefix_matching_score,
        lambda A, ids: np.mean(
            [
                sum(A[..., i, j] for j in range(1, i + 1) if ids[j - 1] == ids[i])
                for i in range(len(ids))
                if ids[i] in ids[:i]
            ],
            axis=0,
        ),
    ),
    (
        prefix_matching_score,
        lambda A, ids: (
            np.sum(
                A[..., 1:]
                * ((ids[:, None] == ids) & np.tri(len(ids), k=-1, dtype=bool))[:, :-1],
                axis=(-1, -2),
            )
            / sum(t in ids[:i] for i, t in enumerate(ids))
        ),
    ),
]

WRONG = [
    (previous_token_score, lambda A: np.diagonal(A, -1, -2, -1).max(-1), "it gave"),
    (
        previous_token_score,
        lambda A: np.diagonal(A, 1, -2, -1).mean(-1),
        "You measure how much each token is looked at",
    ),
    (
        previous_token_score,
        lambda A: np.diagonal(A, -2, -2, -1).sum(-1) / (A.shape[-1] - 1),
        "it gave",
    ),
    (
        prefix_matching_score,
        lambda A, ids: np.mean(
            [
                A[..., i, [j for j in range(i) if ids[j] == ids[i]]].sum(-1)
                for i in range(len(ids))
            ],
            axis=0,
        ),
        "it gave",
    ),
    (previous_token_score, lambda A: np.diagonal(A, 0, -2, -1).mean(-1), "it gave"),
    (previous_token_score, lambda A: A[..., -1, -2], "it gave"),
    (
        prefix_matching_score,
        lambda A, ids: np.diagonal(A, -1, -2, -1).mean(-1),
        "it gave",
    ),
    (prefix_matching_score, lambda A, ids: A.max(-1).mean(-1), "it gave"),
    (
        prefix_matching_score,
        lambda A, ids: np.mean(
            [
                sum(A[..., j, i] for j in range(1, i + 1) if ids[j - 1] == ids[i])
                for i in range(len(ids))
                if ids[i] in ids[:i]
            ],
            axis=0,
        ),
        "it gave",
    ),
    (
        prefix_matching_score,
        lambda A, ids: 2 * prefix_matching_score(A, ids),
        "times 2 throughout",
    ),
]
