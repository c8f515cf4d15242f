"""The gradients of TS2Vec's loss: of one contrast, and of the whole loss through all its levels."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import NonNegative, Pullback, requires_as, twin
from transformer_math.modalities.series_contrast import (
    contrast,
    halve_time,
    hierarchical_contrast,
)


@twin
def contrast_vjp(
    R: Float[np.ndarray, "... n d"], S: Float[np.ndarray, "... n d"]
) -> tuple[float, Pullback]:
    r"""The contrast and its pullback: each row is drawn to its partner, and pushed from the others by their shares.

        N_t = Σ_u (exp(R_t · S_u) + (1 - [u = t]) exp(R_t · R_u))
        A_tu = exp(R_t · S_u) / N_t
        V_tu = (1 - [u = t]) exp(R_t · R_u) / N_t
        dR_tj = dL/n (Σ_u A_tu S_uj - S_tj + Σ_u (V_tu + V_ut) R_uj)
        dS_uj = dL/n (Σ_t A_tu R_tj - R_uj)
        t = 0, …, n - 1
        u = 0, …, n - 1

    Book: eq-contrast-vjp.

    >>> _, pullback = contrast_vjp(np.array([[1.0], [0.0]]), np.zeros((2, 1)))
    >>> [gradient.round(3).tolist() for gradient in pullback(1.0)]
    [[[0.0], [0.333]], [[-0.333], [0.167]]]
    """
    n = R.shape[-2]
    with_S, with_R = R @ np.swapaxes(S, -1, -2), R @ np.swapaxes(R, -1, -2)
    with_R = np.where(np.eye(n, dtype=bool), -np.inf, with_R)
    scores = np.concatenate([with_S, with_R], axis=-1)
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares /= shares.sum(axis=-1, keepdims=True)
    A, B = shares[..., :n], shares[..., n:]

    def pullback(dL):
        each = dL / np.prod(R.shape[:-1]).astype(R.dtype)
        dR = A @ S - S + (B + np.swapaxes(B, -1, -2)) @ R
        return each * dR, each * (np.swapaxes(A, -1, -2) @ R - R)

    return contrast(R, S), pullback


def _dual_gradient(R: np.ndarray, S: np.ndarray, alpha: float):
    """The dual contrast and its gradients."""
    temporal, in_time = contrast_vjp(R, S)
    instance, among = contrast_vjp(R.swapaxes(0, 1), S.swapaxes(0, 1))
    pairs = zip(in_time(1 - alpha), among(alpha))
    value = (1 - alpha) * temporal + alpha * instance
    return value, *(one + two.swapaxes(0, 1) for one, two in pairs)


def _unhalved(dhalf: np.ndarray, R: np.ndarray) -> np.ndarray:
    """The gradient of each pair's maximum, at the place of the larger number; of two equal ones, at the first."""
    even = R.shape[1] // 2 * 2
    first = R[:, 0:even:2] >= R[:, 1:even:2]
    dR = np.zeros_like(R)
    dR[:, 0:even:2], dR[:, 1:even:2] = first * dhalf, ~first * dhalf
    return dR


@twin
@requires_as(hierarchical_contrast)
def hierarchical_contrast_vjp(
    R: Float[np.ndarray, "B n d"],
    S: Float[np.ndarray, "B n d"],
    alpha: NonNegative = 0.5,
) -> tuple[float, Pullback]:
    r"""The whole loss and its pullback: from the coarsest level to the finest, each adds its own gradient on the way.

        dR^(k)_{i, 2t + a, j} = dL/(D + 1) G^(k)_{i, 2t + a, j} + [R^(k)_{i, 2t + a, j} is the larger of its
            pair] dR^(k+1)_itj

    Book: eq-hierarchical-contrast-vjp.

    >>> R, S = np.array([[[1.0], [0.0]]]), np.zeros((1, 2, 1))
    >>> [gradient.round(3).tolist() for gradient in hierarchical_contrast_vjp(R, S)[1](1.0)]
    [[[[0.0], [0.083]]], [[[-0.083], [0.042]]]]
    """
    levels = [(R, S)]
    while levels[-1][0].shape[1] > 1:
        r, s = levels[-1]
        levels.append((halve_time(r), halve_time(s)))
    found = [_dual_gradient(*views, alpha) for views in levels]

    def pullback(dL):
        dR, dS = (np.zeros_like(view[:, :0]) for view in levels[-1])
        for (r, s), (_, own_R, own_S) in zip(levels[::-1], found[::-1]):
            dR = own_R * (dL / len(levels)) + _unhalved(dR, r)
            dS = own_S * (dL / len(levels)) + _unhalved(dS, s)
        return dR, dS

    return float(np.mean([value for value, *_ in found])), pullback
