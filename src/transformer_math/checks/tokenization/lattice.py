"""Checks of sums over a lattice, against a list of all its ways, and against the inverse of a matrix.

One lattice is so long that no probability of a way through it is a number: there decimals, whose exponents have no end, tell.
"""

from decimal import Decimal
from itertools import combinations, pairwise

import numpy as np

from transformer_math.checks.compare import difference, worst
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import longest, smallest
from transformer_math.tokenization.lattice import (
    backward_sums,
    best_scores,
    edge_posteriors,
    forward_sums,
)


def random_lattice(rng):
    """A lattice of up to seven characters. Some edges are missing; those of single characters are there."""
    n = 0 if smallest() else int(rng.integers(0, 8))
    L = np.full((n + 1, n + 1), -np.inf)
    for i in range(n):
        for j in range(i + 1, n + 1):
            if j == i + 1 or rng.random() < 0.6:
                L[i, j] = -rng.exponential(4.0) * (j - i)
    return L


def long_lattice(n=150, longest=4):
    """A lattice whose ways have probabilities below the smallest number; place 1 is not reached, place n - 1 leads nowhere."""
    rng = np.random.default_rng(150)
    length = np.arange(n + 1) - np.arange(n + 1)[:, None]
    there = (length > 0) & (length <= longest)
    there[0, 1] = there[n - 1, n] = False
    return np.where(there, -length * (6 + rng.exponential(4.0, there.shape)), -np.inf)


LONG = long_lattice()
AN_UNREACHABLE_PLACE = "an unreachable place"
NO_PROBABILITY = "a word whose probability is no number"


def is_unreachable(L):
    """Whether a place has no edge that leads to it."""
    return bool(np.any(np.all(L[:, 1:] == -np.inf, axis=0)))


def is_beyond(L):
    """Whether every way through is less probable than the smallest number says."""
    return len(L) > 1 and bool(np.all(np.max(L[:-1], axis=1).sum() < -750))


def sums_to(L):
    """For each place, the sum of the probabilities of all ways to it, in decimals."""
    sums = [Decimal(1)]
    for j in range(1, len(L)):
        edges = [i for i in range(j) if L[i, j] > -np.inf]
        sums.append(sum((sums[i] * Decimal(L[i, j]).exp() for i in edges), Decimal(0)))
    return sums


def sums_from(L):
    """For each place, the sum of the probabilities of all ways from it to the end: a lattice read backwards."""
    return sums_to(L[::-1, ::-1].T)[::-1]


def log(sums):
    """The logarithms of decimals, as floats."""
    return np.array([float(x.ln()) if x else -np.inf for x in sums])


def last_shares(L):
    """Of all ways to each place, the share that comes over each edge."""
    sums, shares = sums_to(L), np.zeros(L.shape)
    for i, j in np.argwhere(-np.inf < L):
        if sums[j]:
            shares[i, j] = sums[i] * Decimal(L[i, j]).exp() / sums[j]
    return shares


def shares_of_edges(L):
    """Of all ways through the lattice, the share that takes each edge."""
    before, after, shares = sums_to(L), sums_from(L), np.zeros(L.shape)
    for i, j in np.argwhere(-np.inf < L):
        shares[i, j] = before[i] * Decimal(L[i, j]).exp() * after[j] / before[-1]
    return shares


def ways(first, last):
    """All ways between two places, as lists of places: every subset of the places between them."""
    between = range(first + 1, last)
    for size in range(len(between) + 1):
        for cuts in combinations(between, size):
            yield [first, *cuts, last] if first < last else [first]


def probability(L, way):
    """The probability of a way: the product of those of its edges."""
    return np.prod([np.exp(L[i, j]) for i, j in pairwise(way)])


def total(L, first, last):
    """The probability of all ways between two places together, each listed."""
    return sum(probability(L, way) for way in ways(first, last))


@check(
    forward_sums,
    equation="eq-unigram-forward",
    oracle="a list of all segmentations, and the first row of (I − e^L)⁻¹",
)
def forward_equals_enumeration(forward_sums, rng):
    if longest():
        return difference(forward_sums(LONG), log(sums_to(LONG)))
    L = random_lattice(rng)
    alpha = forward_sums(L)
    inverse = np.linalg.inv(np.eye(len(L)) - np.exp(L))
    listed = np.log([total(L, 0, j) for j in range(len(L))])
    return worst([difference(alpha, listed), difference(np.exp(alpha), inverse[0])])


