"""Checks of dropout: PyTorch's own, whose mask is read off what it makes of ones; and thresholds in fractions."""

from fractions import Fraction

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import batch, or_edge, size, tokens
from transformer_math.training.dropout import dropout, dropout_mask


def sixteenths(rng):
    """Numbers and a probability of which many are equal."""
    u = rng.integers(0, 16, size=(*batch(rng), size(rng))) / 16
    return u, or_edge(rng, 0.0, int(rng.integers(1, 16)) / 16)


@check(
    dropout_mask,
    equation="eq-dropout-mask",
    symbols={"u": "u", "p": "p"},
    oracle="each number alone, in fractions",
)
def mask_equals_fractions(dropout_mask, rng):
    u, p = sixteenths(rng)
    wanted = np.zeros(u.shape, bool)
    for place in np.ndindex(u.shape):
        wanted[place] = not Fraction(u[place]) < Fraction(p)
    return difference(dropout_mask(u, p), wanted)


mask_equals_fractions.visits(
    "a random number that is p itself", lambda u, p: bool((u == p).any())
)
mask_equals_fractions.visits(
    "p = 0 and a random number of 0", lambda u, p: p == 0 and bool((u == 0).any())
)


@mask_equals_fractions.rejects(
    "You keep with the probability p: p is that of being dropped, so a number stays where u is at least p."
)
def kept_with_p(u, p):
    return u < p


@mask_equals_fractions.rejects(
    "A random number that is p itself keeps its place: u >= p. Otherwise p = 0 could drop something, namely where u is 0."
)
def strictly_more(u, p):
    return u > p


@mask_equals_fractions.rejects(
    "You compare with 1 - p: then a number stays with the probability p. It stays where u is at least p."
)
def the_other_share(u, p):
    return u >= 1 - p


@mask_equals_fractions.rejects(
    "You decide once for a whole row: each number has a random number of its own."
)
def whole_rows(u, p):
    return np.broadcast_to(u[..., :1] >= p, u.shape).copy()


@mask_equals_fractions.rejects("You drop half of them, whatever p is.")
def always_half(u, p):
    return u >= 0.5


@mask_equals_fractions.rejects(
    "You drop the p n smallest random numbers, so that their number is fixed: each number is decided by itself."
)
def a_fixed_number(u, p):
    place = np.argsort(np.argsort(u, axis=None)).reshape(u.shape)
    return place >= round(p * u.size)


def numbers_and_mask(rng):
    """Numbers, a probability, what PyTorch drops by it, and what it makes of the numbers."""
    x = tokens(rng, size(rng), size(rng))
    p = or_edge(rng, 0.0, rng.uniform(0.05, 0.95))
    seed = int(rng.integers(2**31))
    kept = torch_dropout(torch.ones(x.shape, dtype=torch.float64), p, seed) > 0
    return x, kept.numpy(), p, torch_dropout(torch.from_numpy(x), p, seed)


def torch_dropout(x, p, seed):
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return torch.nn.functional.dropout(x, p)


@check(
    dropout,
    equation="eq-dropout",
    symbols={"kept": "M"},
    oracle="torch.nn.functional.dropout, twice from one seed",
)
def dropout_equals_torch(dropout, rng):
    x, kept, p, wanted = numbers_and_mask(rng)
    return difference(dropout(x, kept, p), wanted)


dropout_equals_torch.visits("nothing is kept", lambda kept: not kept.any())
dropout_equals_torch.visits("everything is kept", lambda kept: bool(kept.all()))


@dropout_equals_torch.rejects(
    "You do not rescale: what stays is divided by 1 - p, so that the mean over all masks is x."
)
def not_rescaled(x, kept, p):
    return x * kept


@dropout_equals_torch.rejects(
    "You divide by p, the probability of being dropped; wanted that of staying, 1 - p."
)
def divided_by_p(x, kept, p):
    return x * kept / max(p, 1e-300)


@dropout_equals_torch.rejects(
    "You multiply by 1 - p; divide by it. What stays must stand in for what is gone, so it grows."
)
def multiplied(x, kept, p):
    return x * kept * (1 - p)


@dropout_equals_torch.rejects(
    "Your mask is inverted: True is what stays, and the others become 0."
)
def inverted(x, kept, p):
    return x * ~kept / (1 - p)


@dropout_equals_torch.rejects(
    "You divide by the share that happened to stay; it is the probability of staying, 1 - p, that makes the mean right, and that needs no look at the mask."
)
def by_the_share_that_stayed(x, kept, p):
    return x * kept / max(kept.mean(), 1e-300)


@dropout_equals_torch.rejects(
    "You draw a mask of your own: the one that is given is to be used, or nobody could pull back through it."
)
def another_mask(x, kept, p):
    drawn = np.random.default_rng(0).random(x.shape) >= p
    return x * drawn / (1 - p)


@dropout_equals_torch.rejects(
    "You drop nothing and scale everything by 1 - p. That is what dropout's first form does after training; here training does all the scaling, and afterwards nothing is done."
)
def as_if_it_were_in_use(x, kept, p):
    return x * (1 - p)


@dropout_equals_torch.rejects(
    "You drop nothing: 0 where the mask says False. Only after training does every number pass."
)
def nothing_dropped(x, kept, p):
    return np.copy(x)


@dropout_equals_torch.rejects(
    "You rescale with the root of 1 - p, which keeps the variance of numbers around 0; it is the mean that is to stay: 1 - p."
)
def by_the_root(x, kept, p):
    return x * kept / np.sqrt(1 - p)
