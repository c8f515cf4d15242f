"""What people write who solve the exercises on Unigram and on subword regularisation."""

from collections import Counter
from itertools import combinations

import numpy as np

from transformer_math.tokenization import (
    Unigram,
    dropout_probabilities,
    edge_posteriors,
    em_step,
    expected_counts,
    forward_sums,
    last_edge_probabilities,
    lattice,
    n_best,
    sample_segmentation,
    tempered,
    viterbi,
)


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


def from_the_end(L):
    beta = np.zeros(len(L))
    for i in reversed(range(len(L) - 1)):
        beta[i] = np.logaddexp.reduce(L[i, i + 1 :] + beta[i + 1 :])
    return beta


def only_characters(L):
    return np.concatenate([[0.0], np.cumsum(np.diagonal(L, 1))])


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


def column_by_column(L, temperature=1.0):
    scaled, q = L / temperature, np.zeros(L.shape)
    alpha = forward_sums(scaled)
    for j in range(1, len(L)):
        ways = np.exp(alpha[:j] + scaled[:j, j])
        q[:j, j] = ways / ways.sum()
    return q


def by_softmax(L, temperature=1.0):
    scaled = L / temperature
    ways = forward_sums(scaled)[:, None] + scaled
    ways[:, 0] = -np.inf
    largest = np.where(np.isfinite(ways.max(axis=0)), ways.max(axis=0), 0)
    powers = np.exp(ways - largest)
    return powers / np.maximum(powers.sum(axis=0), 1e-300)


def cold_sums(L, temperature=1.0):
    alpha = forward_sums(L)
    ways = np.exp((alpha[:, None] + L) / temperature)
    return ways / np.maximum(ways.sum(axis=0), 1e-300)


def edges_only(L, temperature=1.0):
    powers = np.exp(L / temperature)
    return powers / np.maximum(powers.sum(axis=0), 1e-300)


def posterior(L, temperature=1.0):
    return edge_posteriors(L / temperature)


def times_temperature(L, temperature=1.0):
    return last_edge_probabilities(L, 1 / temperature)


def by_rows(L, temperature=1.0):
    return last_edge_probabilities(L, temperature).T


def one_by_one(n, dropout):
    out, left = [], 1.0
    for _ in range(n):
        out.append(left * (1 - dropout))
        left *= dropout
    return np.array([*out, left])


def by_cumulation(n, dropout):
    reached = np.append(dropout ** np.arange(n + 1.0), 0)
    return reached[:-1] - reached[1:]


def turned(n, dropout):
    return dropout_probabilities(n, 1 - dropout)


def without_the_end(n, dropout):
    return (1 - dropout) * dropout ** np.arange(n)


def end_like_the_others(n, dropout):
    return (1 - dropout) * dropout ** np.arange(n + 1)


def equal_shares(n, dropout):
    return np.append(np.full(n, (1 - dropout**n) / n), dropout**n)


def one_drop_for_all(n, dropout):
    return np.array([1 - dropout, *[0.0] * (n - 1), dropout])


def forwards_with_backward_sums(word, unigram, rng, temperature=1.0):
    L, cuts = lattice(word, unigram) / temperature, [0]
    beta = from_the_end(L)
    while cuts[-1] < len(word):
        weights = np.exp(L[cuts[-1]] + beta - beta[cuts[-1]])
        cuts.append(int(rng.choice(len(weights), p=weights / weights.sum())))
    return [word[a:b] for a, b in zip(cuts, cuts[1:])]


def from_the_list(word, unigram, rng, temperature=1.0):
    ways = n_best(word, unigram, 2 ** len(word))
    powers = np.exp(np.array([score for _, score in ways]) / temperature)
    return ways[rng.choice(len(ways), p=powers / powers.sum())][0]


def nothing_ahead(word, unigram, rng, temperature=1.0):
    L, cuts = lattice(word, unigram) / temperature, [0]
    while cuts[-1] < len(word):
        weights = np.exp(L[cuts[-1]])
        cuts.append(int(rng.choice(len(weights), p=weights / weights.sum())))
    return [word[a:b] for a, b in zip(cuts, cuts[1:])]


def the_best(word, unigram, rng, temperature=1.0):
    return viterbi(word, unigram)


def uniform(word, unigram, rng, temperature=1.0):
    ways = n_best(word, unigram, 2 ** len(word))
    return ways[rng.integers(len(ways))][0]


def weighed(word, unigram, rng, weights):
    ways = n_best(word, unigram, 2 ** len(word))
    p = np.exp(weights(np.array([score for _, score in ways])))
    return ways[rng.choice(len(ways), p=p / p.sum())][0]


def cold_list(word, unigram, rng, temperature=1.0):
    return weighed(word, unigram, rng, lambda scores: scores)


def by_gumbel(word, unigram, rng, temperature=1.0):
    ways = n_best(word, unigram, 2 ** len(word))
    scores = np.array([score for _, score in ways]) / temperature
    return ways[np.argmax(scores + rng.gumbel(size=len(scores)))][0]


def three_best(word, unigram, rng, temperature=1.0):
    ways = n_best(word, unigram, 3)
    p = tempered(np.exp([score for _, score in ways]), temperature)
    return ways[rng.choice(len(ways), p=p)][0]


def from_a_seed_of_its_own(word, unigram, rng, temperature=1.0):
    return sample_segmentation(word, unigram, np.random.default_rng(0), temperature)