@forward_equals_enumeration.rejects(
    "You go back with exp, add, and take the logarithm: in a long word every exp is 0. Take the largest summand out first, as np.logaddexp does."
)
def logarithm_of_a_sum(L):
    alpha = np.zeros(len(L))
    for j in range(1, len(L)):
        alpha[j] = np.log(np.exp(alpha[:j] + L[:j, j]).sum())
    return alpha


@forward_equals_enumeration.rejects(
    "At a place that cannot be reached you subtract −∞ from −∞, which is NaN: its sum is −∞, the logarithm of 0."
)
def maximum_without_a_guard(L):
    alpha = np.zeros(len(L))
    for j in range(1, len(L)):
        summands = alpha[:j] + L[:j, j]
        top = summands.max()
        alpha[j] = top + np.log(np.exp(summands - top).sum())
    return alpha


@forward_equals_enumeration.rejects(
    "You keep the best way only: α adds up the probabilities of all ways, it takes no maximum."
)
def best_in_place_of_the_sum(L):
    return best_scores(L)


@forward_equals_enumeration.rejects(
    "You add up logarithms: it is the probabilities that are added, so go back with exp, add, and take the logarithm of the sum."
)
def sum_of_logarithms(L):
    alpha = np.zeros(len(L))
    for j in range(1, len(L)):
        ways_in = alpha[:j] + L[:j, j]
        alpha[j] = ways_in[np.isfinite(ways_in)].sum()
    return alpha


@forward_equals_enumeration.rejects(
    "You use the pieces of one character alone: every edge that ends at j leads to it."
)
def single_characters_only(L):
    return np.cumsum([0.0, *(L[j - 1, j] for j in range(1, len(L)))])


@forward_equals_enumeration.rejects(
    "You return probabilities; wanted their logarithms."
)
def without_the_logarithm(L):
    return np.exp(forward_sums(L))


@forward_equals_enumeration.rejects(
    "You forget how probable it is to come to place i: add α_i to the edge from i to j."
)
def last_edge_only(L):
    return np.array([0.0, *(np.logaddexp.reduce(L[:j, j]) for j in range(1, len(L)))])


@forward_equals_enumeration.rejects(
    "You begin at the end: α is the sum over the ways from place 0 to j, and β that from i to the end."
)
def backward_in_place_of_forward(L):
    return backward_sums(L)


@check(
    backward_sums,
    equation="eq-unigram-backward",
    oracle="a list of all segmentations, and the last column of (I − e^L)⁻¹",
)
def backward_equals_enumeration(backward_sums, rng):
    if longest():
        return difference(backward_sums(LONG), log(sums_from(LONG)))
    L = random_lattice(rng)
    beta = backward_sums(L)
    inverse = np.linalg.inv(np.eye(len(L)) - np.exp(L))
    n = len(L) - 1
    listed = np.log([total(L, i, n) for i in range(len(L))])
    return worst([difference(beta, listed), difference(np.exp(beta), inverse[:, -1])])


@backward_equals_enumeration.rejects(
    "You go back with exp, add, and take the logarithm: in a long word every exp is 0. Take the largest summand out first, as np.logaddexp does."
)
def logarithm_of_a_sum_backwards(L):
    beta = np.zeros(len(L))
    for i in reversed(range(len(L) - 1)):
        beta[i] = np.log(np.exp(L[i, i + 1 :] + beta[i + 1 :]).sum())
    return beta


@backward_equals_enumeration.rejects(
    "You begin at place 0: β is the sum over the ways from place i to the end."
)
def forward_in_place_of_backward(L):
    return forward_sums(L)


@backward_equals_enumeration.rejects(
    "Your sums stand in reverse order: β_i belongs to place i, and β_n = 0 is the last."
)
def reversed_order(L):
    return backward_sums(L)[::-1]


@backward_equals_enumeration.rejects(
    "You keep the best way only: β adds up the probabilities of all ways to the end."
)
def best_way_to_the_end(L):
    beta = np.zeros(len(L))
    for i in reversed(range(len(L) - 1)):
        beta[i] = np.max(L[i, i + 1 :] + beta[i + 1 :])
    return beta


@check(
    edge_posteriors,
    equation="eq-unigram-posterior",
    oracle="a list of all segmentations, each weighed by its probability",
)
def posteriors_equal_enumeration(edge_posteriors, rng):
    if longest():
        return difference(edge_posteriors(LONG), shares_of_edges(LONG))
    L = random_lattice(rng)
    n = len(L) - 1
    wanted = np.zeros(L.shape)
    for way in ways(0, n):
        for i, j in pairwise(way):
            wanted[i, j] += probability(L, way) / total(L, 0, n)
    return difference(edge_posteriors(L), wanted)


