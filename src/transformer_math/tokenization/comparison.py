"""Numbers that compare tokenizers: how evenly tokens are used, and what a text costs whoever knows their counts."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Positive, Size, contract, requires

NEAR = 1e-2  # to alpha = 1

_counted = requires(
    lambda counts: counts.min() >= 0 and counts.sum() > 0,
    "counts must be at least 0, and not all 0: one for each token of the vocabulary. Fix: np.bincount(ids, minlength=V).",
)


@contract
@requires(
    lambda p: p.min() >= 0 and abs(p.sum() - 1) < 1e-6,
    "p must be at least 0 and sum to 1. Fix: counts / counts.sum().",
)
def renyi_entropy(p: Float[np.ndarray, " V"], alpha: Positive) -> float:
    r"""Rényi's entropy of a distribution, in bits: Shannon's at alpha = 1; larger alpha, more weight for frequent tokens.

        entropy(p) = {-Σ_v p_v log_2 p_v if α = 1; 1/(1 - α) log_2 Σ_v p_v^α otherwise}

    Book: eq-renyi-entropy. Source: Rényi (1961).

    >>> renyi_entropy(np.array([0.25, 0.25, 0.25, 0.25]), 2.0)
    2.0
    """
    logs = np.log2(used := p[p > 0])
    if alpha == 1:
        return 0.0 - float(used @ logs)
    if abs(alpha - 1) < NEAR:  # p^alpha = p + p (p^(alpha - 1) - 1), and Σ p = 1
        excess = used @ np.expm1((alpha - 1) * np.log(used))
        return float(np.log1p(excess) / (1 - alpha) / np.log(2))
    highest = logs.max()  # taken out of the sum, whose powers may all be 0
    rest = np.log2(np.exp2(alpha * (logs - highest)).sum())
    return float(alpha / (1 - alpha) * highest + rest / (1 - alpha))


@contract
@_counted
@requires(
    lambda counts: counts.size > 1,
    "a vocabulary of one token has no efficiency, since log2(1) = 0. Fix: count at least two tokens.",
)
def renyi_efficiency(counts: Float[np.ndarray, " V"], alpha: Positive = 2.5) -> float:
    r"""How evenly a vocabulary is used, from 0 to 1: Rényi's entropy of its tokens by the largest that it could be.

        efficiency(c) = entropy(p)/(log_2 V) where p = c/(Σ_v c_v)

    Book: eq-renyi-efficiency. Source: Zouhar et al. (2023), arXiv:2306.16842.

    >>> renyi_efficiency(np.array([5.0, 5.0, 0.0, 0.0]))
    0.5
    """
    return renyi_entropy(counts / counts.sum(), alpha) / float(np.log2(counts.size))


@contract
@_counted
def bits_per_character(counts: Float[np.ndarray, " V"], n_characters: Size) -> float:
    r"""The bits that a text takes for each of its characters, if each token is written by its frequency in that text.

        bits = -1/n_characters Σ_v c_v log_2 c_v/(Σ_u c_u)

    Book: eq-bits-per-character. Source: Shannon (1948).

    >>> bits_per_character(np.array([2.0, 2.0]), n_characters=8)
    0.5
    """
    used = counts[counts > 0]
    return float(-(used * np.log2(used / counts.sum())).sum() / n_characters)
