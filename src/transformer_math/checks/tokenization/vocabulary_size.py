"""Checks of power laws and rare tokens, against PyTorch and by counting."""

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.tokenization.vocabulary_size import (
    fit_power_law,
    rare_share,
    zipf_exponent,
    zipf_log_likelihood,
)


def random_counts(rng):
    """Counts of two to forty words, the largest first, none of them 0, not all equal."""
    n = int(rng.integers(2, 40))
    counts = rng.integers(1, 9, size=n) + 40 * rng.random() / np.arange(1, n + 1)
    return np.sort(np.append(np.floor(counts)[1:], 60.0 + n))[::-1].copy()


@check(
    fit_power_law,
    equation="eq-power-law",
    symbols={"return": ("A", "beta")},
    oracle="torch.linalg.lstsq on the logarithms",
)
def power_law_equals_lstsq(fit_power_law, rng):
    n = int(rng.integers(2, 12))
    x = np.sort(rng.uniform(1, 1e4, size=n))
    y = rng.uniform(0.1, 20) * x ** rng.uniform(-1.5, 1.5) * rng.uniform(0.5, 2, size=n)
    design = torch.stack([torch.ones(n).double(), torch.from_numpy(np.log(x))], dim=1)
    wanted = torch.linalg.lstsq(design, torch.from_numpy(np.log(y))[:, None]).solution
    return difference(
        tuple(fit_power_law(x, y)), (float(wanted[0].exp()), float(wanted[1]))
    )


def line(u, v):
    slope = ((u - u.mean()) * (v - v.mean())).sum() / ((u - u.mean()) ** 2).sum()
    return v.mean() - slope * u.mean(), slope


power_law_equals_lstsq.excuses("one point has no slope, and is refused", "n = 1")


@power_law_equals_lstsq.rejects(
    "You fit a straight line to x and y themselves; wanted one through their logarithms."
)
def without_logarithms(x, y):
    return line(x, y)


@power_law_equals_lstsq.rejects(
    "You return the logarithm of A: the factor is its exponential."
)
def logarithm_of_the_factor(x, y):
    return line(np.log(x), np.log(y))


@power_law_equals_lstsq.rejects(
    "Your line goes through x = 1 with y = 1, since there is no factor A: let it cross where it will."
)
def through_the_origin(x, y):
    u, v = np.log(x), np.log(y)
    return 1.0, (u * v).sum() / (u * u).sum()


@power_law_equals_lstsq.rejects(
    "You fit x by y; wanted y by x, so the sum of squares in the denominator is that of ln x."
)
def axes_exchanged(x, y):
    return fit_power_law(y, x)


@power_law_equals_lstsq.rejects(
    "You connect the first point with the last; wanted the line of least squares through all of them."
)
def ends_connected(x, y):
    slope = np.log(y[-1] / y[0]) / np.log(x[-1] / x[0])
    return y[0] / x[0] ** slope, slope


@check(
    zipf_log_likelihood,
    equation="eq-zipf",
    oracle="torch.distributions.Categorical, word by word",
)
def zipf_equals_categorical(zipf_log_likelihood, rng):
    counts, exponent = random_counts(rng), float(rng.uniform(0.2, 3))
    ranks = torch.arange(1, len(counts) + 1).double()
    words = torch.repeat_interleave(
        torch.arange(len(counts)), torch.from_numpy(counts).long()
    )
    chances = torch.distributions.Categorical(probs=ranks**-exponent)
    wanted = float(chances.log_prob(words).sum())
    return difference(zipf_log_likelihood(counts, exponent), wanted)


zipf_equals_categorical.excuses(
    "words are ranked, two at least, and none that is not there", "V = 1", "0 in counts"
)


@zipf_equals_categorical.rejects(
    "Your probabilities do not sum to 1: divide by the sum of all the powers."
)
def not_normalised(counts, exponent):
    return float(-exponent * counts @ np.log(np.arange(1, len(counts) + 1)))


@zipf_equals_categorical.rejects(
    "You count each word once: its count weighs its logarithm."
)
def each_word_once(counts, exponent):
    return zipf_log_likelihood(np.ones_like(counts), exponent)


@zipf_equals_categorical.rejects(
    "You take the logarithm to the base 2; wanted the natural one."
)
def in_bits(counts, exponent):
    return zipf_log_likelihood(counts, exponent) / np.log(2)


@zipf_equals_categorical.rejects(
    "Your exponent has the wrong sign: the probability falls with the rank."
)
def rising_with_the_rank(counts, exponent):
    p = np.arange(1, len(counts) + 1.0) ** exponent
    return float(counts @ np.log(p / p.sum()))


