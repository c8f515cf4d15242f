"""Checks of sums over a lattice, against a list of all its ways, and against the inverse of a matrix."""

from itertools import combinations, pairwise

import numpy as np

from transformer_math.checks.compare import difference, worst
from transformer_math.checks.registry import check
from transformer_math.tokenization.lattice import (
    backward_sums,
    best_scores,
    edge_posteriors,
    forward_sums,
)


def random_lattice(rng):
    """A lattice of up to seven characters. Some edges are missing; those of single characters are there."""
    n = int(rng.integers(0, 8))
    L = np.full((n + 1, n + 1), -np.inf)
    for i in range(n):
        for j in range(i + 1, n + 1):
            if j == i + 1 or rng.random() < 0.6:
                L[i, j] = -rng.exponential(4.0) * (j - i)
    return L


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
    L = random_lattice(rng)
    alpha = forward_sums(L)
    inverse = np.linalg.inv(np.eye(len(L)) - np.exp(L))
    listed = np.log([total(L, 0, j) for j in range(len(L))])
    return worst([difference(alpha, listed), difference(np.exp(alpha), inverse[0])])


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
    L = random_lattice(rng)
    beta = backward_sums(L)
    inverse = np.linalg.inv(np.eye(len(L)) - np.exp(L))
    n = len(L) - 1
    listed = np.log([total(L, i, n) for i in range(len(L))])
    return worst([difference(beta, listed), difference(np.exp(beta), inverse[:, -1])])


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
    L = random_lattice(rng)
    n = len(L) - 1
    wanted = np.zeros(L.shape)
    for way in ways(0, n):
        for i, j in pairwise(way):
            wanted[i, j] += probability(L, way) / total(L, 0, n)
    return difference(edge_posteriors(L), wanted)


@posteriors_equal_enumeration.rejects(
    "Your posteriors do not divide by the word's probability: take away α_n."
)
def not_divided(L):
    return np.exp(forward_sums(L)[:, None] + L + backward_sums(L))


@posteriors_equal_enumeration.rejects(
    "You leave out what comes behind the edge: add β_j."
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
    n = len(L) - 1
    best = max(ways(0, n), key=lambda way: probability(L, way))
    gamma = np.zeros(L.shape)
    for i, j in pairwise(best):
        gamma[i, j] = 1.0
    return gamma


@posteriors_equal_enumeration.rejects(
    "Your α and β belong to the wrong ends: α to the place where the edge begins, β to the one where it ends."
)
def ends_swapped(L):
    alpha, beta = forward_sums(L), backward_sums(L)
    return np.exp(alpha + L + beta[:, None] - alpha[-1])


@check(
    best_scores,
    equation="eq-unigram-viterbi",
    oracle="a list of all segmentations",
)
def best_scores_equal_enumeration(best_scores, rng):
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
