"""What the tests of all ideas ask of `tokenization/unigram`."""

from itertools import combinations

import numpy as np

from transformer_math.tokenization import (
    Unigram,
    encode_unigram,
    lattice,
    lattices,
    n_best,
    viterbi,
)


def first_of_the_best(word, unigram):
    return n_best(word, unigram, 1)[0][0]


def pushing_viterbi(word, unigram):
    score = dict(zip(unigram.pieces, unigram.log_probabilities))
    unknown = min(score.values()) - 10
    best = [(0.0, [])] + [(-np.inf, [])] * len(word)
    for i, j in combinations(range(len(word) + 1), 2):
        own = score.get(word[i:j], unknown if j == i + 1 else -np.inf)
        if best[i][0] + own > best[j][0]:
            best[j] = best[i][0] + own, [*best[i][1], word[i:j]]
    return best[-1][1]


def greedy(word, unigram):
    out, known = [], {*unigram.pieces, *word}
    while word:
        out.append(max((p for p in known if word.startswith(p)), key=len))
        word = word[len(out[-1]) :]
    return out


def reversed_viterbi(word, unigram):
    return viterbi(word, unigram)[::-1]


def shorter_wins(word, unigram):
    score = dict(zip(unigram.pieces, unigram.log_probabilities))
    unknown = min(score.values()) - 10
    best = [(0.0, [])] + [(-np.inf, [])] * len(word)
    for j in range(1, len(word) + 1):
        for i in range(j):
            own = score.get(word[i:j], unknown if j == i + 1 else -np.inf)
            if best[i][0] + own >= best[j][0]:
                best[j] = best[i][0] + own, [*best[i][1], word[i:j]]
    return best[-1][1]


def no_penalty(word, unigram):
    score = dict(zip(unigram.pieces, unigram.log_probabilities))
    unknown = min(score.values())
    best = [(0.0, [])] + [(-np.inf, [])] * len(word)
    for j in range(1, len(word) + 1):
        for i in range(j):
            own = score.get(word[i:j], unknown if j == i + 1 else -np.inf)
            if best[i][0] + own > best[j][0]:
                best[j] = best[i][0] + own, [*best[i][1], word[i:j]]
    return best[-1][1]


def fewest(word, unigram):
    known = {*unigram.pieces, *word}
    best = [[]] + [None] * len(word)
    for j in range(1, len(word) + 1):
        ways = [[*best[i], word[i:j]] for i in range(j) if word[i:j] in known]
        best[j] = min(ways, key=len)
    return best[-1]


pieces = Unigram(("a", "b", "ab"), np.log([0.5, 0.25, 0.25]))


EXAMPLES = {
    encode_unigram: {"words": ["ab", "b"], "unigram": pieces},
    lattices: {"words": ["ab", "b"], "unigram": pieces},
    lattice: {"word": "ab", "unigram": pieces},
    n_best: {"word": "ab", "unigram": pieces, "n": 2},
}

RIGHT = [
    (viterbi, first_of_the_best),
    (viterbi, pushing_viterbi),
]

WRONG = [
    (viterbi, greedy, "longest piece that fits"),
    (viterbi, reversed_viterbi, "reverse order"),
    (viterbi, shorter_wins, "shortest last piece"),
    (viterbi, no_penalty, "10 nats more"),
    (viterbi, fewest, "fewest pieces"),
]

EQUIVALENT = {
    "_scores_of": {
        "range(1, len(piece)) → range(0, len(piece))": "A piece's own score takes the place of the -inf of what only ends a piece.",
    },
    "_best_ways": {
        "[0.0] → [1.0]": "A constant added to all scores leaves the best way the best.",
        "[0] → [1]": "The way back ends at the first place and does not ask where that came from.",
        "[0] → [-1]": "The way back ends at the first place and does not ask where that came from.",
        "_shared(before, word) → _shared(word, before)": "What two words have in common does not depend on which comes first.",
        "len(word) + 1 → len(word) + 2": "One place after the end is looked at too, and nothing goes back to it.",
    },
}
