"""Checks of sampled segmentations: shares of all segmentations listed, and a chi-squared test of what is drawn."""

from collections import Counter
from decimal import Decimal
from itertools import pairwise

import numpy as np

from transformer_math.checks.compare import difference, worst
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import longest, smallest, sometimes
from transformer_math.checks.tokenization.bpe import learnt_bpe, random_words
from transformer_math.checks.tokenization.lattice import (
    AN_UNREACHABLE_PLACE,
    LONG,
    is_unreachable,
    last_shares,
    probability,
    random_lattice,
    ways,
)
from transformer_math.checks.tokenization.unigram import (
    huggingface_unigram,
    random_unigram,
    segmentations,
)
from transformer_math.checks.tokenization.unigram import probability as of_pieces
from transformer_math.tokenization.bpe import BPE, train_bpe
from transformer_math.tokenization.lattice import edge_posteriors, forward_sums
from transformer_math.tokenization.pair_index import merge_pair
from transformer_math.tokenization.regularisation import (
    dropout_probabilities,
    encode_with_dropout,
    last_edge_probabilities,
    sample_segmentation,
    tempered,
)
from transformer_math.tokenization.unigram import Unigram, lattice, viterbi

DRAWS = 150
ONE_LETTER = Unigram(("é",), np.array([0.0]))
RARE = 5.0  # outcomes expected less often are counted together
DEVIATIONS = 5.0  # of a standard normal: a right sampler goes beyond them once in three million cases


def surprise(drawn, shares):
    """By how much Pearson's chi-squared statistic exceeds what a right sampler stays below; inf for what cannot be drawn."""
    counts = Counter(drawn)
    if any(shares.get(outcome, 0.0) < 1e-12 for outcome in counts):
        return np.inf
    expected = {one: share * len(drawn) for one, share in shares.items()}
    common = [one for one, number in expected.items() if number >= RARE]
    cells = [(counts[one], expected[one]) for one in common]
    rest = len(drawn) - sum(number for _, number in cells)
    if rest >= RARE:
        cells.append((len(drawn) - sum(seen for seen, _ in cells), rest))
    if len(cells) < 2:
        return 0.0
    statistic = sum((seen - number) ** 2 / number for seen, number in cells)
    return max(0.0, statistic - limit(len(cells) - 1))


def limit(freedom):
    """What a chi-squared number of so many degrees of freedom stays below, by the approximation of Wilson and Hilferty."""
    spread = 2 / (9 * freedom)
    return freedom * (1 - spread + DEVIATIONS * spread**0.5) ** 3


@check(
    tempered,
    equation="eq-tempered-posterior",
    symbols={"probabilities": "P", "temperature": "T", "return": "p"},
    oracle="powers in decimals, whose exponents have no end",
)
def tempered_equals_powers(tempered, rng):
    P = rng.integers(0, 11, size=int(rng.integers(1, 7))) / 10
    P[0] = max(P[0], 0.1)  # something is possible
    given, T = sometimes(rng, float(rng.choice([0.2, 0.25, 0.5, 2, 3, 4])), 1.0)
    if longest():
        P[:1], given, T = 0.5, (5e-4,), 5e-4  # every power is 0 in double precision
        P = np.minimum(P, 0.5)
    powers = [Decimal(p) ** (1 / Decimal(T)) for p in P.tolist()]
    got = tempered(P, *given)
    return difference(got, np.array([float(power / sum(powers)) for power in powers]))


@tempered_equals_powers.rejects(
    "At a low temperature all your powers are 0, and their quotient is NaN: divide by the largest probability before you raise."
)
def powers_that_vanish(probabilities, temperature=1.0):
    powers = probabilities ** (1 / temperature)
    return powers / powers.sum()


@tempered_equals_powers.rejects(
    "You ignore temperatures above 1: they make all ways more alike."
)
def never_hotter(probabilities, temperature=1.0):
    return tempered(probabilities, min(temperature, 1.0))


@tempered_equals_powers.rejects(
    "Your temperature works the wrong way: a small one sharpens, so raise to the power 1/T."
)
def power_in_place_of_its_inverse(probabilities, temperature=1.0):
    return tempered(probabilities, 1 / temperature)


