"""Checks of min-p: every token against the likeliest one, in fractions; and PyTorch's softmax before the cut."""

from fractions import Fraction

import numpy as np
import torch

from transformer_math.attention.softmax import softmax
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import (
    batch,
    longest,
    or_edge,
    size,
    sometimes,
    tokens,
)
from transformer_math.output.min_p import min_p, min_p_from_logits


def shares_of_sixteen(rng):
    """Rows that sum to 1, every second one in sixteenths: ties, zeros, and tokens exactly on the threshold."""
    V = size(rng)
    if rng.random() < 0.5:
        return rng.dirichlet(np.ones(V), size=batch(rng))
    return rng.multinomial(16, np.ones(V) / V, size=batch(rng)) / 16


def random_share(rng):
    """How likely a token must be beside the likeliest one: 0, tiny, some in between, 1."""
    return float(rng.choice([0.0, 1e-200, 0.15, 0.25, 0.5, 0.7, 1.0]))


def far_down(p):
    """The same rows with a token that is all but impossible after them."""
    return np.concatenate([p, np.full((*p.shape[:-1], 1), 1e-200)], axis=-1)


@check(
    min_p,
    equation="eq-min-p",
    axes={"p": "V", "return": "V"},
    oracle="each token against the likeliest one, in fractions",
    cases=60,
)
def min_p_equals_fractions(min_p, rng):
    p, p_base = shares_of_sixteen(rng), random_share(rng)
    if longest():
        p = far_down(p)
    wanted = np.zeros(p.shape)
    for place in np.ndindex(p.shape[:-1]):
        row = [Fraction(x) for x in p[place]]
        least = Fraction(p_base) * max(row)
        kept = [x if x >= least else Fraction(0) for x in row]
        wanted[place] = [float(x / sum(kept)) for x in kept]
    return difference(min_p(p, p_base), wanted)


min_p_equals_fractions.visits(
    "a tie for the first place",
    lambda p: bool(((p == p.max(axis=-1, keepdims=True)).sum(axis=-1) > 1).any()),
)
min_p_equals_fractions.visits(
    "a token exactly on the threshold",
    lambda p, p_base: (
        0 < p_base < 1
        and bool((p == p_base * p.max(axis=-1, keepdims=True))[p > 0].any())
    ),
)
min_p_equals_fractions.visits(
    "a probability of 1e-200", lambda p: bool(((p > 0) & (p <= 1e-200)).any())
)


def renormalised(p):
    return p / p.sum(axis=-1, keepdims=True)


def kept_above(p, threshold):
    """Renormalised, with what reaches the threshold; a row of which nothing is left stays 0."""
    kept = np.where(p >= threshold, p, 0)
    return kept / np.maximum(kept.sum(axis=-1, keepdims=True), 1e-300)


@min_p_equals_fractions.rejects(
    "You compare with p_base itself, whatever the likeliest token has: the threshold is p_base times the largest probability of the row."
)
def threshold_that_stays(p, p_base):
    return kept_above(p, p_base)


@min_p_equals_fractions.rejects(
    "You leave out the tokens that lie exactly on the threshold: at least, >=, is wanted; with p_base = 1 not even the likeliest token would be left."
)
def strictly_above(p, p_base):
    kept = np.where(p > p_base * p.max(axis=-1, keepdims=True), p, 0)
    return kept / np.maximum(kept.sum(axis=-1, keepdims=True), 1e-300)


@min_p_equals_fractions.rejects(
    "What you keep does not sum to 1: divide by the sum of what is left."
)
def not_renormalised(p, p_base):
    return np.where(min_p(p, p_base) > 0, p, 0)


@min_p_equals_fractions.rejects(
    "You compare every row with the largest number of the whole array: each row has a likeliest token of its own, axis=-1, keepdims=True."
)
def one_best_for_all(p, p_base):
    return kept_above(p, p_base * p.max())


