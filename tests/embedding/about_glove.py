"""What the tests of all ideas ask of `embedding/glove`; `tests/abouts.py` explains the names."""

import numpy as np
from example_values import normal, positive

from transformer_math.embedding import (
    context_probabilities,
    cooccurrences,
    count_neighbours,
    glove_loss,
    glove_weights,
)

EXAMPLES = {
    glove_loss: {
        "X": positive,
        "W": normal(3, 2),
        "W_context": normal(5, 2),
        "b": normal(3),
        "b_context": normal(5),
        "x_max": 2.0,
        "alpha": 0.5,
    },
}

ACCEPTED = {
    cooccurrences: {"ids": {"longer"}},
    context_probabilities: {"X": {"longer"}},
    glove_weights: {"X": {"longer"}, "x_max": {"1.5"}, "alpha": {"1.5"}},
    glove_loss: {"x_max": {"1.5"}, "alpha": {"1.5"}},
}

NO_TWIN = {
    context_probabilities: "counted from a text once, before anything is learned",
    glove_weights: "of counts, which are given; the loss has a twin",
}


def by_slices(ids, vocab_size, window):
    X = np.zeros((vocab_size, vocab_size))
    for k in range(1, window + 1):
        for u, v in zip(ids[:-k], ids[k:]):
            if min(u, v) >= 0:
                X[u, v] += 1 / k
                X[v, u] += 1 / k
    return X


def by_differences(ids, vocab_size, window):
    counts = [
        count_neighbours(ids, vocab_size, vocab_size, k + 1) for k in range(window)
    ]
    steps = np.diff(counts, axis=0, prepend=np.zeros((1, vocab_size, vocab_size)))
    return sum(step / (k + 1) for k, step in enumerate(steps))


def loss_over_pairs(X, W, W_context, b, b_context, x_max=100.0, alpha=0.75):
    i, j = np.nonzero(X)
    x = X[i, j]
    e = np.vecdot(W[i], W_context[j]) + b[i] + b_context[j] - np.log(x)
    return np.sum(np.where(x < x_max, (x / x_max) ** alpha, 1) * e * e)


def loss_with_masked_logarithm(X, W, W_context, b, b_context, x_max=100.0, alpha=0.75):
    with np.errstate(divide="ignore"):
        e = W @ W_context.T + np.add.outer(b, b_context) - np.log(X)
    return np.sum(glove_weights(X, x_max, alpha) * np.where(X > 0, e, 0) ** 2)


RIGHT = [
    (cooccurrences, by_slices),
    (cooccurrences, by_differences),
    (glove_weights, lambda X, m=100.0, a=0.75: np.where(m > X, (X / m) ** a, 1)),
    (glove_weights, lambda X, m=100.0, a=0.75: np.minimum((X / m) ** a, 1).tolist()),
    (glove_loss, loss_over_pairs),
    (glove_loss, loss_with_masked_logarithm),
]

WRONG = [
    (cooccurrences, lambda ids, V, w: count_neighbours(ids, V, V, w), "distance"),
    (cooccurrences, lambda ids, V, w: np.triu(cooccurrences(ids, V, w)), "it gave"),
    (cooccurrences, lambda ids, V, w: cooccurrences(ids, V, w + 1), "it gave"),
    (cooccurrences, lambda ids, V, w: 2 * cooccurrences(ids, V, w), "it gave"),
    (cooccurrences, lambda ids, V, w: np.round(cooccurrences(ids, V, w)), "it gave"),
    (glove_weights, lambda X, m=100.0, a=0.75: X / m, "it gave"),
    (glove_weights, lambda X, m=100.0, a=0.75: np.minimum(X / m, 1), "power"),
    (
        glove_weights,
        lambda X, m=100.0, a=0.75: np.minimum(X / m, 1) ** (1 / a),
        "it gave",
    ),
    (glove_weights, lambda X, m=100.0, a=0.75: np.minimum(X / 100, 1) ** a, "x_max"),
    (
        glove_weights,
        lambda X, m=100.0, a=0.75: 1 - np.minimum(X / m, 1) ** a,
        "it gave",
    ),
    (
        glove_loss,
        lambda X, W, C, b, c, m=100.0, a=0.75: glove_loss(X, W, C, 0 * b, c, m, a),
        "it gave",
    ),
    (
        glove_loss,
        lambda X, W, C, b, c, m=100.0, a=0.75: glove_loss(X, W, C, 0 * b, 0 * c, m, a),
        "biases",
    ),
    (
        glove_loss,
        lambda X, W, C, b, c, m=100.0, a=0.75: glove_loss(X, W, C, b, c),
        "it gave",
    ),
    (
        glove_loss,
        lambda X, W, C, b, c, m=100.0, a=0.75: -glove_loss(X, W, C, b, c, m, a),
        "it gave",
    ),
    (
        glove_loss,
        lambda X, W, C, b, c, m=100.0, a=0.75: glove_loss(X, W, C, b, c, m, a) ** 0.5,
        "it gave",
    ),
]

EQUIVALENT_FORMULAS = {
    "eq-glove-weights": {
        "x \\le x_{\\text{max}}": "at x_max the power is 1 as well",
    },
}

EQUIVALENT = {
    "glove_loss": {
        "np.where(X > 0, X, 1) → np.where(X > 0, X, 2)": "The weight of a pair that was never counted is 0, whatever stands in its logarithm.",
    },
}