@tempered_equals_powers.rejects(
    "Divide by the sum of the powers: the shares must add up to 1."
)
def powers_alone(probabilities, temperature=1.0):
    return probabilities ** (1 / temperature)


@tempered_equals_powers.rejects(
    "You divide the probabilities by the temperature, which changes nothing; it is their logarithms that are divided."
)
def divided_probabilities(probabilities, temperature=1.0):
    scaled = probabilities / temperature
    return scaled / scaled.sum()


@tempered_equals_powers.rejects(
    "You take the softmax of probabilities; a softmax wants logarithms: take their logarithms first, or raise to the power 1/T."
)
def softmax_of_probabilities(probabilities, temperature=1.0):
    powers = np.exp(probabilities / temperature)
    return powers / powers.sum()


@tempered_equals_powers.rejects(
    "Divide by the sum of the powers, after you have raised: shares that are raised no longer add up to 1."
)
def raised_too_late(probabilities, temperature=1.0):
    return (probabilities / probabilities.sum()) ** (1 / temperature)


@check(
    last_edge_probabilities,
    equation="eq-backward-sampling",
    oracle="a list of all ways to each place",
)
def last_edges_equal_enumeration(last_edge_probabilities, rng):
    if longest():
        return difference(last_edge_probabilities(LONG, 0.01), last_shares(LONG / 0.01))
    L = random_lattice(rng)
    given, T = sometimes(rng, float(rng.uniform(0.5, 3)), 1.0)
    wanted = np.zeros(L.shape)
    for j in range(1, len(L)):
        for way in ways(0, j):
            wanted[way[-2], j] += probability(L / T, way)
        wanted[:, j] /= wanted[:, j].sum()
    return difference(last_edge_probabilities(L, *given), wanted)


last_edges_equal_enumeration.visits(AN_UNREACHABLE_PLACE, is_unreachable)


@last_edges_equal_enumeration.rejects(
    "You divide probabilities, which are 0 in a long word: stay with logarithms, and take exp of their difference. A place that cannot be reached has no last edge."
)
def shares_of_probabilities(L, temperature=1.0):
    ways_to = np.exp(forward_sums(L / temperature))
    return ways_to[:, None] * np.exp(L / temperature) / ways_to


@last_edges_equal_enumeration.rejects(
    "You divide probabilities, and guard against the 0 below the line: in a long word the shares are lost all the same, so stay with logarithms, and take exp of their difference."
)
def guarded_shares_of_probabilities(L, temperature=1.0):
    ways_to = np.exp(forward_sums(L / temperature))
    powers = ways_to[:, None] * np.exp(L / temperature)
    return powers / np.where(ways_to > 0, ways_to, 1.0)


@last_edges_equal_enumeration.rejects(
    "You draw by the edge alone; what comes before it counts as well: α_i + L_ij."
)
def edge_alone(L, temperature=1.0):
    powers = np.exp(L / temperature)
    return powers / np.maximum(powers.sum(axis=0), 1e-300)


@last_edges_equal_enumeration.rejects(
    "You use the forward sums of the lattice as it is; a temperature changes them too: take those of L / T."
)
def sums_without_temperature(L, temperature=1.0):
    alpha = forward_sums(L)
    shares = np.exp(alpha[:, None] / temperature + L / temperature)
    return shares / np.maximum(shares.sum(axis=0), 1e-300)


@last_edges_equal_enumeration.rejects(
    "These are the posteriors of the edges; to draw backwards, the edges into one place must share a probability of 1: take away α_j."
)
def posteriors(L, temperature=1.0):
    return edge_posteriors(L / temperature)


@last_edges_equal_enumeration.rejects("You multiply by the temperature: divide by it.")
def multiplied(L, temperature=1.0):
    return last_edge_probabilities(L, 1 / temperature)


def drawn_shares(rng):
    """A word, pieces, a temperature, and the exact share of every segmentation; none of them has nearly all."""
    word = "".join(rng.choice(list("abc"), size=rng.integers(3, 7)))
    parts = {word[i:j] for i in range(len(word)) for j in range(i + 2, len(word) + 1)}
    longer = [part for part in sorted(parts) if rng.random() < 0.7]
    given, T = sometimes(rng, float(rng.choice([0.5, 2.0, 4.0])), 1.0)
    unigram = Unigram(
        ("a", "b", "c", *longer),
        np.array([*rng.normal(-2, 0.7, 3), *rng.normal(-4, 0.7, len(longer))]),
    )
    powers = {
        tuple(s): p ** (1 / T)
        for s in segmentations(word)
        if (p := of_pieces(s, unigram)) > 0
    }
    whole = sum(powers.values())
    shares = {s: power / whole for s, power in powers.items()}
    if max(shares.values()) > 0.8:
        return drawn_shares(rng)
    return word, unigram, given, shares


