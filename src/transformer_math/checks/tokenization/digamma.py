"""Checks of the digamma function, against PyTorch's, and of its series, against the Bernoulli numbers."""

from fractions import Fraction
from math import comb

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import tokens
from transformer_math.tokenization.digamma import digamma, digamma_series


def bernoulli(last: int) -> list[Fraction]:
    """The Bernoulli numbers B₀ to B_last, each from those before it."""
    numbers = [Fraction(1)]
    for m in range(1, last + 1):
        terms = (comb(m + 1, j) * number for j, number in enumerate(numbers))
        numbers.append(-sum(terms, Fraction()) / (m + 1))
    return numbers


@check(digamma_series, equation="eq-digamma-series", oracle="the Bernoulli numbers")
def digamma_series_equals_bernoulli_numbers(digamma_series, rng):
    y = np.exp(tokens(rng, int(rng.integers(1, 5))).clip(-2, 12))
    terms = [float(b / k) * y**-k for k, b in enumerate(bernoulli(10)) if k > 1]
    return difference(digamma_series(y), np.log(y) - 1 / (2 * y) - sum(terms))


@digamma_series_equals_bernoulli_numbers.rejects(
    "You take the Bernoulli numbers as they are: divide each B_2k by 2k."
)
def undivided(y):
    terms = [float(b) * y**-k for k, b in enumerate(bernoulli(10)) if k > 1]
    return np.log(y) - 1 / (2 * y) - sum(terms)


@digamma_series_equals_bernoulli_numbers.rejects(
    "Your terms all have one sign: the Bernoulli numbers alternate, so every other term is added."
)
def of_one_sign(y):
    terms = [float(abs(b) / k) * y**-k for k, b in enumerate(bernoulli(10)) if k > 1]
    return np.log(y) - 1 / (2 * y) - sum(terms)


@digamma_series_equals_bernoulli_numbers.rejects(
    "You stop too early: the series has five terms after 1/(2y), up to y to the power of 10."
)
def one_term_short(y):
    return digamma_series(y) + 1 / (132 * y**10)


@check(digamma, equation="eq-digamma", oracle="torch.digamma")
def digamma_equals_torch(digamma, rng):
    x = np.exp(tokens(rng, int(rng.integers(1, 5))).clip(-6, 12))
    return difference(digamma(x), torch.digamma(torch.from_numpy(x)))


@digamma_equals_torch.rejects(
    "You take the logarithm: the digamma lies below it, by about 1/(2x)."
)
def logarithm(x):
    return np.log(x)


@digamma_equals_torch.rejects(
    "You use the series where it is not good: move x up first, with ψ(x) = ψ(x + 1) − 1/x."
)
def series_near_zero(x):
    return np.log(x) - 1 / (2 * x) - 1 / (12 * x**2)


@digamma_equals_torch.rejects(
    "You come back from x + 10 with one step too few: each step down takes away 1/(x + k), from k = 0 to 9."
)
def one_step_short(x):
    return digamma(x) + 1 / (x + 9)
