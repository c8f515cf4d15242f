"""The gradient of attention with linear biases: a constant was added to the scores, and on the way back it is not seen."""

import math

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Pullback, twin
from transformer_math.position.alibi import Slopes, alibi_attention
from transformer_math.shapes import SelfMask


@twin
def alibi_attention_vjp(
    Q: Float[np.ndarray, "*batch n_heads n d_k"],
    K: Float[np.ndarray, "*batch n_heads n d_k"],
    V: Float[np.ndarray, "*batch n_heads n d_v"],
    slopes: Slopes,
    mask: SelfMask | None = None,
) -> tuple[Float[np.ndarray, "*batch n_heads n d_v"], Pullback]:
    r"""The outputs of all heads, and their pullback to queries, keys and values; the slopes are given, and take nothing.

        B_hij = -m_h |i - j|
        i = 0, …, n - 1
        j = 0, …, n - 1
        A_h = softmax((Q_h K_hᵀ)/√d_k + B_h)
        dV_h = A_hᵀ dO_h
        dA_h = dO_h V_hᵀ
        (dS_h)_ij = (A_h)_ij ((dA_h)_ij - Σ_k (A_h)_ik (dA_h)_ik)
        dQ_h = 1/√d_k dS_h K_h
        dK_h = 1/√d_k dS_hᵀ Q_h

    The bias is in A, and nowhere else. Book: eq-alibi-attention-vjp. Source: Press et al. (2022), arXiv:2108.12409.

    >>> zeros, V = np.zeros((1, 2, 1)), np.array([[[0.0], [3.0]]])
    >>> O, pullback = alibi_attention_vjp(zeros, zeros, V, slopes=np.array([np.log(2)]))
    >>> pullback(np.array([[[3.0], [0.0]]]))[2].round(9)
    array([[[2.],
            [1.]]])
    """
    O, A = alibi_attention(Q, K, V, slopes, mask)
    root = math.sqrt(Q.shape[-1])

    def pullback(dO):
        dA = dO @ V.mT
        dS = A * (dA - np.vecdot(dO, O)[..., None])
        return dS @ K / root, dS.mT @ Q / root, A.mT @ dO

    return O, pullback
