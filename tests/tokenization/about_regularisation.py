"""What the tests of all ideas ask of `tokenization/regularisation`."""

import numpy as np
from answer_helpers import from_the_end

from transformer_math.tokenization import (
    dropout_probabilities,
    edge_posteriors,
    encode_with_dropout,
    forward_sums,
    last_edge_probabilities,
    lattice,
    n_best,
    sample_segmentation,
    tempered,
    viterbi,
)


def column_by_column(L, temperature=1.0):
    scaled, q = L / temperature, np.zeros(L.shape)
    alpha = forward_sums(scaled)
    for j in range(1, len(L)):
        if alpha[j] > -np.inf:
            q[:j, j] = np.exp(alpha[:j] + scaled[:j, j] - alpha[j])
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


def forwards(word, L, rng):
    cuts, beta = [0], from_the_end(L)
    while cuts[-1] < len(word):
        weights = np.exp(L[cuts[-1]] + beta - beta[cuts[-1]])
        cuts.append(int(rng.choice(len(weights), p=weights / weights.sum())))
    return [word[a:b] for a, b in zip(cuts, cuts[1:])]


def forwards_with_backward_sums(word, unigram, rng, temperature=1.0):
    return forwards(word, lattice(word, unigram) / temperature, rng)


def by_gumbel(word, unigram, rng, temperature=1.0):
    """The largest of the scores with Gumbel noise is drawn as softmax would draw it."""
    L = lattice(word, unigram) / temperature
    scores, cuts = forward_sums(L)[:, None] + L, [len(word)]
    while cuts[-1] > 0:
        into = scores[:, cuts[-1]]
        cuts.append(int(np.argmax(into + rng.gumbel(size=len(into)))))
    return [word[a:b] for b, a in zip(cuts, cuts[1:])][::-1]


def nothing_ahead(word, unigram, rng, temperature=1.0):
    L, cuts = lattice(word, unigram) / temperature, [0]
    while cuts[-1] < len(word):
        weights = np.exp(L[cuts[-1]])
        cuts.append(int(rng.choice(len(weights), p=weights / weights.sum())))
    return [word[a:b] for a, b in zip(cuts, cuts[1:])]


def the_best(word, unigram, rng, temperature=1.0):
    return viterbi(word, unigram)


def uniform(word, unigram, rng, temperature=1.0):
    there = lattice(word, unigram) > -np.inf
    return forwards(word, np.where(there, 0.0, -np.inf), rng)


def never_tempered(word, unigram, rng, temperature=1.0):
    return forwards(word, lattice(word, unigram), rng)


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
    powers = [(p / max(probabilities)) ** (1 / temperature) for p in probabilities]
    return [power / sum(powers) for power in powers]


ACCEPTED = {
    tempered: {"probabilities": {"longer"}},
    dropout_probabilities: {"dropout": {"0"}},
    encode_with_dropout: {"dropout": {"0"}, "chunk": {"empty"}},
}

RIGHT = [
    (tempered, tempered_by_logarithms),
    (tempered, tempered_by_loop),
    (last_edge_probabilities, column_by_column),
    (last_edge_probabilities, by_softmax),
    (dropout_probabilities, one_by_one),
    (dropout_probabilities, by_cumulation),
    (sample_segmentation, forwards_with_backward_sums),
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
    (sample_segmentation, never_tempered, "do not ask the temperature"),
    (sample_segmentation, edges_backwards, "α_i belongs to the share"),
    (sample_segmentation, turned_round, "in reverse order"),
    (sample_segmentation, by_posteriors, "do not add up to 1"),
    (sample_segmentation, in_ids, "Your lists hold int; wanted str"),
    (sample_segmentation, three_best, "draws; wanted about"),
    (sample_segmentation, always_at_one, "do not ask the temperature"),
    (sample_segmentation, hot_for_cold, "the other way round"),
]

EQUIVALENT = {
    "last_edge_probabilities": {
        "np.where(alpha > -np.inf, alpha, 0.0) → np.where(alpha > -np.inf, alpha, 1.0)": "No way leads there: exp(-inf) is 0, whatever is taken from -inf.",
    },
}
