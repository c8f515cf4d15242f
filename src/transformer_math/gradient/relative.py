"""The gradients of relative positions: every pair of one offset adds to the same row of a table."""

import math

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Pullback, requires_as, twin
from transformer_math.position.relative import (
    relative_attention,
    relative_scores,
    skew,
    unskew,
)
from transformer_math.shapes import Mask


@twin
@requires_as(skew)
def skew_vjp(
    R: Float[np.ndarray, "... n offsets"],
) -> tuple[Float[np.ndarray, "... n n"], Pullback]:
    r"""Shifted rows and their pullback: shifted back, with zeros for what was cut off.

        dR = unskew(dS)

    Book: eq-skew-vjp.

    >>> skew_vjp(np.zeros((2, 3)))[1](np.array([[1.0, 2.0], [3.0, 4.0]]))
    (array([[0., 1., 2.],
           [3., 4., 0.]]),)
    """
    return skew(R), lambda dS: (unskew(dS),)


@twin
@requires_as(relative_scores)
def relative_scores_vjp(
    Q: Float[np.ndarray, "... n d_k"],
    K: Float[np.ndarray, "... n d_k"],
    a_K: Float[np.ndarray, "rows d_k"],
) -> tuple[Float[np.ndarray, "... n n"], Pullback]:
    r"""Relative scores and their pullback to queries, keys and the table.

        dQ_i = 1/√d_k Σ_j dS_ij (K_j + a^K_{D_ij})
        dK = 1/√d_k dSᵀ Q
        da^K_r = 1/√d_k Σ_i Σ_j [D_ij = r] dS_ij Q_i
        r = 0, …, 2k

    The table is one for all sequences and heads, and collects from all. Book: eq-relative-scores-vjp.

    >>> S, pullback = relative_scores_vjp(np.ones((2, 1)), np.zeros((2, 1)), a_K=np.zeros((3, 1)))
    >>> pullback(np.array([[1.0, 2.0], [3.0, 4.0]]))[2]
    array([[3.],
           [5.],
           [2.]])
    """
    n, k, root = Q.shape[-2], len(a_K) // 2, math.sqrt(Q.shape[-1])
    r = k + np.clip(np.arange(1 - n, n), -k, k)  # the row of each offset

    def pullback(dS):
        by_offset = unskew(dS / root)
        dQ = dS @ K / root + by_offset @ a_K[r]
        da_K = np.zeros_like(a_K)
        of_all_texts = by_offset.reshape(-1, len(r)).T @ Q.reshape(-1, Q.shape[-1])
        np.add.at(da_K, r, of_all_texts)
        return dQ, dS.mT @ Q / root, da_K

    return relative_scores(Q, K, a_K), pullback


@twin
@requires_as(relative_attention)
def relative_attention_vjp(
    Q: Float[np.ndarray, "*batch n d_k"],
    K: Float[np.ndarray, "*batch n d_k"],
    V: Float[np.ndarray, "*batch n d_v"],
    a_K: Float[np.ndarray, "rows d_k"],
    a_V: Float[np.ndarray, "rows d_v"],
    mask: Mask | None = None,
) -> tuple[Float[np.ndarray, "*batch n d_v"], Pullback]:
    r"""Attention with relative positions, and its pullback to queries, keys, values and both tables.

        dV = Aᵀ dO
        da^V_r = Σ_i Σ_j [D_ij = r] A_ij dO_i
        dA_ij = dO_i (V_j + a^V_{D_ij})ᵀ
        dS_ij = A_ij (dA_ij - Σ_m A_im dA_im)
        dQ_i = 1/√d_k Σ_j dS_ij (K_j + a^K_{D_ij})
        dK = 1/√d_k dSᵀ Q
        da^K_r = 1/√d_k Σ_i Σ_j [D_ij = r] dS_ij Q_i
        r = 0, …, 2k

    Book: eq-relative-attention-vjp.

    >>> zeros = np.zeros((2, 1))
    >>> O, pullback = relative_attention_vjp(zeros, zeros, zeros, np.zeros((3, 1)), np.zeros((3, 1)))
    >>> pullback(np.ones((2, 1)))[4]
    array([[0.5],
           [1. ],
           [0.5]])
    """
    n, k = Q.shape[-2], len(a_V) // 2
    r = k + np.clip(np.arange(1 - n, n), -k, k)  # the row of each offset
    O, A = relative_attention(Q, K, V, a_K, a_V, mask)
    _, scores_pullback = relative_scores_vjp(Q, K, a_K)

    def pullback(dO):
        dA = dO @ V.mT + skew(dO @ a_V[r].T)
        dS = A * (dA - np.vecdot(dO, O)[..., None])
        dQ, dK, da_K = scores_pullback(dS)
        da_V = np.zeros_like(a_V)
        by_offset = unskew(A).reshape(-1, len(r))
        np.add.at(da_V, r, by_offset.T @ dO.reshape(-1, dO.shape[-1]))
        return dQ, dK, A.mT @ dO, da_K, da_V

    return O, pullback
