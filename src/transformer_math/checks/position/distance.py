"""Checks of what is measured by distance, against sums over pairs of places, one by one."""

import numpy as np

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import or_edge, size
from transformer_math.position.distance import (
    mean_attention_distance,
    mean_by_distance,
)


@check(
    mean_by_distance,
    equation="eq-mean-by-distance",
    oracle="lists of Python floats, one for each distance, filled pair by pair",
)
def means_equal_lists(mean_by_distance, rng):
    n_heads, n = size(rng), size(rng)
    S = rng.normal(size=(n_heads, n, n)) * 10 ** rng.uniform(-2, 2)
    wanted = []
    for head in S.tolist():
        found = [[] for _ in range(n)]
        for i in range(n):
            for j in range(i + 1):
                found[i - j].append(head[i][j])
        wanted.append([sum(x) / len(x) for x in found])
    return difference(mean_by_distance(S), wanted)


@means_equal_lists.rejects(
    "You divide by n: at distance d there are n − d pairs, and so fewer the further apart they are."
)
def divided_by_all(S):
    n = S.shape[-1]
    return mean_by_distance(S) * (n - np.arange(n)) / n


@means_equal_lists.rejects(
    "You add up and do not divide: wanted the mean of the n − d pairs."
)
def only_added(S):
    return mean_by_distance(S) * (S.shape[-1] - np.arange(S.shape[-1]))


@means_equal_lists.rejects(
    "You look ahead: in your version the keys stand after the diagonal, after the query. Wanted j = i − d."
)
def future(S):
    return mean_by_distance(S.mT)


@means_equal_lists.rejects("You take both sides: only keys before the query count.")
def both_sides(S):
    return (mean_by_distance(S) + mean_by_distance(S.mT)) / 2


@means_equal_lists.rejects(
    "You take the mean of each column: that is a key’s place, and not how far it stands from the query."
)
def by_column(S):
    return S.mean(axis=-2)


@means_equal_lists.rejects(
    "You look at the last query alone: all queries that have a key so far back count."
)
def last_query(S):
    return S[:, -1, ::-1]


@means_equal_lists.rejects(
    "You begin with the largest distance: entry 0 belongs to distance 0, the diagonal."
)
def from_afar(S):
    return mean_by_distance(S)[:, ::-1]


@means_equal_lists.rejects("You take the median: wanted the mean of the pairs.")
def medians(S):
    n = S.shape[-1]
    return np.stack(
        [np.median(np.diagonal(S, -d, 1, 2), axis=-1) for d in range(n)], -1
    )


def random_weights(rng):
    """Rows that sum to 1, some of them all on one key, and now and then rows of a query that sees nothing; in half of the cases nothing looks ahead."""
    n_heads, n = size(rng), size(rng)
    drawn = rng.exponential(size=(n_heads, n, n)) ** rng.uniform(0.5, 8)
    drawn = np.tril(drawn) if rng.random() < 0.5 else drawn
    seeing = rng.random((n_heads, n, 1)) < or_edge(rng, 0.7, 1.0)
    return seeing * drawn / drawn.sum(axis=-1, keepdims=True)


@check(
    mean_attention_distance,
    equation="eq-mean-attention-distance",
    oracle="Python's abs, pair by pair",
)
def distance_equals_pairs(mean_attention_distance, rng):
    A = random_weights(rng)
    wanted = [
        sum(w * abs(i - j) for i, row in enumerate(head) for j, w in enumerate(row))
        / len(head)
        for head in A.tolist()
    ]
    return difference(mean_attention_distance(A), wanted)


distance_equals_pairs.visits(
    "a query that sees nothing", lambda A: not A.any(axis=-1).all()
)


@distance_equals_pairs.rejects(
    "You divide by the sum of all weights: a query that sees nothing counts among the n, too."
)
def by_the_sum_of_weights(A):
    place = np.arange(A.shape[-1])
    reached = (A * np.abs(place[:, None] - place)).sum(axis=(-2, -1))
    return reached / np.maximum(A.sum(axis=(-2, -1)), 1e-300)


@distance_equals_pairs.rejects(
    "Your distances have a sign, so a key before the query and one after it cancel. Wanted |i − j|."
)
def with_sign(A):
    place = np.arange(A.shape[-1])
    return (A * (place[:, None] - place)).sum(axis=-1).mean(axis=-1)


@distance_equals_pairs.rejects(
    "You measure to the key with the largest weight alone: every key counts, by its weight."
)
def to_the_largest(A):
    return np.abs(A.argmax(axis=-1) - np.arange(A.shape[-1])).mean(axis=-1)


@distance_equals_pairs.rejects(
    "You forget the weights: this is the mean distance of all places, whatever the head does."
)
def without_weights(A):
    place = np.arange(A.shape[-1])
    return np.full(len(A), np.abs(place[:, None] - place).mean())


@distance_equals_pairs.rejects(
    "You divide by n twice: the weights of a row sum to 1 already, so only the queries are averaged."
)
def divided_twice(A):
    return mean_attention_distance(A) / A.shape[-1]


@distance_equals_pairs.rejects("You add the queries up: wanted their mean.")
def added_up(A):
    return mean_attention_distance(A) * A.shape[-1]


@distance_equals_pairs.rejects(
    "A token is at distance 1 from itself in your version; wanted 0."
)
def one_too_far(A):
    return mean_attention_distance(A) + 1


@distance_equals_pairs.rejects(
    "You square the distances: wanted the distances themselves."
)
def squared(A):
    place = np.arange(A.shape[-1])
    return (A * (place[:, None] - place) ** 2).sum(axis=-1).mean(axis=-1)