@min_p_equals_fractions.rejects(
    "You divide by the sum of the whole array: each row sums to 1 by itself, axis=-1, keepdims=True."
)
def divided_by_everything(p, p_base):
    kept = np.where(min_p(p, p_base) > 0, p, 0)
    return kept / kept.sum()


@min_p_equals_fractions.rejects(
    "You take the tokens that lie at most p_base below the largest probability: the threshold is the product of the two, not the difference."
)
def subtracted(p, p_base):
    return kept_above(p, p.max(axis=-1, keepdims=True) - p_base)


@min_p_equals_fractions.rejects(
    "You keep the tokens until their sum reaches 1 − p_base, as the nucleus does: here nothing is added up, each token is compared with the likeliest."
)
def nucleus_instead(p, p_base):
    order = np.argsort(-p, axis=-1, kind="stable")
    ordered = np.take_along_axis(p, order, axis=-1)
    before = ordered.cumsum(axis=-1) - ordered
    kept = (before < 1 - p_base) | (before == 0)
    return renormalised(
        np.where(np.take_along_axis(kept, order.argsort(axis=-1), axis=-1), p, 0)
    )


@min_p_equals_fractions.rejects(
    "You keep the tokens below the threshold and drop those above it."
)
def upside_down(p, p_base):
    kept = np.where(p <= p_base * p.max(axis=-1, keepdims=True), p, 0)
    return kept / np.maximum(kept.sum(axis=-1, keepdims=True), 1e-300)


@min_p_equals_fractions.rejects(
    "Of several likeliest tokens you keep one: p_base = 1 keeps all that share the first place."
)
def one_of_the_first(p, p_base):
    if p_base < 1:
        return min_p(p, p_base)
    return np.eye(p.shape[-1])[p.argmax(axis=-1)]


@min_p_equals_fractions.rejects(
    "All that you keep is equally likely: keep the probabilities, and divide them by their sum."
)
def equally_likely(p, p_base):
    return renormalised((min_p(p, p_base) > 0).astype(float))


@min_p_equals_fractions.rejects(
    "You take the softmax of what is left; these are probabilities already: divide by their sum."
)
def softmax_again(p, p_base):
    return renormalised(np.where(min_p(p, p_base) > 0, np.exp(p), 0))


@min_p_equals_fractions.rejects(
    "You look for the likeliest token down the first axis: it is the largest number of each row, axis=-1."
)
def down_the_rows(p, p_base):
    return kept_above(p, p_base * p.max(axis=0, keepdims=True))


@min_p_equals_fractions.rejects(
    "You return what is left and renormalise by the largest number; a distribution sums to 1."
)
def divided_by_the_largest(p, p_base):
    return min_p(p, p_base) / min_p(p, p_base).max(axis=-1, keepdims=True)


@check(
    min_p_from_logits,
    equation="eq-min-p-from-logits",
    axes={"logits": "V", "return": "V"},
    oracle="torch.softmax of logits / T, cut and divided by its sum",
    cases=60,
)
def min_p_from_logits_equals_torch(min_p_from_logits, rng):
    x = tokens(rng, size(rng))
    x = np.round(x) if rng.random() < 0.3 else x
    x[..., 1:][rng.random(x[..., 1:].shape) < or_edge(rng, 0.3, 0.0)] = -np.inf
    given, temperature = sometimes(rng, float(10 ** rng.uniform(-1, 1)), 1.0)
    p_base = random_share(rng)
    if longest():
        x, given, temperature = x * 1e200, (1e-3,), 1e-3
    p = torch.softmax(torch.from_numpy(x) / temperature, dim=-1)
    kept = p.masked_fill(p < p_base * p.amax(dim=-1, keepdim=True), 0)
    return difference(
        min_p_from_logits(x, p_base, *given), kept / kept.sum(dim=-1, keepdim=True)
    )


min_p_from_logits_equals_torch.visits(
    "logits of 1e200", lambda logits: bool(np.abs(logits).max() >= 1e200)
)


