"""How the formulas of Unigram's training are read: words become lattices, pieces become ids."""

from itertools import combinations, pairwise

import numpy as np

from transformer_math.formulas.reading import calls_reading, reading
from transformer_math.formulas.tokenization.regularisation import LISTED
from transformer_math.tokenization.lattice import edge_posteriors
from transformer_math.tokenization.unigram import lattice
from transformer_math.tokenization.unigram_training import expected_counts


@reading("eq-unigram-likelihood")
def segmentations_listed(a, outputs, arguments):
    """P_ws is the probability of segmentation s of word w, 0 where it has no such segmentation."""
    unigram, counts = arguments["unigram"], arguments["word_counts"]
    if max(map(len, counts)) > LISTED:
        return
    rows = [_listed(lattice(word, unigram)) for word in counts]
    P = np.zeros((len(rows), max(map(len, rows))))
    for w, row in enumerate(rows):
        P[w, : len(row)] = row
    yield {"c": np.array(list(counts.values())), "P": P}, {"result": outputs[0]}


def _listed(L):
    n = len(L) - 1
    ways = (
        (0, *cuts, n) for size in range(n) for cuts in combinations(range(1, n), size)
    )
    return [np.exp(sum(L[i, j] for i, j in pairwise(way))) for way in ways]


@reading("eq-unigram-counts")
def posteriors_of_all_words(a, outputs, arguments):
    """γ has a matrix for each word, x the ids of its pieces, -1 where there is none."""
    unigram, counts = arguments["unigram"], arguments["word_counts"]
    size = 1 + max(map(len, counts))
    gamma, x = (
        np.zeros((len(counts), size, size)),
        np.full((len(counts), size, size), -1),
    )
    for w, word in enumerate(counts):
        own = edge_posteriors(lattice(word, unigram))
        gamma[w, : len(own), : len(own)] = own
        for i, j in combinations(range(len(own)), 2):
            if word[i:j] in unigram.pieces:
                x[w, i, j] = unigram.pieces.index(word[i:j])
    c = np.array(list(counts.values()))
    given = {"gamma": gamma, "x": x, "c": c, "V": len(unigram.pieces)}
    yield given, {"C[]": outputs[0]}


@calls_reading("eq-unigram-em")
def shares_of_counts(calls):
    """C are the expected counts under the old probabilities; the function returns pieces and logarithms."""
    for call in calls:
        C = expected_counts(*call.arguments)
        yield {"C": C}, {"p'[]": np.exp(call.output.log_probabilities)}


@reading("eq-unigram-digamma")
def shares_below_counts(a, outputs, arguments):
    """The function returns logarithms."""
    yield {"C": arguments["counts"]}, {"p'[]": np.exp(outputs[0])}


@reading("eq-unigram-loss")
def counts_of_pieces(a, outputs, arguments):
    """n_u says how often the alternative holds piece u."""
    C = np.asarray(arguments["counts"], float)
    n = np.bincount(arguments["alternative"], minlength=len(C))
    yield {"C": C, "n": n, "t": arguments["piece"]}, {"Delta": outputs[0]}
