"""Checks of what a merge is worth: whole corpora are merged by hand, and their likelihood is counted anew."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.tokenization.likelihood import (
    PairCounts,
    corpus_log_likelihood,
    merge_gain,
    merge_score,
)


def random_corpus(rng):
    """Every word of a small corpus, written out as often as it occurs, as rows of tokens 0, 1, 2, ..."""
    size = int(rng.integers(1, 6))
    words = [rng.integers(size, size=rng.integers(2, 9)) for _ in range(6)]
    return [word.tolist() for word in words for _ in range(rng.integers(1, 6))]


def log_likelihood(corpus):
    """The sum over all tokens, one by one, of the logarithm of the token's share."""
    tokens = [token for word in corpus for token in word]
    shares = {token: tokens.count(token) / len(tokens) for token in set(tokens)}
    return math.fsum(math.log(shares[token]) for token in tokens)


def merged_corpus(corpus, pair):
    """The corpus after the pair was replaced in every word, and at how many places it was."""
    out, places = [], 0
    for word in corpus:
        new: list = []
        for token in word:
            if new and (new[-1], token) == pair:
                new[-1], places = pair, places + 1
            else:
                new.append(token)
        out.append(new)
    return out, places


def pairs_of(corpus):
    """All neighbours in a corpus, in a fixed order."""
    return sorted({pair for word in corpus for pair in zip(word, word[1:])})


def counted(corpus, pairs):
    """The counts of pairs, found by merging each of them."""
    n = Counter(token for word in corpus for token in word)
    columns = [(merged_corpus(corpus, (a, b))[1], n[a], n[b]) for a, b in pairs]
    numbers = np.array(columns, dtype=float).T
    return PairCounts(*numbers, np.array([a == b for a, b in pairs]), n.total())


@check(
    corpus_log_likelihood,
    equation="eq-corpus-likelihood",
    oracle="torch.distributions.Categorical, token by token, each with the same weight",
)
def corpus_log_likelihood_equals_torch(corpus_log_likelihood, rng):
    n = rng.integers(0, 30, size=rng.integers(1, 12))
    n[rng.integers(len(n))] += 1
    model = torch.distributions.Categorical(torch.tensor(n / n.sum()))
    tokens = torch.repeat_interleave(torch.arange(len(n)), torch.tensor(n))
    weight = 1.0 if rng.random() < 0.5 else float(rng.uniform(0.05, 0.9))
    wanted = weight * model.log_prob(tokens).sum().item()
    return difference(corpus_log_likelihood(weight * n), wanted)


@corpus_log_likelihood_equals_torch.rejects(
    "You add up the logarithm once for each kind of token: a token that occurs n times counts n times."
)
def each_token_once(n):
    return float(np.log(n[n > 0] / n.sum()).sum())


@corpus_log_likelihood_equals_torch.rejects(
    "You divide by the number of tokens: that is the mean, wanted is the sum over the corpus."
)
def mean_per_token(n):
    return corpus_log_likelihood(n) / n.sum()


@corpus_log_likelihood_equals_torch.rejects(
    "You give the loss, which is positive: the logarithm of a probability is at most 0."
)
def negative_log_likelihood(n):
    return -corpus_log_likelihood(n)


@corpus_log_likelihood_equals_torch.rejects(
    "You leave out the tokens with a count below 1: counts need not be whole, and every one above 0 is added."
)
def from_one_on(n):
    return float((n * np.log(n / n.sum()))[n >= 1].sum())


@corpus_log_likelihood_equals_torch.rejects(
    "You take logarithms to base 2; this book's are natural."
)
def in_bits(n):
    return corpus_log_likelihood(n) / np.log(2)


@corpus_log_likelihood_equals_torch.rejects(
    "You give the probability itself: wanted is its logarithm."
)
def without_logarithm(n):
    return float(np.exp(corpus_log_likelihood(n)))


@corpus_log_likelihood_equals_torch.rejects(
    "A token that does not occur makes your sum NaN: 0 ln 0 counts as 0."
)
def zero_times_infinity(n):
    with np.errstate(divide="ignore", invalid="ignore"):
        return float((n * np.log(n / n.sum())).sum())


