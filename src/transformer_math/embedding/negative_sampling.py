"""Negative sampling: tell each real pair from a few invented ones. Where the invented words come from, and what it factorises."""

from typing import Annotated

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import (
    NonNegative,
    OrMinusInfinity,
    Positive,
    Size,
    contract,
    requires,
)
from transformer_math.scaling import in_unit, powers_fit, scale_invariant

_some_words = requires(
    lambda counts: counts.min() >= 0 and counts.max() > 0,
    "the counts hold a negative number, or nothing but zeros. Fix: how often each word occurs.",
)


@contract
@_some_words
@requires(
    lambda counts, power: powers_fit(in_unit(counts), power),
    "power {power} takes counts out of the range of numbers. Fix: a power between 0 and 1, such as 0.75.",
)
@scale_invariant
def noise_distribution(
    counts: Float[np.ndarray, " V"], power: NonNegative = 0.75
) -> Float[np.ndarray, " V"]:
    r"""The probabilities with which invented neighbours are drawn: counts to a power, divided by their sum.

        q_v = (c_v^α)/(Σ_u c_u^α)

    Raises ValueError for a power that takes counts out of the range of numbers. Book: eq-noise.
    Source: Mikolov et al. (2013), arXiv:1310.4546.

    >>> noise_distribution(np.array([16.0, 1.0])).round(3)
    array([0.889, 0.111])
    """
    weights = counts**power
    return weights / weights.sum()


@contract
@_some_words
@scale_invariant
def keep_probability(
    counts: Float[np.ndarray, " V"], threshold: Positive = 1e-5
) -> Float[np.ndarray, " V"]:
    r"""The probability with which an occurrence of each word stays in the text: frequent words are thinned out.

        κ_v = √min(1, τ/f_v)
        f_v = c_v/(Σ_u c_u)

    Book: eq-keep. Source: Mikolov et al. (2013), section 2.3, arXiv:1310.4546.

    >>> keep_probability(np.array([96.0, 4.0]), threshold=0.06)
    array([0.25, 1.  ])
    """
    f = counts / counts.sum()
    return np.sqrt(np.divide(threshold, f, out=np.ones_like(f), where=f > threshold))


@contract
@requires(
    lambda targets, negatives, U: (
        min(targets.min(), negatives.min()) >= 0
        and max(targets.max(), negatives.max()) < len(U)
    ),
    lambda targets, negatives, U: (
        f"targets run from {targets.min()} to {targets.max()}, negatives from {negatives.min()} to {negatives.max()}; "
        f"wanted 0..{len(U) - 1}. Fix: number the words with one vocabulary."
    ),
)
def negative_sampling_loss(
    H: Float[np.ndarray, "m d"],
    targets: Int[np.ndarray, " m"],
    negatives: Int[np.ndarray, "m k"],
    U: Float[np.ndarray, "V d"],
) -> float:
    r"""How badly each real word is told from its k invented ones, by the vector that guesses: the mean over m cases.

        L = -1/m Σ_{i=0}^(m-1) (ln σ(H_i · U_{t_i}) + Σ_r ln σ(-H_i · U_{s_ir}))
        σ(x) = 1/(1 + e^(-x))

    For skip-gram a row of H is the vector of a centre, for CBOW the mean of the vectors around.
    Book: eq-negative-sampling. Source: Mikolov et al. (2013), equation 4, arXiv:1310.4546.

    >>> H, U = np.zeros((1, 1)), np.zeros((3, 1))
    >>> round(negative_sampling_loss(H, np.array([0]), np.array([[1, 2]]), U), 4)  # three guesses, each ln 2
    2.0794
    """
    real = np.vecdot(H, U[targets])
    invented = np.vecdot(H[:, None], U[negatives])
    losses = np.logaddexp(0, -real) + np.logaddexp(0, invented).sum(axis=-1)
    return float(losses.mean())


@contract
@requires(
    lambda C: C.min() >= 0 and C.sum(axis=1).min() > 0 and C.sum(axis=0).min() > 0,
    "C holds a negative count, or a word that was never counted. Fix: counts of 0 or more, of words that have neighbours.",
)
@requires(
    lambda C, smoothing: powers_fit(in_unit(C).sum(axis=0), smoothing),
    "smoothing {smoothing} takes counts out of the range of numbers. Fix: a power between 0 and 1, such as 0.75.",
)
@scale_invariant
def shifted_pmi(
    C: Float[np.ndarray, "V C"], k: Size, smoothing: NonNegative = 0.75
) -> Annotated[Float[np.ndarray, "V C"], OrMinusInfinity]:
    r"""What the score of each pair tends to, where the vectors are long enough: pointwise mutual information, less ln k.

        M_uv = ln C_uv/(q_v Σ_{v'} C_{uv'}) - ln k
        q_v = ((Σ_u C_uv)^α)/(Σ_{v'} (Σ_u C_{uv'})^α)

    A pair that was never counted has minus infinity. Raises ValueError for a power that takes counts out of the range of numbers.
    Book: eq-shifted-pmi.
    Source: Levy and Goldberg (2014), NeurIPS 27.

    >>> shifted_pmi(np.array([[2.0, 1.0], [1.0, 2.0]]), k=1).round(4)
    array([[ 0.2877, -0.4055],
           [-0.4055,  0.2877]])
    """
    q = noise_distribution(C.sum(axis=0), smoothing)
    with np.errstate(divide="ignore"):
        return np.log(C / (k * q * C.sum(axis=1, keepdims=True)))
