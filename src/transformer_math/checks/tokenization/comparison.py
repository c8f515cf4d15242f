"""Checks of the numbers that compare tokenizers, against PyTorch and by going through a text token by token."""

import math
from decimal import Decimal, localcontext

import numpy as np
import torch

from transformer_math.checks.compare import difference, worst
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import longest, smallest, sometimes
from transformer_math.tokenization.comparison import (
    bits_per_character,
    renyi_efficiency,
    renyi_entropy,
)

NEXT_TO_ONE = 1 - 1e-6
LARGE = 1100.0  # an order at which all powers of these shares are 0


def random_counts(rng):
    """Counts of two to thirty tokens, some of them 0; in the longest case each less than half of all."""
    if longest():
        return rng.integers(10, 40, size=30).astype(float)
    if smallest():
        return np.array([float(rng.integers(1, 9))])
    counts = rng.integers(0, 40, size=int(rng.integers(2, 30))) * (rng.random() < 0.9)
    return np.append(counts, rng.integers(1, 9)).astype(float)


def random_order(rng):
    """An order of the entropy: 1 in one case of four, and once so near to 1 that differences are small."""
    if longest():
        return 1.001
    return float(rng.choice([1.0, 0.5, 2.0, rng.uniform(0.1, 6)]))


def by_torch(p, alpha):
    """Rényi's entropy in bits, through logarithms of sums of exponentials."""
    p = torch.from_numpy(p)
    if alpha == 1:
        return float(torch.special.entr(p).sum() / math.log(2))
    return float(torch.logsumexp(alpha * p.log(), 0) / (1 - alpha) / math.log(2))


def in_decimals(counts, alpha):
    """The same in fifty digits: next to α = 1 floats lose too many."""
    with localcontext(prec=50):
        of_all, order = Decimal(float(counts.sum())), Decimal(alpha)
        powers = [(Decimal(c) / of_all) ** order for c in counts.tolist() if c]
        return float(sum(powers).ln() / (1 - order) / Decimal(2).ln())


@check(
    renyi_entropy,
    equation="eq-renyi-entropy",
    oracle="torch.logsumexp, torch.special.entr at α = 1, and decimals next to it",
    cases=60,
)
def renyi_equals_torch(renyi_entropy, rng):
    counts, alpha = random_counts(rng), random_order(rng)
    p = counts / counts.sum()
    if not longest():
        return difference(renyi_entropy(p, alpha), by_torch(p, alpha))
    wanted = {order: by_torch(p, order) for order in (alpha, LARGE)}
    wanted[NEXT_TO_ONE] = in_decimals(counts, NEXT_TO_ONE)
    return worst(difference(renyi_entropy(p, order), wanted[order]) for order in wanted)


renyi_equals_torch.visits(
    "powers that are all 0", lambda p, alpha: not (p**alpha).any()
)


@renyi_equals_torch.rejects(
    "At a large α all your powers are 0: take the largest entry out of the sum first, and add α times its logarithm again."
)
def powers_as_they_are(p, alpha):
    if alpha == 1:
        return renyi_entropy(p, 1.0)
    with np.errstate(divide="ignore"):
        return float(np.log2((p[p > 0] ** alpha).sum()) / (1 - alpha))


@renyi_equals_torch.rejects(
    "You give Shannon's entropy wherever α is near 1, as np.isclose has it: at α = 1 alone the quotient is 0/0."
)
def shannon_near_one(p, alpha):
    return renyi_entropy(p, 1.0 if np.isclose(alpha, 1) else alpha)


@renyi_equals_torch.rejects("Your entropy is in nats; wanted bits: log to the base 2.")
def entropy_in_nats(p, alpha):
    return renyi_entropy(p, alpha) * math.log(2)


@renyi_equals_torch.rejects(
    "Your entropy has the wrong sign: divide by 1 − α, not by α − 1."
)
def entropy_negative(p, alpha):
    return -renyi_entropy(p, alpha)


@renyi_equals_torch.rejects(
    "You give Shannon's entropy at every α; wanted the logarithm of the sum of p to the power of α."
)
def always_shannon(p, alpha):
    return renyi_entropy(p, 1.0)


@renyi_equals_torch.rejects(
    "At α = 1 your formula divides 0 by 0: there the entropy is Shannon's."
)
def nothing_at_one(p, alpha):
    return math.nan if alpha == 1 else renyi_entropy(p, alpha)


@renyi_equals_torch.rejects(
    "You forget the factor 1 / (1 − α) in front of the logarithm."
)
def without_the_factor(p, alpha):
    return renyi_entropy(p, alpha) * (1 if alpha == 1 else 1 - alpha)


