"""Checks of the two scores by which induction heads are found."""

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import batch, size
from transformer_math.trained.induction_heads import (
    prefix_matching_score,
    previous_token_score,
)


def causal_weights(rng, n):
    """Weights of several heads, each row over the places up to its own."""
    A = rng.random((*batch(rng), n, n)) * np.tri(n)
    return A / A.sum(axis=-1, keepdims=True)


def tokens_that_return(rng, n):
    """Few different tokens, so that some return; at least one does."""
    ids = rng.integers(0, max(2, n // 2), size=n)
    ids[-1] = ids[rng.integers(n - 1)]
    return ids


@check(
    previous_token_score,
    equation="eq-previous-token",
    oracle="torch.diagonal, offset −1",
)
def previous_equals_torch(previous_token_score, rng):
    A = causal_weights(rng, size(rng, at_least=2))
    wanted = torch.from_numpy(A).diagonal(-1, -2, -1).mean(-1)
    return difference(previous_token_score(A), wanted)


previous_equals_torch.excuses("the first token has none before it", "n = 1")


@previous_equals_torch.rejects(
    "You measure how much each token looks at itself; wanted the token before: A[i, i − 1]."
)
def itself(A):
    return np.diagonal(A, axis1=-2, axis2=-1)[..., 1:].mean(axis=-1)


@previous_equals_torch.rejects(
    "You measure how much each token is looked at by the one before it: rows are queries, so A[i, i − 1], not A[i − 1, i]."
)
def next_token(A):
    return np.diagonal(A, offset=1, axis1=-2, axis2=-1).mean(axis=-1)


@previous_equals_torch.rejects(
    "You divide by n; the first token has no token before it, so there are n − 1 terms."
)
def divided_by_n(A):
    return np.diagonal(A, offset=-1, axis1=-2, axis2=-1).sum(axis=-1) / A.shape[-1]


@previous_equals_torch.rejects("You return the sum; wanted the mean over the rows.")
def not_divided(A):
    return np.diagonal(A, offset=-1, axis1=-2, axis2=-1).sum(axis=-1)


@check(
    prefix_matching_score,
    equation="eq-prefix-matching",
    oracle="looking for each token among those before it, one at a time",
    cases=60,
)
def prefix_equals_loop(prefix_matching_score, rng):
    n = size(rng, at_least=2)
    A, ids = causal_weights(rng, n), tokens_that_return(rng, n)
    rows = []
    for i, token in enumerate(ids):
        places = [j + 1 for j, earlier in enumerate(ids[:i]) if earlier == token]
        if places:
            rows.append(sum(A[..., i, j] for j in places))
    return difference(prefix_matching_score(A, ids), np.mean(rows, axis=0))


def scored(A, ids, offset, rows=None):
    """The mean weight on places so far after an equal token: the material of wrong versions."""
    n = len(ids)
    came_before = np.tri(n, k=-1, dtype=bool) & (ids[:, None] == ids)
    looked_for = np.zeros((n, n), dtype=bool)
    for i, j in zip(*np.nonzero(came_before)):
        if 0 <= j + offset < n:
            looked_for[i, j + offset] = True
    sums = (A * looked_for).sum(axis=-1)
    again = came_before.any(axis=1) if rows is None else rows
    return sums[..., again].mean(axis=-1)


prefix_equals_loop.excuses("no token of one comes twice", "n = 1")


@prefix_equals_loop.rejects(
    "You look at the earlier place of the same token; an induction head looks one place after it, at what came next."
)
def the_token_itself(A, ids):
    return scored(A, ids, 0)


@prefix_equals_loop.rejects(
    "You look one place before the earlier token; an induction head looks one place after it."
)
def the_one_before(A, ids):
    return scored(A, ids, -1)


@prefix_equals_loop.rejects(
    "You average over all tokens; one that never came before has nothing to match, so it does not count."
)
def over_all_rows(A, ids):
    return scored(A, ids, 1, np.ones(len(ids), dtype=bool))


@prefix_equals_loop.rejects(
    "You look right after the last earlier place alone; where a token came several times, all of them count."
)
def last_place_alone(A, ids):
    sums, again = [], []
    for i, token in enumerate(ids):
        places = [j + 1 for j in range(i) if ids[j] == token]
        again.append(bool(places))
        sums.append(A[..., i, places[-1]] if places else 0 * A[..., i, 0])
    return np.stack(sums, axis=-1)[..., np.array(again)].mean(axis=-1)


@prefix_equals_loop.rejects(
    "You return the sum; wanted the mean over the tokens that come again."
)
def summed(A, ids):
    again = [token in ids[:i] for i, token in enumerate(ids)]
    return scored(A, ids, 1) * sum(again)


@prefix_equals_loop.rejects(
    "You take the mean over the marked places of a row; wanted the sum of their weights."
)
def mean_over_the_places(A, ids):
    rows = [
        A[..., i, places].mean(axis=-1)
        for i in range(len(ids))
        if (places := [j for j in range(1, i + 1) if ids[j - 1] == ids[i]])
    ]
    return np.mean(rows, axis=0)