def from_ratios(logits, p_base, temperature, kept):
    """The distribution over the tokens whose ratios to the likeliest one pass a test."""
    ratios = np.exp((logits - logits.max(axis=-1, keepdims=True)) / temperature)
    left = np.where(kept(ratios), ratios, 0)
    return left / np.maximum(left.sum(axis=-1, keepdims=True), 1e-300)


@min_p_from_logits_equals_torch.rejects("You ignore the temperature.")
def temperature_ignored(logits, p_base, temperature=1.0):
    return min_p_from_logits(logits, p_base)


@min_p_from_logits_equals_torch.rejects(
    "You choose the tokens at a temperature of 1, and then apply the temperature: the ratio that p_base is compared with has the temperature in it."
)
def chosen_before_the_temperature(logits, p_base, temperature=1.0):
    kept = min_p_from_logits(logits, p_base) > 0
    return softmax(np.where(kept, logits, -np.inf) / temperature)


@min_p_from_logits_equals_torch.rejects(
    "You choose the tokens at this temperature and draw from them at a temperature of 1: both want it."
)
def temperature_for_the_choice_alone(logits, p_base, temperature=1.0):
    kept = min_p_from_logits(logits, p_base, temperature) > 0
    return softmax(np.where(kept, logits, -np.inf))


@min_p_from_logits_equals_torch.rejects(
    "You multiply by the temperature: a hot model is a flat one, so logits are divided."
)
def multiplied(logits, p_base, temperature=1.0):
    return min_p_from_logits(logits, p_base, 1 / temperature)


@min_p_from_logits_equals_torch.rejects(
    "You compare logits with p_base times the largest logit: of logits it is the difference that counts, e to its power is the ratio of the probabilities."
)
def share_of_the_logit(logits, p_base, temperature=1.0):
    kept = logits >= p_base * logits.max(axis=-1, keepdims=True)
    kept |= logits == logits.max(axis=-1, keepdims=True)
    return softmax(np.where(kept, logits, -np.inf) / temperature)


@min_p_from_logits_equals_torch.rejects(
    "Your exponentials overflow: take the row's largest logit away first; the ratios are the same."
)
def overflowing(logits, p_base, temperature=1.0):
    powers = np.exp(logits / temperature)
    kept = np.where(powers >= p_base * powers.max(axis=-1, keepdims=True), powers, 0)
    return kept / kept.sum(axis=-1, keepdims=True)


@min_p_from_logits_equals_torch.rejects(
    "What you keep does not sum to 1: divide by the sum of what is left."
)
def ratios_alone(logits, p_base, temperature=1.0):
    ratios = np.exp((logits - logits.max(axis=-1, keepdims=True)) / temperature)
    return np.where(ratios >= p_base, ratios, 0)


@min_p_from_logits_equals_torch.rejects(
    "You cut before you know how likely the best token is: exp(logits) is no probability. Compare e to the power of each logit less the largest."
)
def powers_against_the_share(logits, p_base, temperature=1.0):
    def kept(ratios):
        return (np.exp(np.minimum(logits / temperature, 700)) >= p_base) | (ratios == 1)

    return from_ratios(logits, p_base, temperature, kept)


@min_p_from_logits_equals_torch.rejects(
    "You leave out the tokens that lie exactly on the threshold: at least, >=, is wanted; with p_base = 1 not even the likeliest token would be left."
)
def strictly_above_the_share(logits, p_base, temperature=1.0):
    return from_ratios(logits, p_base, temperature, lambda r: r > p_base)


@min_p_from_logits_equals_torch.rejects(
    "You return the logits of the tokens that stay, and −∞ elsewhere; wanted the probabilities, so take the softmax."
)
def logits_that_stay(logits, p_base, temperature=1.0):
    kept = min_p_from_logits(logits, p_base, temperature) > 0
    return np.where(kept, logits / temperature, -np.inf)
