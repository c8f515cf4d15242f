"""The loss of TS2Vec: a moment's vectors in two views shall know each other, among other moments and among other series."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import NonNegative, contract, requires

_a_share = requires(
    lambda alpha: alpha <= 1,
    "alpha is {alpha}; wanted a weight of at most 1, since the other contrast gets the rest. Fix: alpha = 0.5.",
)


@contract
def contrast(R: Float[np.ndarray, "... n d"], S: Float[np.ndarray, "... n d"]) -> float:
    r"""How hard it is to find, for each row of R, its partner among all rows of S and all other rows of R: the mean over all rows.

        contrast(R, S) = 1/n Σ_t (ln Σ_u (exp(R_t · S_u) + (1 - [u = t]) exp(R_t · R_u)) - R_t · S_t)

    Book: eq-contrast. Source: Yue et al. (2022), equations 1 and 2, arXiv:2106.10466.

    >>> round(contrast(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[9.0, 0.0], [0.0, 9.0]])), 4)
    0.0002
    """
    with_S, with_R = R @ np.swapaxes(S, -1, -2), R @ np.swapaxes(R, -1, -2)
    with_R = np.where(np.eye(R.shape[-2], dtype=bool), -np.inf, with_R)
    scores = np.concatenate([with_S, with_R], axis=-1)
    top = scores.max(axis=-1, keepdims=True)
    sums = top[..., 0] + np.log(np.exp(scores - top).sum(axis=-1))
    return float((sums - (R * S).sum(axis=-1)).mean())


@contract
@_a_share
def dual_contrast(
    R: Float[np.ndarray, "B n d"],
    S: Float[np.ndarray, "B n d"],
    alpha: NonNegative = 0.5,
) -> float:
    r"""The contrast among the moments of each series, and that among the series at each moment, by weight.

        R'_ti = R_it
        S'_ti = S_it
        dual(R, S) = (1 - α)/B Σ_i contrast(R_i, S_i) + α/n Σ_t contrast(R'_t, S'_t)

    Book: eq-dual-contrast. Source: Yue et al. (2022), equation 3, arXiv:2106.10466.

    >>> round(dual_contrast(np.zeros((2, 3, 1)), np.zeros((2, 3, 1))), 3)  # ln 5 and ln 3: a blind guess
    1.354
    """
    temporal, instance = contrast(R, S), contrast(R.swapaxes(0, 1), S.swapaxes(0, 1))
    return (1 - alpha) * temporal + alpha * instance


@contract
@requires(
    lambda R: R.shape[-2] >= 2,
    "R has one moment alone; two of them make one. Fix: a longer series.",
)
def halve_time(R: Float[np.ndarray, "... n d"]) -> Float[np.ndarray, "... m d"]:
    r"""Half as many moments: of two neighbours the larger number, column by column. An odd one at the end is dropped.

        halve(R)_tj = max(R_{2t, j}, R_{2t + 1, j})
        t = 0, …, h - 1
        j = 0, …, d - 1

    Book: eq-halve-time. Source: Yue et al. (2022), algorithm 1, arXiv:2106.10466.

    >>> halve_time(np.array([[1.0, 7.0], [4.0, 2.0], [9.0, 9.0]]))
    array([[4., 7.]])
    """
    even = R.shape[-2] // 2 * 2
    return np.maximum(R[..., :even:2, :], R[..., 1::2, :])


@contract
@_a_share
def hierarchical_contrast(
    R: Float[np.ndarray, "B n d"],
    S: Float[np.ndarray, "B n d"],
    alpha: NonNegative = 0.5,
) -> float:
    r"""The mean of the dual contrast over all levels: the moments themselves, pairs, fours, … until one vector is left.

        R^(k) = halve(R^(k-1))
        S^(k) = halve(S^(k-1))
        k = 1, …, D
        L = 1/(D + 1) Σ_{k=0}^D dual(R^(k), S^(k))

    Book: eq-hierarchical-contrast. Source: Yue et al. (2022), algorithm 1, arXiv:2106.10466.

    >>> round(hierarchical_contrast(np.zeros((1, 2, 1)), np.zeros((1, 2, 1))), 3)  # ln 3, halved twice
    0.275
    """
    levels = [dual_contrast(R, S, alpha)]
    while R.shape[1] > 1:
        R, S = halve_time(R), halve_time(S)
        levels.append(dual_contrast(R, S, alpha))
    return float(np.mean(levels))
