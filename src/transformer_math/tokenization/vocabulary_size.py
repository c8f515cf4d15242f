"""How words and tokens are spread over a text: power laws, and how many entries of a vocabulary hardly occur."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Positive, Size, contract, requires

_ranked = requires(
    lambda counts: counts.size > 1 and (np.diff(counts) <= 0).all() and counts[-1] > 0,
    "counts must be at least two, positive, the largest first. Fix: np.sort(counts[counts > 0])[::-1].",
)


@contract
@requires(
    lambda x, y: x.min() > 0 and y.min() > 0,
    "x and y must be greater than 0, since their logarithms are fitted. Fix: leave out what is 0.",
)
@requires(
    lambda x: np.unique(x).size > 1,
    "x must hold two different numbers at least, since one has no slope. Fix: measure at more places.",
)
def fit_power_law(
    x: Float[np.ndarray, " n"], y: Float[np.ndarray, " n"]
) -> tuple[float, float]:
    r"""Fit y = A x^beta by least squares on logarithms; returns A and beta.

        β = (Σ_i (u_i - μ)(v_i - ν))/(Σ_i (u_i - μ)²), A = exp(ν - β μ)
        where u = ln x, v = ln y
        μ = 1/n Σ_i u_i, ν = 1/n Σ_i v_i

    Heaps' law has y the number of distinct words among the first x. Book: eq-power-law. Source: Heaps (1978).

    >>> tuple(round(number, 9) for number in fit_power_law(np.array([1.0, 4.0]), np.array([3.0, 6.0])))
    (3.0, 0.5)
    """
    u, v = np.log(x), np.log(y)
    mu, nu = u.mean(), v.mean()
    beta = ((u - mu) * (v - nu)).sum() / ((u - mu) ** 2).sum()
    return float(np.exp(nu - beta * mu)), float(beta)


@contract
@_ranked
def zipf_log_likelihood(counts: Float[np.ndarray, " V"], exponent: Positive) -> float:
    r"""The log-likelihood of a text, if the word of rank r had a probability proportional to r^-s.

        loglik(s) = -s Σ_{i=0}^(V-1) c_i ln(i + 1) - (Σ_{i=0}^(V-1) c_i) ln Σ_{i=0}^(V-1) (i + 1)^(-s)

    The counts come largest first. Book: eq-zipf. Source: Clauset, Shalizi and Newman (2009), arXiv:0706.1062.

    >>> round(zipf_log_likelihood(np.array([2.0, 1.0]), 1.0), 6)
    -1.909543
    """
    log_powers = -exponent * np.log(np.arange(1, counts.size + 1))
    return float(counts @ log_powers - counts.sum() * np.log(np.exp(log_powers).sum()))


@contract
@_ranked
@requires(
    lambda counts: counts[0] > counts[-1],
    "all counts are equal, and any exponent above 0 is worse than a smaller one. Fix: count more text.",
)
def zipf_exponent(counts: Float[np.ndarray, " V"]) -> float:
    r"""The exponent of Zipf's law that makes a text most likely: the expected logarithm of the rank is the one observed.

        loglik(s) = -s Σ_{i=0}^(V-1) c_i ln(i + 1) - (Σ_{i=0}^(V-1) c_i) ln Σ_{i=0}^(V-1) (i + 1)^(-s)

    The expectation falls with the exponent, so halving an interval finds it. Book: eq-zipf.
    Raises ValueError where all counts are equal.

    >>> round(zipf_exponent(np.array([2.0, 1.0])), 6)
    1.0
    """
    log_ranks = np.log(np.arange(1, counts.size + 1))
    observed = counts @ log_ranks / counts.sum()

    def expected(exponent):
        powers = np.exp(-exponent * log_ranks)  # the first is 1, so their sum is not 0
        return powers @ log_ranks / powers.sum()

    low, high = 0.0, 1.0
    while expected(high) > observed:
        low, high = high, 2 * high
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if expected(middle) > observed else (low, middle)
    return low


@contract
@requires(
    lambda counts: counts.min() >= 0,
    "counts must be at least 0, one for each token of the vocabulary. Fix: np.bincount(ids, minlength=V).",
)
def rare_share(counts: Float[np.ndarray, " V"], fewest: Size) -> float:
    r"""The share of a vocabulary that occurs fewer than `fewest` times: rows of the embedding that hardly learn.

        rare(c) = 1/V Σ_v [c_v < k]

    Book: eq-rare-share.

    >>> rare_share(np.array([9.0, 2.0, 0.0, 5.0]), fewest=5)
    0.5
    """
    return float((counts < fewest).mean())
