"""What the tests of all ideas ask of `tokenization/unigram_training`."""

from collections import Counter

import numpy as np
from example_values import positive

from transformer_math.tokenization import (
    Unigram,
    all_frequent_pieces,
    edge_posteriors,
    em_step,
    expected_counts,
    forward_sums,
    lattice,
    log_likelihood,
    maximise,
    maximise_bayesian,
    most_missed,
    n_best,
    removal_loss,
    viterbi,
)


def counted_by_pieces(word_counts, unigram):
    C = np.zeros(len(unigram.pieces))
    for word, count in word_counts.items():
        gamma = edge_posteriors(lattice(word, unigram))
        for t, piece in enumerate(unigram.pieces):
            for i in range(len(word)):
                if word.startswith(piece, i):
                    C[t] += count * gamma[i, i + len(piece)]
    with np.errstate(divide="ignore"):
        return Unigram(unigram.pieces, np.log(C / C.sum()))


def listed_ways(word_counts, unigram):
    C = Counter()
    for word, count in word_counts.items():
        ways = n_best(word, unigram, 2 ** len(word))
        whole = np.logaddexp.reduce([score for _, score in ways])
        for pieces, score in ways:
            for piece in pieces:
                C[piece] += count * np.exp(score - whole)
    counts = np.array([C[piece] for piece in unigram.pieces])
    with np.errstate(divide="ignore"):
        return Unigram(unigram.pieces, np.log(counts / counts.sum()))


def hard(word_counts, unigram):
    C = Counter()
    for word, count in word_counts.items():
        for piece in viterbi(word, unigram):
            C[piece] += count
    counts = np.array([C[piece] for piece in unigram.pieces]) + 1e-300
    return Unigram(unigram.pieces, np.log(counts / counts.sum()))


def unnormalised(word_counts, unigram):
    counts = expected_counts(word_counts, unigram)
    return Unigram(unigram.pieces, np.log(counts + 1e-300))


def distinct(word_counts, unigram):
    return em_step(dict.fromkeys(word_counts, 1), unigram)


def unchanged(word_counts, unigram):
    return unigram


def no_logarithm(word_counts, unigram):
    counts = expected_counts(word_counts, unigram)
    return Unigram(unigram.pieces, counts / counts.sum())


EXAMPLES = {
    maximise: {"counts": positive[0]},
    all_frequent_pieces: {"word_counts": {"low": 3}, "longest": 2},
    most_missed: {
        "word_counts": {"ab": 3},
        "unigram": Unigram(("a", "b", "ab"), np.log([0.2, 0.3, 0.5])),
        "room": 2,
    },
}

ACCEPTED = {
    removal_loss: {"counts": {"longer"}},
    maximise_bayesian: {"counts": {"longer"}},
    maximise: {"counts": {"longer"}},
}

RIGHT = [
    (em_step, counted_by_pieces),
    (em_step, listed_ways),
]


def without_the_unknown(word_counts, unigram):
    total, score = 0.0, dict(zip(*unigram))
    for word, count in word_counts.items():
        n = len(word)
        L = np.full((n + 1, n + 1), -np.inf)
        for i in range(n):
            for j in range(i + 1, n + 1):
                L[i, j] = score.get(word[i:j], -np.inf)
        total += count * forward_sums(L)[-1]
    return float(total)


WRONG = [
    (log_likelihood, without_the_unknown, "a probability of 0"),
    (em_step, hard, "best segmentations alone"),
    (em_step, unnormalised, "add up to 1"),
    (em_step, distinct, "counts of the words"),
    (em_step, unchanged, "the old probabilities"),
    (em_step, no_logarithm, "holds their logarithms"),
]

EQUIVALENT = {
    "expected_counts": {
        "gamma > 0 → gamma >= 0": "Where the posterior is 0, nothing is added: looking there too costs time alone.",
        "gamma > 0 → gamma > -1": "Where the posterior is 0, nothing is added: looking there too costs time alone.",
    },
    "maximise": {
        "np.errstate(divide='ignore') → np.errstate()": "It keeps NumPy from warning; the logarithm of 0 is -inf all the same.",
    },
    "removal_loss": {
        "after[piece] = 0 → after[piece] = -1": "Counts that are not positive are left out of the sum.",
    },
}
