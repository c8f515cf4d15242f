"""What the tests of all ideas ask of `position/relative`."""

import numpy as np
from example_values import normal

from transformer_math.position import (
    clipped_offsets,
    relative_attention,
    relative_attention_by_shift,
    relative_scores,
    skew,
    unskew,
)

_one_head = {
    "Q": normal(3, 4),
    "K": normal(3, 4),
    "V": normal(3, 2),
    "a_K": normal(5, 4),
    "a_V": normal(5, 2),
    "mask": np.tri(3, dtype=bool),
}
EXAMPLES = {
    relative_scores: {name: _one_head[name] for name in ("Q", "K", "a_K")},
    relative_attention: _one_head,
    relative_attention_by_shift: _one_head,
    skew: {"R": normal(3, 5)},
    unskew: {"A": normal(3, 3)},
}

ACCEPTED = {clipped_offsets: {"limit": {"0"}}}

NO_TWIN = {
    relative_attention_by_shift: "relative_attention computed in another way, with the same twin",
    unskew: "linear; what it pulls back by is skew, as skew's twin pulls back by it",
}


def gathered(Q, K, a_K):
    n = Q.shape[-2]
    rows = np.broadcast_to(clipped_offsets(n, len(a_K) // 2), (*Q.shape[:-1], n))
    of_place = np.take_along_axis(Q @ a_K.T, rows, axis=-1)
    return (Q @ K.mT + of_place) / Q.shape[-1] ** 0.5


def with_rows(rows):
    def scored(Q, K, a_K):
        pair_keys = K[..., None, :, :] + a_K[rows(Q.shape[-2], len(a_K) // 2)]
        return np.einsum("...id,...ijd->...ij", Q, pair_keys) / Q.shape[-1] ** 0.5

    return scored


def skewed_by_rows(R):
    n = R.shape[-2]
    rows = [R[..., i, n - 1 - i : 2 * n - 1 - i] for i in range(n)]
    return np.stack(rows, axis=-2)


def place(n):
    return np.arange(n)


RIGHT = [
    (
        clipped_offsets,
        lambda n, limit: [
            [limit + min(max(j - i, -limit), limit) for j in range(n)] for i in range(n)
        ],
    ),
    (
        clipped_offsets,
        lambda n, limit: np.clip(
            np.subtract.outer(place(n), place(n)).T + limit, 0, 2 * limit
        ),
    ),
    (relative_scores, gathered),
    (relative_scores, with_rows(clipped_offsets)),
    (skew, skewed_by_rows),
    (
        skew,
        lambda R: np.take_along_axis(
            R,
            np.broadcast_to(
                R.shape[-2]
                - 1
                + clipped_offsets(R.shape[-2], R.shape[-2])
                - R.shape[-2],
                (*R.shape[:-1], R.shape[-2]),
            ),
            axis=-1,
        ),
    ),
]

WRONG = [
    (clipped_offsets, lambda n, limit: clipped_offsets(n, limit).T, "Your offset is i"),
    (
        clipped_offsets,
        lambda n, limit: clipped_offsets(n, limit) - limit,
        "Your rows begin at",
    ),
    (clipped_offsets, lambda n, limit: clipped_offsets(n, limit) + 1, "it gave"),
    (clipped_offsets, lambda n, limit: clipped_offsets(n, limit + 1), "it gave"),
    (
        clipped_offsets,
        lambda n, limit: limit + place(n) - place(n)[:, None],
        "You do not clip",
    ),
    (
        relative_scores,
        lambda Q, K, a_K: Q @ K.mT / Q.shape[-1] ** 0.5,
        "You forget the table",
    ),
    (
        relative_scores,
        lambda Q, K, a_K: relative_scores(Q, K, a_K[::-1]),
        "offset is i",
    ),
    (
        relative_scores,
        lambda Q, K, a_K: gathered(Q, K, a_K) * Q.shape[-1] ** 0.5,
        "You forget to divide",
    ),
    (relative_scores, lambda Q, K, a_K: relative_scores(K, Q, a_K), "it gave"),
    (relative_scores, lambda Q, K, a_K: relative_scores(Q, K, -a_K), "it gave"),
    (skew, lambda R: R[..., R.shape[-2] - 1 :], "Nothing is shifted"),
    (skew, lambda R: R[..., : R.shape[-2]], "it gave"),
    (skew, lambda R: skew(R[..., ::-1]), "Your offsets are turned round"),
    (skew, lambda R: np.swapaxes(skew(R), -1, -2), "it gave"),
    (skew, lambda R: skew(R)[..., ::-1, :], "You shift the other way"),
]

EQUIVALENT_FORMULAS = {
    "eq-relative-attention-by-shift": {
        "r = 0, \\dots, 2n + 2": "the rows after the last offset are looked up by nobody",
        "r = 0, \\dots, n - 2": "a row is computed where it is looked up, whatever range is written beside it",
    },
}

EQUIVALENT = {
    "clipped_offsets": {
        "np.clip(place - place[:, None], -limit, limit) → np.clip(-limit, place - place[:, None], limit)": "Both are the smaller of the limit and the larger of the two others.",
    },
    "skew": {
        "np.zeros → np.ones": "The column that is put there is cut off again.",
    },
    "relative_attention_by_shift": {
        "np.clip(np.arange(1 - n, n), -k, k) → np.clip(-k, np.arange(1 - n, n), k)": "Both are the smaller of the limit and the larger of the two others.",
    },
}
