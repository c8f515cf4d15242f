"""What the tests of all ideas ask of `attention/projections`."""

import numpy as np
from answer_helpers import transposed

from transformer_math.attention import project, score_terms, scores, split_heads
from transformer_math.block import relu


def heads_one_by_one(x, n_heads):
    d = x.shape[-1] // n_heads
    return np.stack([x[..., h * d : (h + 1) * d] for h in range(n_heads)], axis=-3)


ACCEPTED = {
    project: {"b": {"number"}},
}

NO_TWIN = {
    score_terms: "describes what was computed, for somebody to look at",
    split_heads: "moves numbers and changes none; the other one of the two is its pullback",
}

OTHER_DEFAULTS = {
    project: {"b": 1.0},
}

RIGHT = [
    (project, lambda Z, W, b=None: Z @ W if b is None else Z @ W + b),
    (project, lambda Z, W, b: np.einsum("...i,io->...o", Z, W) + b),
    (split_heads, lambda x, n_heads: heads_one_by_one(x, n_heads)),
    (
        split_heads,
        lambda x, n_heads: np.moveaxis(x.reshape(*x.shape[:-1], n_heads, -1), -2, -3),
    ),
    (
        score_terms,
        lambda X, P, W_Q, W_K: [
            scores(a @ W_Q, b @ W_K) for a in (X, P) for b in (X, P)
        ],
    ),
    (
        score_terms,
        lambda X, P, W_Q, W_K: (
            np.stack([(a @ W_Q) @ (b @ W_K).T for a in (X, P) for b in (X, P)])
            / W_Q.shape[1] ** 0.5
        ),
    ),
]

WRONG = [
    (project, lambda Z, W, b=0.0: Z @ W - b, "it gave"),
    (
        project,
        lambda Z, W, b=0.0: (Z @ W + b).astype(np.float32),
        "The formula is right, the precision is not",
    ),
    (project, lambda Z, W: Z @ W, "Your function takes 2 of 3 arguments"),
    (
        project,
        lambda Z, W, b=1.0: Z @ W + b,
        "Your function is right where `b` is given",
    ),
    (project, lambda Z, W, b=0.0: relu(Z @ W + b), "it gave"),
    (project, lambda Z, W, b=0.0: W.T @ transposed(Z), "Your result has shape"),
    (
        split_heads,
        lambda x, H: x.reshape(*x.shape[:-1], H, -1),
        "Your result has shape",
    ),
    (
        split_heads,
        lambda x, H: np.array(np.split(x, H, axis=-1)),
        "Your result has shape",
    ),
    (
        split_heads,
        lambda x, H: transposed(heads_one_by_one(x, H)),
        "Your result is the transpose of the one wanted",
    ),
    (split_heads, lambda x, H: heads_one_by_one(x, H)[..., ::-1, :, :], "it gave"),
    (split_heads, lambda x, H: heads_one_by_one(x, 1), "Your result has shape"),
    (score_terms, lambda X, P, WQ, WK: score_terms(X, P, WQ, WK).sum(0), "it gave"),
    (score_terms, lambda X, P, WQ, WK: score_terms(X, P, WK, WQ), "it gave"),
    (score_terms, lambda X, P, WQ, WK: score_terms(X, P, WQ, WK)[:2], "it gave"),
    (score_terms, lambda X, P, WQ, WK: score_terms(X, X, WQ, WK), "it gave"),
    (
        score_terms,
        lambda X, P, WQ, WK: score_terms(X, P, WQ, WK) / 2,
        "Your numbers are the ones wanted, times 0",
    ),
]

EQUIVALENT_FORMULAS = {
    "book/attention/projections": {
        "S_{ji} &=": "a new name on the left; the right sides are still equal",
    },
}