@check(
    sample_segmentation,
    equation="eq-segmentation-sample",
    oracle="a chi-squared test against the share of every segmentation, all of them listed",
    cases=6,
)
def samples_follow_the_posterior(sample_segmentation, rng):
    if smallest():
        return difference(sample_segmentation("é", ONE_LETTER, rng), ["é"])
    if longest():  # so cold that only the best is drawn
        pieces = tuple(sorted({*"abcé", *random_unigram(rng).pieces}))
        unigram = Unigram(pieces, rng.normal(-6, 1, size=len(pieces)))
        word = "".join(rng.choice(list("abcé"), size=1000))
        best = huggingface_unigram(unigram).encode(word).tokens
        got, score = sample_segmentation(word, unigram, rng, 1e-6), dict(zip(*unigram))
        return worst(
            [
                difference("".join(got), word),
                difference(*(sum(score[part] for part in way) for way in (got, best))),
            ]
        )
    word, unigram, given, shares = drawn_shares(rng)
    seed = int(rng.integers(10**6))

    def drawn(*given):
        source = np.random.default_rng(seed)
        draws = [
            sample_segmentation(word, unigram, source, *given) for _ in range(DRAWS)
        ]
        return [tuple(segmentation) for segmentation in draws]

    told_apart = not given and drawn() != drawn(1.0)
    return np.inf if told_apart else surprise(drawn(*given), shares)


@samples_follow_the_posterior.rejects(
    "You always return the best segmentation: draw one."
)
def never_drawn(word, unigram, rng, temperature=1.0):
    return viterbi(word, unigram)


@samples_follow_the_posterior.rejects(
    "You draw all segmentations alike: each as often as its probability says."
)
def all_alike(word, unigram, rng, temperature=1.0):
    equal = np.where(lattice(word, unigram) > -np.inf, 0.0, -np.inf)
    return drawn_back(word, last_edge_probabilities(equal), rng)


@samples_follow_the_posterior.rejects(
    "You draw from left to right by the pieces' own probabilities, and do not ask how the rest can be written: draw backwards, with the forward sums."
)
def forwards_without_looking_ahead(word, unigram, rng, temperature=1.0):
    L, cuts = lattice(word, unigram) / temperature, [0]
    while cuts[-1] < len(word):
        powers = np.exp(L[cuts[-1]])
        cuts.append(int(rng.choice(len(powers), p=powers / powers.sum())))
    return [word[a:b] for a, b in pairwise(cuts)]


def drawn_back(word, ways, rng):
    """Pieces drawn from the end of a word, each by its share of the ways to where it ends."""
    cuts = [len(word)]
    while cuts[-1] > 0:
        share = ways[:, cuts[-1]] / ways[:, cuts[-1]].sum()
        cuts.append(int(rng.choice(len(share), p=share)))
    return [word[a:b] for b, a in pairwise(cuts)][::-1]


@samples_follow_the_posterior.rejects(
    "You draw backwards by the pieces' own probabilities, and do not ask how the rest can be written: α_i belongs to the share of an edge."
)
def backwards_without_looking_ahead(word, unigram, rng, temperature=1.0):
    return drawn_back(word, np.exp(lattice(word, unigram) / temperature), rng)


@samples_follow_the_posterior.rejects(
    "The pieces come in reverse order: you draw from the end, so turn the list round."
)
def from_the_end(word, unigram, rng, temperature=1.0):
    return sample_segmentation(word, unigram, rng, temperature)[::-1]


@samples_follow_the_posterior.rejects(
    "You take forward sums without the temperature: those of L / T are wanted, as for the edges."
)
def cold_sums(word, unigram, rng, temperature=1.0):
    L = lattice(word, unigram)
    ways = np.exp(forward_sums(L)[:, None] + L / temperature)
    return drawn_back(word, ways, rng)


