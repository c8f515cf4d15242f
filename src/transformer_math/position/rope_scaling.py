"""Rotary positions on texts longer than those in training: frequencies that are stretched, all alike or each in its measure."""

import math

import numpy as np
from jaxtyping import Float

from transformer_math.contract import EvenSize, Positive, Size, contract, requires
from transformer_math.position.sinusoidal import frequencies
from transformer_math.scaling import LARGEST_LOG

_longer = requires(
    lambda factor: factor >= 1,
    "factor is {factor}; wanted at least 1, how many times longer the texts become. Fix: factor = 4.0.",
)


@contract
@_longer
def interpolated_frequencies(
    d_k: EvenSize, factor: Positive, base: Positive = 10000.0
) -> Float[np.ndarray, " half"]:
    r"""Position interpolation: every plane turns that many times more slowly, as if positions were pressed together.

        ω'_r = (b^(-2r/d_k))/s, r = 0, …, d_k/2 - 1

    Book: eq-position-interpolation. Source: Chen et al. (2023), arXiv:2306.15595.

    >>> interpolated_frequencies(4, factor=2.0)
    array([0.5  , 0.005])
    """
    return frequencies(d_k, base) / factor


@contract
@_longer
@requires(
    lambda d_k: d_k >= 4,
    "d_k is {d_k}; wanted at least 4: a single plane is the fastest and the slowest at once. Fix: interpolate.",
)
@requires(
    lambda d_k, factor, base: (
        math.log(base) + d_k / (d_k - 2) * math.log(factor) < LARGEST_LOG
    ),
    "factor is {factor} and base {base}: the new base is beyond float64. Fix: factor = 4.0, base = 10000.0.",
)
def ntk_base(d_k: EvenSize, factor: Positive, base: Positive = 10000.0) -> float:
    r"""The base with which the fastest plane turns as before, and the slowest as with interpolation.

        b' = b s^(d_k / (d_k - 2))

    Book: eq-ntk-base. Source: Peng et al. (2023), section 3.1, arXiv:2309.00071.

    >>> round(ntk_base(4, factor=10.0), 6)
    1000000.0
    """
    return base * factor ** (d_k / (d_k - 2))


@contract
@_longer
@requires(
    lambda slow, fast: slow < fast,
    "slow is {slow} and fast {fast}; wanted fewer turns for slow planes than for fast ones. Fix: slow = 1.0, fast = 32.0.",
)
def yarn_frequencies(
    d_k: EvenSize,
    factor: Positive,
    trained: Size,
    base: Positive = 10000.0,
    slow: Positive = 1.0,
    fast: Positive = 32.0,
) -> Float[np.ndarray, " half"]:
    r"""YaRN's frequencies: planes that turned often in training stay, those that made no full turn are interpolated.

        ω'_r = κ_r ω_r + (1 - κ_r) ω_r/s
        κ_r = min(1, max(0, (L ω_r / (2π) - α)/(β - α)))
        ω_r = b^(-2r/d_k), r = 0, …, d_k/2 - 1

    Between `slow` and `fast` turns within the `trained` length, a mixture. Book: eq-yarn-frequencies.
    Source: Peng et al. (2023), section 3.2, arXiv:2309.00071.

    >>> yarn_frequencies(4, factor=2.0, trained=300)
    array([1.   , 0.005])
    """
    omega = frequencies(d_k, base)
    turns = trained * omega / (2 * np.pi)
    kept = np.clip((turns - slow) / (fast - slow), 0, 1)
    return kept * omega + (1 - kept) * omega / factor


@contract
@_longer
def yarn_scale(factor: Positive) -> float:
    r"""What YaRN multiplies queries and keys by, so that attention on a longer text stays as sharp.

        c = 0.1 ln s + 1

    Book: eq-yarn-scale. Source: Peng et al. (2023), section 3.4, arXiv:2309.00071.

    >>> yarn_scale(1.0)
    1.0
    """
    return 0.1 * math.log(factor) + 1