@renyi_equals_torch.rejects(
    "You take Tsallis's entropy, which has no logarithm: (1 − Σ p^α) / (α − 1)."
)
def entropy_of_tsallis(p, alpha):
    if alpha == 1:
        return renyi_entropy(p, 1.0)
    return float((1 - (p[p > 0] ** alpha).sum()) / (alpha - 1))


@check(
    renyi_efficiency,
    equation="eq-renyi-efficiency",
    symbols={"counts": "c"},
    oracle="torch.logsumexp, by log2 of the size of the vocabulary",
)
def efficiency_equals_torch(renyi_efficiency, rng):
    counts = np.append(random_counts(rng), 1.0)
    given, alpha = sometimes(rng, random_order(rng), 2.5)
    wanted = by_torch(counts / counts.sum(), alpha) / math.log2(len(counts))
    return difference(renyi_efficiency(counts, *given), wanted)


efficiency_equals_torch.excuses(
    "log2(1) = 0: one token has no efficiency, and is refused", "V = 1"
)


@efficiency_equals_torch.rejects(
    "You divide by the logarithm of the number of tokens that occur; wanted that of the whole vocabulary, unused tokens included."
)
def by_those_in_use(counts, alpha=2.5):
    used = counts[counts > 0]
    whole = renyi_entropy(used / used.sum(), alpha)
    return whole / math.log2(len(used)) if len(used) > 1 else 0.0


@efficiency_equals_torch.rejects(
    "Entropy in bits by a natural logarithm: take both to the same base."
)
def bits_by_nats(counts, alpha=2.5):
    return renyi_efficiency(counts, alpha) / math.log(2)


@efficiency_equals_torch.rejects(
    "You divide by the logarithm of the length of the text; wanted that of the size of the vocabulary."
)
def by_the_length_of_the_text(counts, alpha=2.5):
    return renyi_entropy(counts / counts.sum(), alpha) / math.log2(counts.sum() + 1)


@efficiency_equals_torch.rejects(
    "You return the entropy itself; wanted its share of the largest, log2 V."
)
def entropy_itself(counts, alpha=2.5):
    return renyi_entropy(counts / counts.sum(), alpha)


@efficiency_equals_torch.rejects(
    "You divide by V; wanted its logarithm, which is the largest entropy."
)
def by_the_size_itself(counts, alpha=2.5):
    return renyi_entropy(counts / counts.sum(), alpha) / len(counts)


@check(
    bits_per_character,
    equation="eq-bits-per-character",
    symbols={"counts": "c"},
    oracle="adding up −log2 of a frequency, token by token",
)
def bits_equal_those_token_by_token(bits_per_character, rng):
    counts = random_counts(rng)
    text = [v for v, count in enumerate(counts) for _ in range(int(count))]
    n_characters = 1 if smallest() else len(text) + int(rng.integers(50))
    wanted = sum(-math.log2(text.count(v) / len(text)) for v in text) / n_characters
    return difference(bits_per_character(counts, n_characters), wanted)


@bits_equal_those_token_by_token.rejects(
    "You give the bits of a token; wanted those of a character, or tokenizers with long tokens look worse than they are."
)
def bits_of_a_token(counts, n_characters):
    return bits_per_character(counts, int(counts.sum()))


@bits_equal_those_token_by_token.rejects(
    "You count in nats; wanted bits: log to the base 2."
)
def nats_per_character(counts, n_characters):
    return bits_per_character(counts, n_characters) * math.log(2)


@bits_equal_those_token_by_token.rejects(
    "You write every token with log2 V bits; wanted frequent tokens to take fewer."
)
def all_tokens_alike(counts, n_characters):
    return float(counts.sum() * math.log2(len(counts)) / n_characters)


@bits_equal_those_token_by_token.rejects(
    "You add the bits of each token of the vocabulary once; wanted as often as it stands in the text."
)
def each_token_once(counts, n_characters):
    used = counts[counts > 0]
    return float(-np.log2(used / used.sum()).sum() / n_characters)


@bits_equal_those_token_by_token.rejects(
    "You give the entropy of the tokens, in bits for one token, and divide that by the characters: multiply by the number of tokens."
)
def entropy_by_characters(counts, n_characters):
    return bits_per_character(counts, n_characters) / float(counts.sum())


@bits_equal_those_token_by_token.rejects(
    "Your quotient is upside down: the bits of all tokens, by the number of characters."
)
def upside_down(counts, n_characters):
    return (
        bits_per_character(counts, n_characters) * n_characters**2 / counts.sum() ** 2
    )
