"""What the tests of all ideas ask of `tokenization/lattice`."""

import numpy as np
from answer_helpers import from_the_end

from transformer_math.tokenization import forward_sums, n_best_ways


def by_columns(L):
    alpha = np.full(len(L), -np.inf)
    alpha[0] = 0
    for j in range(1, len(L)):
        for i in range(j):
            alpha[j] = np.logaddexp(alpha[j], alpha[i] + L[i, j])
    return alpha


def by_pushing(L):
    alpha = np.full(len(L), -np.inf)
    alpha[0] = 0
    for i in range(len(L)):
        alpha = np.logaddexp(alpha, alpha[i] + L[i])
    return alpha


def maximum_for_sum(L):
    alpha = [0.0]
    for j in range(1, len(L)):
        alpha.append(np.max(alpha + L[:j, j]))
    return np.array(alpha)


def plain_probabilities(L):
    total = [1.0]
    for j in range(1, len(L)):
        total.append(np.dot(total, np.exp(L[:j, j])))
    return np.array(total)


def log_of_the_edges_alone(L):
    return np.array([0.0, *(np.logaddexp.reduce(L[:j, j]) for j in range(1, len(L)))])


def only_characters(L):
    return np.concatenate([[0.0], np.cumsum(np.diagonal(L, 1))])


EXAMPLES = {
    n_best_ways: {"L": np.array([[-np.inf, -3.0], [-np.inf, -np.inf]]), "n": 2},
}

RIGHT = [
    (forward_sums, by_columns),
    (forward_sums, by_pushing),
]

WRONG = [
    (forward_sums, maximum_for_sum, "keep the best way only"),
    (forward_sums, plain_probabilities, "wanted their logarithms"),
    (forward_sums, log_of_the_edges_alone, "come to place i"),
    (forward_sums, from_the_end, "begin at the end"),
    (forward_sums, only_characters, "one character alone"),
]

EQUIVALENT = {
    "forward_sums": {
        "L[0] → L[-1]": "All rows of a lattice have the same length and type.",
    },
    "backward_sums": {
        "L[0] → L[-1]": "All rows of a lattice have the same length and type.",
    },
    "best_scores": {
        "L[0] → L[-1]": "All rows of a lattice have the same length and type.",
    },
}