@samples_follow_the_posterior.rejects(
    "You divide by the temperature for the forward sums alone: the edges are divided by it too."
)
def cold_edges(word, unigram, rng, temperature=1.0):
    L = lattice(word, unigram)
    ways = np.exp(forward_sums(L / temperature)[:, None] + L)
    return drawn_back(word, ways, rng)


@samples_follow_the_posterior.rejects(
    "You temper the shares of each step; it is the scores that are divided by the temperature, before the forward sums."
)
def tempered_step_by_step(word, unigram, rng, temperature=1.0):
    shares = last_edge_probabilities(lattice(word, unigram))
    return drawn_back(word, shares ** (1 / temperature), rng)


@samples_follow_the_posterior.rejects(
    "Your draws do not ask the temperature, or ask it in part alone: divide the log-probabilities by it, also for the forward sums."
)
def without_temperature(word, unigram, rng, temperature=1.0):
    return sample_segmentation(word, unigram, rng)


@samples_follow_the_posterior.rejects(
    "Your temperature works the other way round: a high one makes all ways more alike, a low one prefers the best."
)
def temperature_turned_over(word, unigram, rng, temperature=1.0):
    return sample_segmentation(word, unigram, rng, 1 / temperature)


@check(
    dropout_probabilities,
    equation="eq-bpe-dropout",
    symbols={"dropout": "p", "return": "pi"},
    oracle="going through all choices of what is passed over",
)
def dropout_equals_enumeration(dropout_probabilities, rng):
    n = int(rng.integers(1, 6))
    p = float(rng.choice([rng.uniform(0, 1), 0.0, 1.0, 0.1]))
    wanted = np.zeros(n + 1)
    for dropped in np.ndindex(*[2] * n):
        first = dropped.index(0) if 0 in dropped else n
        wanted[first] += np.prod([p if one else 1 - p for one in dropped])
    return difference(dropout_probabilities(n, p), wanted)


@dropout_equals_enumeration.rejects(
    "You swap the two: a merge is passed over with probability p, and made with 1 − p."
)
def swapped(n, dropout):
    return dropout_probabilities(n, 1 - dropout)


@dropout_equals_enumeration.rejects(
    "Your last entry is that of one more merge; it is the probability that all are passed over, p^n."
)
def one_more_merge(n, dropout):
    return (1 - dropout) * dropout ** np.arange(n + 1)


@dropout_equals_enumeration.rejects(
    "Your last entry is missing: the probability that all are passed over, p^n."
)
def end_left_out(n, dropout):
    return dropout_probabilities(n, dropout)[:-1]


@dropout_equals_enumeration.rejects(
    "One draw decides for all merges in your version: each is passed over by itself, and the next in rank has its turn."
)
def one_draw_for_all(n, dropout):
    return np.array([1 - dropout, *[0.0] * (n - 1), dropout])


@dropout_equals_enumeration.rejects(
    "All merges are alike in your version: the one with the lowest rank is made unless it is passed over."
)
def merges_alike(n, dropout):
    return np.append(np.full(n, (1 - dropout**n) / n), dropout**n)


def dropout_shares(chunk, bpe, p):
    """The share of every outcome of BPE-dropout: all choices at every step are gone through."""
    ranks = {pair: rank for rank, pair in enumerate(bpe.merges)}
    shares, open_ = (
        Counter(),
        Counter({tuple(bpe.tokens.index(c) for c in chunk): 1.0}),
    )
    while open_:
        (tokens, share), *_ = open_.items()
        del open_[tokens]
        places = [i for i, pair in enumerate(pairwise(tokens)) if pair in ranks]
        for dropped in np.ndindex(*[2] * len(places)):
            weight = share * np.prod([p if one else 1 - p for one in dropped])
            left = [i for i, one in zip(places, dropped) if not one]
            if not left:
                shares[tokens] += weight
                continue
            at = min(left, key=lambda i: (ranks[tokens[i], tokens[i + 1]], i))
            pair = tokens[at], tokens[at + 1]
            merged = (*tokens[:at], bpe.merges[pair], *tokens[at + 2 :])
            open_[merged] += weight
    return {tokens: share for tokens, share in shares.items() if share > 0}