@check(
    merge_gain,
    equation="eq-merge-gain",
    oracle="merging the corpus and adding up its log-likelihood anew, token by token",
    cases=60,
)
def gain_equals_counting_anew(merge_gain, rng):
    corpus = random_corpus(rng)
    pairs = pairs_of(corpus)
    wanted = [
        log_likelihood(merged_corpus(corpus, pair)[0]) - log_likelihood(corpus)
        for pair in pairs
    ]
    return difference(merge_gain(counted(corpus, pairs)), np.array(wanted))


gain_equals_counting_anew.excuses("a pair takes two tokens", "N = 1")


@gain_equals_counting_anew.rejects(
    "You compare the new token with the two old ones at its places alone. The tokens a and b that remain become rarer, and "
    "the corpus becomes shorter: both change the likelihood of every other token."
)
def new_token_alone(pairs):
    m, N = pairs.m, pairs.N
    return m * (np.log(m / (N - m)) - np.log(pairs.n_a / N) - np.log(pairs.n_b / N))


@gain_equals_counting_anew.rejects(
    "You give m times the logarithm of the score: that is the gain only as long as the probabilities of all other tokens stay as "
    "they were, and they do not."
)
def count_times_log_score(pairs):
    return pairs.m * np.log(merge_score(pairs))


def _f(x):
    return x * np.log(np.where(x > 0, x, 1))


def _gain(pairs, of_a, of_b, left):
    """The gain with parts of it to choose: what a and b lose, and how many tokens are left."""
    return _f(pairs.m) + of_a + of_b + _f(pairs.N) - _f(left)


@gain_equals_counting_anew.rejects(
    "You forget that the corpus becomes shorter: every merge takes m tokens away from N."
)
def corpus_as_long(pairs):
    return merge_gain(pairs) - _f(pairs.N) + _f(pairs.N - pairs.m)


@gain_equals_counting_anew.rejects(
    "You take 2 m tokens away from N: at each place two tokens go, but one comes."
)
def corpus_too_short(pairs):
    left = np.maximum(pairs.N - 2 * pairs.m, 0)
    return merge_gain(pairs) + _f(pairs.N - pairs.m) - _f(left)


@gain_equals_counting_anew.rejects(
    "You leave a and b as frequent as they were: m of each go into the new token."
)
def nothing_taken_away(pairs):
    return _gain(pairs, 0, 0, pairs.N - pairs.m)


@gain_equals_counting_anew.rejects(
    "Where a and b are the same token, your gain is wrong: each place takes two of them."
)
def twins_counted_as_two(pairs):
    of_a = _f(pairs.n_a - pairs.m) - _f(pairs.n_a)
    of_b = _f(pairs.n_b - pairs.m) - _f(pairs.n_b)
    return _gain(pairs, of_a, of_b, pairs.N - pairs.m)


@gain_equals_counting_anew.rejects(
    "You let only a become rarer: b loses m tokens too, unless it is the same token."
)
def second_token_forgotten(pairs):
    of_a = _f(pairs.n_a - pairs.m) - _f(pairs.n_a)
    return _gain(pairs, of_a, 0, pairs.N - pairs.m)


@gain_equals_counting_anew.rejects(
    "You take logarithms to base 2; this book's are natural."
)
def gain_in_bits(pairs):
    return merge_gain(pairs) / np.log(2)


@gain_equals_counting_anew.rejects(
    "You give the gain for one token of the text: wanted is the gain of the whole corpus."
)
def gain_per_token(pairs):
    return merge_gain(pairs) / pairs.N


@gain_equals_counting_anew.rejects(
    "You give the gain for one place: the corpus has m of them."
)
def gain_for_one_place(pairs):
    return merge_gain(pairs) / pairs.m


@gain_equals_counting_anew.rejects(
    "You subtract the new likelihood from the old one: a merge that helps has a gain above 0."
)
def loss_of_likelihood(pairs):
    return -merge_gain(pairs)


@check(
    merge_gain,
    equation="eq-gain-by-score",
    oracle="torch.distributions.Categorical over the tokens before and after the merge",
)
def gain_equals_torch(merge_gain, rng):
    corpus = [*random_corpus(rng), [7, 8]]
    pairs = [(a, b) for a, b in pairs_of(corpus) if a != b]
    before = _by_torch(corpus)
    after = [_by_torch(merged_corpus(corpus, pair)[0]) for pair in pairs]
    return difference(merge_gain(counted(corpus, pairs)), np.array(after) - before)


