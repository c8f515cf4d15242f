"""Checks of Kneser-Ney smoothing, by exact fractions and by hand-made counts."""

from fractions import Fraction

import numpy as np

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import few, size, smallest
from transformer_math.trained.kneser_ney import kneser_ney, kneser_ney_discount


@check(
    kneser_ney,
    equation="eq-kneser-ney",
    oracle="absolute discounting token by token, in exact fractions",
)
def kneser_ney_shares_what_was_taken(kneser_ney, rng):
    V, D = size(rng, at_least=2), Fraction(int(rng.integers(11)), 10)
    whole = [context(rng, V, D) for _ in range(few(rng))]
    columns = np.concatenate(whole, axis=1)
    places = np.arange(V)
    if not smallest() and rng.random() < 0.5:  # tokens of several contexts, mixed
        places = rng.choice(columns.shape[1], size=size(rng))
    *integers, shorter, wanted = columns[:, places]
    counts = (column.astype(int) for column in integers)
    return difference(kneser_ney(*counts, float(D), shorter), wanted)


def context(rng, V, D):
    """A whole context, a row each: counts, total, kinds, the shorter context's distribution, and what is wanted."""
    counts = rng.integers(5, size=V)
    counts[rng.integers(V)] += 1
    parts = [int(x) for x in rng.integers(1, 9, size=V)]
    shorter = [Fraction(part, sum(parts)) for part in parts]
    total = sum(map(int, counts))
    kept = [max(Fraction(int(c)) - D, Fraction(0)) / total for c in counts]
    free = 1 - sum(kept)  # what all the discounts left over
    wanted = [k + free * q for k, q in zip(kept, shorter)]
    kinds = (counts > 0).sum()
    rows = counts, np.full(V, total), np.full(V, kinds), shorter, wanted
    return np.array(rows, dtype=float)


@kneser_ney_shares_what_was_taken.rejects(
    "Your probabilities sum to less than 1: what the discount took off is shared by the shorter context, D N P′ / C."
)
def nothing_shared(counts, total, kinds, discount, shorter):
    return np.maximum(counts - discount, 0) / total


@kneser_ney_shares_what_was_taken.rejects(
    "You take the shorter context only where the count is 0: this is back-off. Interpolated, it is added everywhere."
)
def back_off(counts, total, kinds, discount, shorter):
    kept = np.maximum(counts - discount, 0)
    return np.where(counts > 0, kept, discount * kinds * shorter) / total


@kneser_ney_shares_what_was_taken.rejects(
    "You take no discount off the counts, so that all together exceed 1: c − D."
)
def no_discount(counts, total, kinds, discount, shorter):
    return (counts + discount * kinds * shorter) / total


@kneser_ney_shares_what_was_taken.rejects(
    "A count of 0 becomes −D in your version: nothing is taken where nothing is."
)
def below_zero(counts, total, kinds, discount, shorter):
    return (counts - discount + discount * kinds * shorter) / total


@kneser_ney_shares_what_was_taken.rejects(
    "You forget how many tokens gave a discount: D is taken N times, once for each kind."
)
def one_kind(counts, total, kinds, discount, shorter):
    return (np.maximum(counts - discount, 0) + discount * shorter) / total


@kneser_ney_shares_what_was_taken.rejects(
    "You count the total and the kinds anew, from the tokens that were given: they may be of several contexts, or a few of one. "
    "C and N are arguments."
)
def counted_anew(counts, total, kinds, discount, shorter):
    kept = np.maximum(counts - discount, 0)
    return (kept + discount * (counts > 0).sum() * shorter) / counts.sum()


@check(
    kneser_ney_discount,
    equation="eq-kneser-ney-discount",
    oracle="the n-grams counted one by one",
)
def discount_counts_one_by_one(kneser_ney_discount, rng):
    counts = rng.integers(1, 5, size=size(rng, at_least=3))
    counts[:2] = 1, 2
    if rng.random() < 0.25:
        counts[:] = 1  # nothing was seen twice
    once = twice = 0
    for count in counts.tolist():
        once, twice = once + (count == 1), twice + (count == 2)
    return difference(kneser_ney_discount(counts), once / (once + 2 * twice))


@discount_counts_one_by_one.rejects(
    "You count each n-gram that was seen twice once: its two occurrences count."
)
def without_the_two(counts):
    once, twice = ((counts == number).sum() for number in (1, 2))
    return float(once / (once + twice))


@discount_counts_one_by_one.rejects(
    "You divide by all n-grams: those that were seen once or twice decide."
)
def by_all(counts):
    return float((counts == 1).mean())


@discount_counts_one_by_one.rejects(
    "That is the share of what was seen twice, 2 n₂ / (n₁ + 2 n₂); the discount is the rest."
)
def the_rest(counts):
    once, twice = ((counts == number).sum() for number in (1, 2))
    return float(2 * twice / (once + 2 * twice))


@discount_counts_one_by_one.rejects(
    "You have n₁ and n₂ the wrong way round: D = n₁ / (n₁ + 2 n₂)."
)
def the_two_exchanged(counts):
    once, twice = ((counts == number).sum() for number in (1, 2))
    return float(once / (2 * once + twice))


@kneser_ney_shares_what_was_taken.rejects(
    "You mix the two by D, which is linear interpolation; here D is taken off every count that is not 0."
)
def mixed(counts, total, kinds, discount, shorter):
    return (1 - discount) * counts / total + discount * shorter


@kneser_ney_shares_what_was_taken.rejects(
    "What is shared out lacks the division by C: D N / C is a share of 1."
)
def share_not_divided(counts, total, kinds, discount, shorter):
    return np.maximum(counts - discount, 0) / total + discount * kinds * shorter


@kneser_ney_shares_what_was_taken.rejects(
    "Every token gets the whole of D N / C; it is shared out by the shorter context: times P′."
)
def the_whole_for_each(counts, total, kinds, discount, shorter):
    return (np.maximum(counts - discount, 0) + discount * kinds) / total
