"""The gradients of TS2Vec's loss: of one contrast, of both, of halved time, and of the whole loss through all its levels."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import NonNegative, Pullback, requires_as, twin
from transformer_math.modalities.series_contrast import (
    contrast,
    dual_contrast,
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


@twin
@requires_as(dual_contrast)
def dual_contrast_vjp(
    R: Float[np.ndarray, "B n d"],
    S: Float[np.ndarray, "B n d"],
    alpha: NonNegative = 0.5,
) -> tuple[float, Pullback]:
    r"""The dual contrast and its pullback: that of each series, and that of each moment, by their weights.

        dR_itj = dL ((1 - α)/B G_itj + α/n G'_tij)
        dS_itj = dL ((1 - α)/B H_itj + α/n H'_tij)

    Book: eq-dual-contrast-vjp.

    >>> _, pullback = dual_contrast_vjp(np.array([[[1.0], [0.0]]]), np.zeros((1, 2, 1)))
    >>> [gradient.round(3).tolist() for gradient in pullback(1.0)]
    [[[[0.0], [0.167]]], [[[-0.167], [0.083]]]]
    """
    temporal, in_time = contrast_vjp(R, S)
    instance, among = contrast_vjp(R.swapaxes(0, 1), S.swapaxes(0, 1))

    def pullback(dL):
        pairs = zip(in_time((1 - alpha) * dL), among(alpha * dL))
        return tuple(one + two.swapaxes(0, 1) for one, two in pairs)

    return (1 - alpha) * temporal + alpha * instance, pullback


@twin
@requires_as(halve_time)
def halve_time_vjp(
    R: Float[np.ndarray, "... n d"],
) -> tuple[Float[np.ndarray, "... m d"], Pullback]:
    r"""Half as many moments, and the pullback: the gradient goes to the larger number; of two equal ones, to the first.

        dR_uj = Σ_{t=0}^(h-1) [u = 2t] [R_{2t, j} ≥ R_{2t + 1, j}] dH_tj
        + Σ_{t=0}^(h-1) [u = 2t + 1] [R_{2t, j} < R_{2t + 1, j}] dH_tj
        u = 0, …, n - 1

    Book: eq-halve-time-vjp.

    >>> _, pullback = halve_time_vjp(np.array([[1.0, 7.0], [4.0, 2.0], [9.0, 9.0]]))
    >>> pullback(np.array([[3.0, 5.0]]))[0]
    array([[0., 5.],
           [3., 0.],
           [0., 0.]])
    """
    even = R.shape[-2] // 2 * 2
    first = R[..., :even:2, :] >= R[..., 1::2, :]

    def pullback(dH):
        dR = np.zeros_like(R)
        dR[..., :even:2, :], dR[..., 1::2, :] = first * dH, ~first * dH
        return (dR,)

    return halve_time(R), pullback


@twin
@requires_as(hierarchical_contrast)
def hierarchical_contrast_vjp(
    R: Float[np.ndarray, "B n d"],
    S: Float[np.ndarray, "B n d"],
    alpha: NonNegative = 0.5,
) -> tuple[float, Pullback]:
    r"""The whole loss and its pullback: from the coarsest level to the finest, each adds its own gradient on the way.

        dR^(k) = 1/(D + 1) G^(k) + halve*(R^(k); dR^(k+1))

    Book: eq-hierarchical-contrast-vjp.

    >>> R, S = np.array([[[1.0], [0.0]]]), np.zeros((1, 2, 1))
    >>> [gradient.round(3).tolist() for gradient in hierarchical_contrast_vjp(R, S)[1](1.0)]
    [[[[0.0], [0.083]]], [[[-0.083], [0.042]]]]
    """
    levels, halvings = [dual_contrast_vjp(R, S, alpha)], []
    while R.shape[1] > 1:
        (R, of_R), (S, of_S) = halve_time_vjp(R), halve_time_vjp(S)
        levels.append(dual_contrast_vjp(R, S, alpha))
        halvings.append((of_R, of_S))

    def pullback(dL):
        dR, dS = levels[-1][1](dL / len(levels))
        for (_, to_views), (of_R, of_S) in zip(levels[-2::-1], halvings[::-1]):
            own_R, own_S = to_views(dL / len(levels))
            dR, dS = own_R + of_R(dR)[0], own_S + of_S(dS)[0]
        return dR, dS

    return float(np.mean([value for value, _ in levels])), pullback