def _by_torch(corpus):
    tokens = [token for word in corpus for token in word]
    kinds = list(dict.fromkeys(tokens))
    ids = torch.tensor([kinds.index(token) for token in tokens])
    shares = torch.bincount(ids).double() / len(ids)
    return torch.distributions.Categorical(shares).log_prob(ids).sum().item()


@gain_equals_torch.rejects(
    "You leave out what becomes of the other tokens: m ln s is the gain only if their probabilities stay as they were."
)
def logarithm_of_the_score_alone(pairs):
    return pairs.m * np.log(merge_score(pairs))


@gain_equals_torch.rejects(
    "You take m (ln s − 1) for the gain: that holds where a, b and the corpus are much more frequent than the pair."
)
def approximation_for_rare_pairs(pairs):
    return pairs.m * (np.log(merge_score(pairs)) - 1)


@check(
    merge_score,
    equation="eq-merge-score",
    oracle="shares of the tokens as fractions, in exact arithmetic",
)
def score_equals_fractions(merge_score, rng):
    corpus = random_corpus(rng)
    pairs = pairs_of(corpus)
    tokens = [token for word in corpus for token in word]
    share = {token: Fraction(tokens.count(token), len(tokens)) for token in tokens}
    wanted = [
        Fraction(merged_corpus(corpus, (a, b))[1], len(tokens)) / (share[a] * share[b])
        for a, b in pairs
    ]
    scores = merge_score(counted(corpus, pairs))
    return difference(scores, np.array(wanted, dtype=float))


score_equals_fractions.excuses("a pair takes two tokens", "N = 1")


@score_equals_fractions.rejects(
    "You divide by the probability of the first token alone: that is how often b follows a. Divide by both."
)
def conditional_probability(pairs):
    return pairs.m / pairs.n_a


@score_equals_fractions.rejects(
    "You divide counts by counts: the score is made of probabilities, so one N is left over above the line. The order of the pairs "
    "is the same, the numbers are not."
)
def counts_for_probabilities(pairs):
    return pairs.m / (pairs.n_a * pairs.n_b)


@score_equals_fractions.rejects("You give the logarithm of the score.")
def logarithm_of_the_score(pairs):
    return np.log(merge_score(pairs))


@score_equals_fractions.rejects(
    "You give P(ab) alone: that ranks the pairs by their count, as BPE does. Divide by P(a) P(b)."
)
def probability_of_the_pair(pairs):
    return pairs.m / pairs.N


@score_equals_fractions.rejects("You multiply by P(b) where you should divide by it.")
def multiplied_by_the_second(pairs):
    return pairs.m / pairs.n_a * pairs.n_b / pairs.N


@score_equals_fractions.rejects(
    "You divide by the sum of the two probabilities: chance would put them side by side with the probability P(a) P(b), the product."
)
def divided_by_the_sum(pairs):
    return pairs.m / (pairs.n_a + pairs.n_b)


@score_equals_fractions.rejects(
    "You give the binary logarithm of the score: that is the pointwise mutual information in bits."
)
def score_in_bits(pairs):
    return np.log2(merge_score(pairs))


@score_equals_fractions.rejects(
    "You divide by the probability of the second token alone. Divide by both."
)
def conditional_on_the_second(pairs):
    return pairs.m / pairs.n_b


@score_equals_fractions.rejects("You divide by P(a) twice: the second factor is P(b).")
def first_token_twice(pairs):
    return pairs.m * pairs.N / pairs.n_a**2


@score_equals_fractions.rejects(
    "You weigh the score by the number of places: it says what one place is worth."
)
def score_of_all_places(pairs):
    return pairs.m * merge_score(pairs)


@score_equals_fractions.rejects(
    "You divide m by the number of pairs you were given: P(ab) is m / N, with the N of P(a) and P(b)."
)
def share_among_the_pairs(pairs):
    return merge_score(pairs) * pairs.N / pairs.m.sum()


@score_equals_fractions.rejects(
    "You divide by N once too often: P(a) P(b) has N² below the line, P(ab) has N, so that N is left above."
)
def divided_by_the_total(pairs):
    return pairs.m / pairs.N / (pairs.n_a * pairs.n_b)


@score_equals_fractions.rejects(
    "That is the Dice coefficient, 2 m / (n_a + n_b); wanted P(ab) / (P(a) P(b))."
)
def dice(pairs):
    return 2 * pairs.m / (pairs.n_a + pairs.n_b)
