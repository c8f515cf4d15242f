"""Checks of the digamma function, against PyTorch's."""

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import tokens
from transformer_math.tokenization.digamma import digamma


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
