"""Checks of how translations are counted, and of how attention is measured."""

from fractions import Fraction

import numpy as np

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import size
from transformer_math.trained.date_translator import exact_match, share_on


@check(
    exact_match,
    equation="eq-exact-match",
    symbols={"predicted": "U", "wanted": "Y"},
    oracle="comparing the lists one by one, in fractions",
    cases=60,
)
def exact_match_equals_counting(exact_match, rng):
    N, n = size(rng), size(rng)
    wanted = rng.integers(0, 9, size=(N, n))
    slips = rng.random((N, n)) < 0.5 / n
    predicted = np.where(slips, (wanted + 1) % 9, wanted)
    turned = rng.random(N) < 0.2
    predicted[turned] = wanted[turned, ::-1]
    right = [p == w for p, w in zip(predicted.tolist(), wanted.tolist())]
    return difference(exact_match(predicted, wanted), float(Fraction(sum(right), N)))


@exact_match_equals_counting.rejects(
    "You count right characters; a date with one wrong character is a wrong date."
)
def right_characters(predicted, wanted):
    return float((predicted == wanted).mean())


@exact_match_equals_counting.rejects(
    "You call a date right where any character is right: all of them must be."
)
def any_character(predicted, wanted):
    return float((predicted == wanted).any(axis=1).mean())


@exact_match_equals_counting.rejects(
    "You count the wrong ones; wanted the share of the right ones."
)
def share_of_wrong(predicted, wanted):
    return float((predicted != wanted).any(axis=1).mean())


@exact_match_equals_counting.rejects(
    "You return how many are right; wanted their share, divided by N."
)
def number_of_right(predicted, wanted):
    return float((predicted == wanted).all(axis=1).sum())


@exact_match_equals_counting.rejects(
    "You compare sums: two dates with the same digits in another order have the same sum."
)
def same_sum(predicted, wanted):
    return float((predicted.sum(axis=1) == wanted.sum(axis=1)).mean())


@exact_match_equals_counting.rejects(
    "You compare down the columns: each row is one date, so look along axis 1."
)
def down_the_columns(predicted, wanted):
    return float((predicted == wanted).all(axis=0).mean())


@check(
    share_on,
    equation="eq-share-on",
    oracle="adding the marked weights of each row, one at a time",
)
def share_equals_loop(share_on, rng):
    n, m = size(rng), size(rng)
    A = rng.dirichlet(np.ones(m), size=n)
    A[A.max(axis=1, keepdims=True) / 4 > A] = 0.0  # as under a mask
    A /= A.sum(axis=1, keepdims=True)
    F = rng.random((n, m)) < 0.4
    rows = [sum(A[i, j] for j in range(m) if F[i, j]) for i in range(n)]
    return difference(share_on(A, F), sum(rows) / n)


@share_equals_loop.rejects(
    "You divide by the number of marked places; each row counts the same, so divide by their number n."
)
def mean_of_marked(A, F):
    return float((A * F).sum() / max(F.sum(), 1))


@share_equals_loop.rejects(
    "You divide by all entries; the weights of a row sum to 1, so divide by the rows alone."
)
def mean_of_all(A, F):
    return float((A * F).mean())


@share_equals_loop.rejects(
    "You add what lies outside the marked places; wanted what lies on them."
)
def outside(A, F):
    return float((A * ~F).sum() / len(A))


@share_equals_loop.rejects("You return the sum over the rows; wanted their mean.")
def not_divided(A, F):
    return float((A * F).sum())


@share_equals_loop.rejects(
    "You ask whether the largest weight of a row is marked; wanted how much weight is."
)
def largest_is_marked(A, F):
    return float(F[np.arange(len(A)), A.argmax(axis=1)].mean())


@exact_match_equals_counting.rejects(
    "You ask whether all dates are right; wanted the share of those that are."
)
def all_or_nothing(predicted, wanted):
    return float((predicted == wanted).all())


@share_equals_loop.rejects(
    "You divide by the number of columns; wanted that of the rows, len(A)."
)
def divided_by_the_columns(A, F):
    return float((A * F).sum() / A.shape[1])


@share_equals_loop.rejects(
    "You add all of A Fᵀ; wanted its diagonal alone, where a row meets its own marks."
)
def every_row_with_every_other(A, F):
    return float((A @ F.T).mean())