@check(
    encode_with_dropout,
    equation="eq-dropout-sample",
    oracle="a chi-squared test against the share of every outcome, all choices gone through",
    cases=12,
)
def dropout_follows_its_shares(encode_with_dropout, rng):
    if smallest():
        alone = BPE(("é",), {})
        chunks = [encode_with_dropout(chunk, alone, rng) for chunk in ("", "é")]
        return difference(chunks, [[], [0]])
    corpus = random_words(rng)
    if longest():  # with nothing dropped it is BPE
        theirs, bpe, letters = learnt_bpe(rng, corpus)
        chunk = "".join(rng.choice(letters, size=1000))
        return difference(
            encode_with_dropout(chunk, bpe, rng, 0.0), theirs.encode(chunk).ids
        )
    bpe = train_bpe(corpus, 4 + int(rng.integers(3, 10)))
    chunk = max(corpus, key=len)[:7]
    given, p = sometimes(rng, float(rng.choice([rng.uniform(0.2, 0.8), 0.0, 1.0])), 0.1)
    source = np.random.default_rng(int(rng.integers(10**6)))
    drawn = [
        tuple(encode_with_dropout(chunk, bpe, source, *given)) for _ in range(DRAWS)
    ]
    return surprise(drawn, dropout_shares(chunk, bpe, p))


@dropout_follows_its_shares.rejects(
    "You pass over nothing: before every merge each possible one is left out with probability p."
)
def plain_encoding(chunk, bpe, rng, dropout=0.1):
    return encode_with_dropout(chunk, bpe, rng, 0.0)


@dropout_follows_its_shares.rejects(
    "You swap the two: a merge is passed over with probability p, and made with 1 − p."
)
def made_with_p(chunk, bpe, rng, dropout=0.1):
    return encode_with_dropout(chunk, bpe, rng, 1 - dropout)


@dropout_follows_its_shares.rejects(
    "You pass a merge over once and for all: it may come back at the next step."
)
def dropped_for_good(chunk, bpe, rng, dropout=0.1):
    tokens = [bpe.tokens.index(c) for c in chunk]
    for pair, merged in bpe.merges.items():
        if rng.random() >= dropout:
            tokens = merge_pair(tokens, pair, merged)
    return tokens


@dropout_follows_its_shares.rejects(
    "You end as soon as the first merge is passed over: the next in rank has its turn then."
)
def ended_at_the_first_drop(chunk, bpe, rng, dropout=0.1):
    ranks = {pair: rank for rank, pair in enumerate(bpe.merges)}
    tokens = [bpe.tokens.index(c) for c in chunk]
    while found := [
        (ranks[pair], i) for i, pair in enumerate(pairwise(tokens)) if pair in ranks
    ]:
        if rng.random() < dropout:
            break
        at = min(found)[1]
        tokens[at : at + 2] = [bpe.merges[tokens[at], tokens[at + 1]]]
    return tokens


@last_edges_equal_enumeration.rejects(
    "You divide along the rows; the edges that end at one place, a column, share a probability of 1."
)
def shared_along_the_rows(L, temperature=1.0):
    ways = np.exp(forward_sums(L / temperature)[:, None] + L / temperature)
    return ways / np.maximum(ways.sum(axis=1, keepdims=True), 1e-300)


@last_edges_equal_enumeration.rejects(
    "You do not divide by the sum of the column: the edges that end at one place share a probability of 1."
)
def never_divided(L, temperature=1.0):
    return np.exp(forward_sums(L / temperature)[:, None] + L / temperature)


@last_edges_equal_enumeration.rejects(
    "No edge ends at place 0: its column is 0/0, NaN, in your version, and wanted 0."
)
def nothing_by_nothing(L, temperature=1.0):
    ways = np.exp(forward_sums(L / temperature)[:, None] + L / temperature)
    return ways / ways.sum(axis=0)


@dropout_equals_enumeration.rejects(
    "Your powers are one too high: nothing is passed over before the first merge, p^0."
)
def one_passed_over_too_many(n, dropout):
    return np.append((1 - dropout) * dropout ** np.arange(1, n + 1), dropout**n)


@dropout_equals_enumeration.rejects(
    "You forget what is passed over before: the i-th merge has its turn only if all before it were dropped, p^i (1 − p)."
)
def nothing_passed_over(n, dropout):
    return np.append(np.full(n, 1 - dropout), dropout**n)