@posteriors_equal_enumeration.rejects(
    "You multiply and divide probabilities, which are 0 in a long word: add logarithms, and take exp of the whole, α_i + L_ij + β_j − α_n."
)
def posteriors_of_probabilities(L):
    alpha, beta = np.exp(forward_sums(L)), np.exp(backward_sums(L))
    return alpha[:, None] * np.exp(L) * beta / alpha[-1]


@posteriors_equal_enumeration.rejects(
    "Your posteriors do not divide by the word's probability: take away α_n."
)
def not_divided(L):
    return np.exp(forward_sums(L)[:, None] + L + backward_sums(L))


@posteriors_equal_enumeration.rejects(
    "You leave out what comes after the edge: add β_j."
)
def without_what_follows(L):
    alpha = forward_sums(L)
    return np.exp(alpha[:, None] + L - alpha[-1])


@posteriors_equal_enumeration.rejects(
    "You let the edges that leave a place share a probability of 1. A segmentation need not come by that place: α_i belongs in front."
)
def shares_of_each_place(L):
    beta = backward_sums(L)
    return np.exp(L + beta - beta[:, None])


@posteriors_equal_enumeration.rejects(
    "You count the best segmentation alone: every segmentation has a share, as large as its probability."
)
def best_segmentation_only(L):
    gamma, delta, j = np.zeros(L.shape), best_by_relaxing(L), len(L) - 1
    while j > 0:
        i = int(np.argmax(delta[:j] + L[:j, j]))
        gamma[i, j], j = 1.0, i
    return gamma


@posteriors_equal_enumeration.rejects(
    "Your α and β belong to the wrong ends: α to the place where the edge begins, β to the one where it ends."
)
def ends_swapped(L):
    alpha, beta = forward_sums(L), backward_sums(L)
    return np.exp(alpha + L + beta[:, None] - alpha[-1])


def best_by_relaxing(L):
    """The best scores as the longest ways of a graph are found: every edge is tried until nothing grows."""
    best = np.array([0.0, *[-np.inf] * (len(L) - 1)])
    while not np.array_equal(
        best, better := np.maximum(best, (best[:, None] + L).max(0))
    ):
        best = better
    return best


@check(
    best_scores,
    equation="eq-unigram-viterbi",
    oracle="a list of all segmentations",
)
def best_scores_equal_enumeration(best_scores, rng):
    if longest():  # 0 for plus, and the larger one for the sum
        return difference(best_scores(LONG), best_by_relaxing(LONG))
    L = random_lattice(rng)
    wanted = [max(probability(L, way) for way in ways(0, j)) for j in range(len(L))]
    return difference(best_scores(L), np.log(wanted))


@best_scores_equal_enumeration.rejects(
    "You add the ways up: δ keeps the best of them alone."
)
def sum_in_place_of_the_best(L):
    return forward_sums(L)


@best_scores_equal_enumeration.rejects(
    "You take the longest piece that ends at each place; wanted the one that makes the whole way most probable."
)
def longest_piece(L):
    delta = np.zeros(len(L))
    for j in range(1, len(L)):
        i = int(np.flatnonzero(L[:j, j] > -np.inf)[0])
        delta[j] = delta[i] + L[i, j]
    return delta


@best_scores_equal_enumeration.rejects(
    "You choose the piece that is most probable by itself; what the way to its beginning costs counts as well: δ_i + L_ij."
)
def best_last_piece(L):
    delta = np.zeros(len(L))
    for j in range(1, len(L)):
        i = int(np.argmax(L[:j, j]))
        delta[j] = delta[i] + L[i, j]
    return delta


@forward_equals_enumeration.rejects(
    "You return the sum for the whole word alone; wanted one for each place, n + 1 of them."
)
def last_place_alone(L):
    return forward_sums(L)[-1:] if len(L) > 1 else np.zeros(0)


@forward_equals_enumeration.rejects(
    "The place before the word is missing: α_0 = 0, the logarithm of 1, comes first."
)
def without_the_first_place(L):
    return forward_sums(L)[1:]


@forward_equals_enumeration.rejects(
    "You begin with 1; α holds logarithms, and that of 1 is 0."
)
def begun_with_one(L):
    return forward_sums(L) + 1.0


for _check in (
    forward_equals_enumeration,
    backward_equals_enumeration,
    posteriors_equal_enumeration,
    best_scores_equal_enumeration,
):
    _check.visits(AN_UNREACHABLE_PLACE, is_unreachable)
    _check.visits(NO_PROBABILITY, is_beyond)
