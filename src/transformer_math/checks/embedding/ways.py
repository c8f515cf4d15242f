"""Checks of what compares word vectors: against a least-squares fit, and against counting pair by pair."""

import math

import numpy as np

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import or_edge, size
from transformer_math.embedding.ways import plane_of_question, rank_correlation


@check(
    plane_of_question,
    equation="eq-plane-of-question",
    symbols={"W": "W", "return": "Y"},
    oracle="NumPy's least squares and QR: each vector's nearest point in the plane, and how long its sides are",
)
def plane_equals_nearest_points(plane_of_question, rng):
    d, V = size(rng, at_least=2), size(rng, at_least=3)
    W = rng.normal(size=(V, d)) * 10 ** rng.uniform(-3, 3) + rng.normal(size=d)
    a, b, c = (int(k) for k in rng.permutation(V)[:3])
    sides = np.stack([W[b] - W[a], W[c] - W[a]], axis=1)
    parts = np.linalg.lstsq(sides, (W - W[a]).T, rcond=None)[0]
    _, R = np.linalg.qr(sides)
    upright = R * np.sign(np.diag(R))[:, None]
    return difference(plane_of_question(W, a, b, c), (upright @ parts).T)


plane_equals_nearest_points.excuses(
    "three words that span a plane are three vectors of two dimensions",
    "V = 1",
    "d = 1",
)


@plane_equals_nearest_points.rejects(
    "Your second direction is not at right angles to the first: take from c − a what lies along b − a."
)
def oblique(W, a, b, c):
    u = (W[b] - W[a]) / np.linalg.norm(W[b] - W[a])
    v = (W[c] - W[a]) / np.linalg.norm(W[c] - W[a])
    return (W - W[a]) @ np.stack([u, v], axis=1)


@plane_equals_nearest_points.rejects(
    "Your directions are not of length 1: the picture is stretched. Divide each by its length."
)
def stretched(W, a, b, c):
    sides = np.array([np.linalg.norm(W[b] - W[a]), 1.0])
    return plane_of_question(W, a, b, c) * sides


@plane_equals_nearest_points.rejects(
    "The first word does not stand at 0, 0: measure everything from W_a."
)
def from_the_origin(W, a, b, c):
    return (
        plane_of_question(W, a, b, c)
        - plane_of_question(np.vstack([W, 0 * W[:1]]), a, b, c)[-1]
    )


@plane_equals_nearest_points.rejects(
    "Your axes are exchanged: the first runs from a to b, the second towards c."
)
def axes_exchanged(W, a, b, c):
    return plane_of_question(W, a, b, c)[:, ::-1]


@plane_equals_nearest_points.rejects(
    "You exchanged b and c: the first axis runs from a to b."
)
def words_exchanged(W, a, b, c):
    return plane_of_question(W, a, c, b)


@plane_equals_nearest_points.rejects(
    "Your second axis points away from c: v itself gives the direction, and not −v."
)
def upside_down(W, a, b, c):
    return plane_of_question(W, a, b, c) * [1, -1]


def ranked(numbers):
    """For each number how many are below it, and half of those that are equal."""
    return [
        sum(o < x for o in numbers) + sum(o == x for o in numbers) / 2 for x in numbers
    ]


@check(
    rank_correlation,
    equation="eq-rank-correlation",
    symbols={"x": "x", "y": "y", "return": "rho"},
    oracle="Pearson's correlation of ranks that are counted pair by pair",
)
def correlation_equals_counted_ranks(rank_correlation, rng):
    n = size(rng, at_least=2)
    x, y = rng.normal(size=(2, n)) ** 3
    if rng.random() < 0.5:
        x, y = (rng.integers(0, 3, size=n).astype(float) for _ in range(2))
    x[:2], y[:2] = (0.0, 1.0), rng.permutation([0.0, 1.0])
    x = x * or_edge(rng, 1e200, 1.0)
    one, other = (ranked(z.tolist()) for z in (x, y))
    a, b = ([r - n / 2 for r in ranks] for ranks in (one, other))
    wanted = sum(p * q for p, q in zip(a, b)) / math.sqrt(
        sum(p * p for p in a) * sum(q * q for q in b)
    )
    return difference(rank_correlation(x, y), wanted)


correlation_equals_counted_ranks.excuses(
    "a single number cannot differ from another", "n = 1"
)


@correlation_equals_counted_ranks.rejects(
    "You correlate the numbers themselves: wanted the correlation of their ranks, on which only the order counts."
)
def of_the_numbers(x, y):
    with np.errstate(over="ignore", invalid="ignore"):
        return float(np.corrcoef(x, y)[0, 1])


@correlation_equals_counted_ranks.rejects(
    "Equal numbers get different ranks in your version: they share the mean of their ranks."
)
def ties_by_place(x, y):
    first, second = (np.argsort(np.argsort(z)) for z in (x, y))
    return float(np.corrcoef(first, second)[0, 1])


@correlation_equals_counted_ranks.rejects(
    "You sort once: argsort tells where the smallest stands, and not which rank a number has. Sort the order again."
)
def sorted_once(x, y):
    return float(np.corrcoef(np.argsort(x), np.argsort(y))[0, 1])


@correlation_equals_counted_ranks.rejects(
    "You sort from large to small in one of the lists: the sign turns round."
)
def one_turned_round(x, y):
    return -rank_correlation(x, y)


@correlation_equals_counted_ranks.rejects(
    "You correlate x with itself: that is 1 whatever y is. Rank y too, and correlate the two lists of ranks."
)
def with_itself(x, y):
    return rank_correlation(x, x)


@correlation_equals_counted_ranks.rejects(
    "You square the correlation: its sign is lost."
)
def squared(x, y):
    return rank_correlation(x, y) ** 2


@correlation_equals_counted_ranks.rejects(
    "You count pairs that are in the same order: that is Kendall’s measure, and not Spearman’s."
)
def kendall(x, y):
    signs = np.sign(np.subtract.outer(x, x)) * np.sign(np.subtract.outer(y, y))
    pairs = (
        np.count_nonzero(np.subtract.outer(x, x)),
        np.count_nonzero(np.subtract.outer(y, y)),
    )
    return float(signs.sum() / np.sqrt(pairs[0] * pairs[1]))