@check(
    zipf_exponent,
    equation="eq-zipf",
    oracle="Newton’s method on the likelihood’s slope, by torch.autograd",
    tolerance=1e-7,
)
def exponent_equals_newton(zipf_exponent, rng):
    counts = random_counts(rng)
    c = torch.from_numpy(counts)
    log_ranks = torch.arange(1, len(c) + 1).double().log()
    s = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
    for _ in range(60):
        likelihood = (c * torch.log_softmax(-s * log_ranks, dim=0)).sum()
        (slope,) = torch.autograd.grad(likelihood, s, create_graph=True)
        (bend,) = torch.autograd.grad(slope, s)
        step = (slope / bend).clamp(-0.5, 0.5)
        s = (s - step).detach().clamp(min=1e-9).requires_grad_()
    return difference(zipf_exponent(counts), float(s.detach()))


exponent_equals_newton.excuses(
    "words are ranked, two at least, and none that is not there", "V = 1", "0 in counts"
)


@exponent_equals_newton.rejects(
    "You fit a line through the logarithms: the many rare words outweigh the few frequent ones. Wanted the largest likelihood."
)
def by_least_squares(counts):
    return -fit_power_law(np.arange(1, len(counts) + 1.0), counts)[1]


@exponent_equals_newton.rejects(
    "Your exponent is negative: Zipf's law is written with r to the power of minus s."
)
def negative_exponent(counts):
    return -zipf_exponent(counts)


@check(
    rare_share,
    equation="eq-rare-share",
    symbols={"counts": "c", "fewest": "k"},
    oracle="counting one token after the other",
)
def rare_share_equals_counting(rare_share, rng):
    counts = rng.integers(0, 9, size=int(rng.integers(1, 30))).astype(float)
    fewest = int(rng.integers(1, 9))
    rare = [token for token, count in enumerate(counts) if count < fewest]
    return difference(rare_share(counts, fewest), len(rare) / len(counts))


@rare_share_equals_counting.rejects(
    "You count tokens that occur exactly `fewest` times too: wanted fewer than that."
)
def as_many_too(counts, fewest):
    return float((counts <= fewest).mean())


@rare_share_equals_counting.rejects(
    "You return the number of rare tokens; wanted their share of the vocabulary."
)
def number_of_rare_ones(counts, fewest):
    return float((counts < fewest).sum())


@rare_share_equals_counting.rejects(
    "You return their share of the text; wanted their share of the vocabulary: each token counts once."
)
def share_of_the_text(counts, fewest):
    return float(counts[counts < fewest].sum() / max(counts.sum(), 1.0))


@rare_share_equals_counting.rejects(
    "You leave out the tokens that never occur: they are the rarest of all."
)
def unused_left_out(counts, fewest):
    return float(((counts > 0) & (counts < fewest)).mean())


@power_law_equals_lstsq.rejects(
    "You take logarithms to the base 10, and go back with exp: 10 to the power, or natural logarithms on both ways."
)
def two_bases(x, y):
    A, beta = fit_power_law(x, y)
    return float(A ** (1 / np.log(10))), beta


@power_law_equals_lstsq.rejects(
    "You take the logarithm of y alone, which fits an exponential curve: take that of x too."
)
def logarithm_of_y_alone(x, y):
    slope, height = np.polyfit(x, np.log(y), 1)
    return float(np.exp(height)), float(slope)


@power_law_equals_lstsq.rejects(
    "Your exponent has the wrong sign: wanted the slope of the line itself."
)
def falling(x, y):
    A, beta = fit_power_law(x, y)
    return A, -beta


@zipf_equals_categorical.rejects(
    "You give the mean of one word; wanted the sum over all words of the text."
)
def mean_of_a_word(counts, exponent):
    return zipf_log_likelihood(counts, exponent) / float(counts.sum())


@zipf_equals_categorical.rejects(
    "Your product of probabilities is too small for a float, and becomes 0: add logarithms."
)
def logarithm_of_a_product(counts, exponent):
    p = np.arange(1.0, len(counts) + 1) ** -exponent
    return float(np.log(np.prod((p / p.sum()) ** counts)))


@rare_share_equals_counting.rejects(
    "You divide by the tokens that occur; wanted the share of the whole vocabulary, and those that never occur are rare too."
)
def share_of_those_in_use(counts, fewest):
    used = counts[counts > 0]
    return float((used < fewest).sum() / max(len(used), 1))


@rare_share_equals_counting.rejects(
    "You count the tokens that are not rare: wanted those that occur fewer than `fewest` times."
)
def share_of_frequent_ones(counts, fewest):
    return float((counts >= fewest).mean())