def backwards(word, rng, shares):
    cuts = [len(word)]
    while cuts[-1] > 0:
        cuts.append(int(rng.choice(len(shares), p=shares[:, cuts[-1]])))
    return [word[a:b] for b, a in zip(cuts, cuts[1:])][::-1]


def edges_backwards(word, unigram, rng, temperature=1.0):
    powers = np.exp(lattice(word, unigram) / temperature)
    return backwards(word, rng, powers / np.maximum(powers.sum(axis=0), 1e-300))


def by_posteriors(word, unigram, rng, temperature=1.0):
    return backwards(word, rng, edge_posteriors(lattice(word, unigram) / temperature))


def turned_round(word, unigram, rng, temperature=1.0):
    return sample_segmentation(word, unigram, rng, temperature)[::-1]


def in_ids(word, unigram, rng, temperature=1.0):
    pieces = sample_segmentation(word, unigram, rng, temperature)
    return [unigram.pieces.index(piece) for piece in pieces]


def always_at_one(word, unigram, rng, temperature=1.0):
    return sample_segmentation(word, unigram, rng)


def hot_for_cold(word, unigram, rng, temperature=1.0):
    return sample_segmentation(word, unigram, rng, 1 / temperature)


def tempered_by_logarithms(probabilities, temperature=1.0):
    logs = np.log(probabilities) / temperature
    return np.exp(logs - np.logaddexp.reduce(logs))


def tempered_by_loop(probabilities, temperature=1.0):
    powers = [p ** (1 / temperature) for p in probabilities]
    return [power / sum(powers) for power in powers]


RIGHT = [
    (tempered, tempered_by_logarithms),
    (tempered, tempered_by_loop),
    (forward_sums, by_columns),
    (forward_sums, by_pushing),
    (viterbi, first_of_the_best),
    (viterbi, pushing_viterbi),
    (em_step, counted_by_pieces),
    (em_step, listed_ways),
    (last_edge_probabilities, column_by_column),
    (last_edge_probabilities, by_softmax),
    (dropout_probabilities, one_by_one),
    (dropout_probabilities, by_cumulation),
    (sample_segmentation, forwards_with_backward_sums),
    (sample_segmentation, from_the_list),
    (sample_segmentation, by_gumbel),
]
WRONG = [
    (
        tempered,
        lambda p, temperature=1.0: p**temperature / (p**temperature).sum(),
        "the wrong way",
    ),
    (tempered, lambda p, temperature=1.0: p ** (1 / temperature), "Divide by the sum"),
    (
        tempered,
        lambda p, temperature=1.0: p / temperature / p.sum() * temperature,
        "changes nothing",
    ),
    (
        tempered,
        lambda p, T=1.0: np.exp(p / T) / np.exp(p / T).sum(),
        "take their logarithms",
    ),
    (
        tempered,
        lambda p, T=1.0: (p / p.sum()) ** (1 / T),
        "Divide by the sum of the powers",
    ),
    (tempered, lambda p: p / p.sum(), "takes 1 of 2 arguments"),
    (forward_sums, maximum_for_sum, "keep the best way only"),
    (forward_sums, plain_probabilities, "wanted their logarithms"),
    (forward_sums, log_of_the_edges_alone, "come to place i"),
    (forward_sums, from_the_end, "begin at the end"),
    (forward_sums, only_characters, "one character alone"),
    (viterbi, greedy, "longest piece that fits"),
    (viterbi, reversed_viterbi, "reverse order"),
    (viterbi, shorter_wins, "shortest last piece"),
    (viterbi, no_penalty, "10 nats more"),
    (viterbi, fewest, "fewest pieces"),
    (em_step, hard, "best segmentations alone"),
    (em_step, unnormalised, "add up to 1"),
    (em_step, distinct, "counts of the words"),
    (em_step, unchanged, "the old probabilities"),
    (em_step, no_logarithm, "holds their logarithms"),
    (last_edge_probabilities, cold_sums, "those of L / T"),
    (last_edge_probabilities, edges_only, "edge alone"),
    (last_edge_probabilities, posterior, "take away α_j"),
    (last_edge_probabilities, times_temperature, "divide by it"),
    (last_edge_probabilities, by_rows, "transpose"),
    (dropout_probabilities, turned, "swap the two"),
    (dropout_probabilities, without_the_end, "last entry is missing"),
    (dropout_probabilities, end_like_the_others, "one more merge"),
    (dropout_probabilities, equal_shares, "alike"),
    (dropout_probabilities, one_drop_for_all, "One draw decides"),
    (sample_segmentation, nothing_ahead, "how the rest can be written"),
    (sample_segmentation, the_best, "draw one"),
    (sample_segmentation, uniform, "draw all segmentations alike"),
    (sample_segmentation, from_a_seed_of_its_own, "never draw from the generator"),
    (sample_segmentation, cold_list, "do not ask the temperature"),
    (sample_segmentation, edges_backwards, "α_i belongs to the share"),
    (sample_segmentation, turned_round, "in reverse order"),
    (sample_segmentation, by_posteriors, "do not add up to 1"),
    (sample_segmentation, in_ids, "Your lists hold int; wanted str"),
    (sample_segmentation, three_best, "draws; wanted about"),
    (sample_segmentation, always_at_one, "do not ask the temperature"),
    (sample_segmentation, hot_for_cold, "the other way round"),
]
