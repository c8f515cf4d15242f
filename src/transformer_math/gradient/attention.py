"""The gradients of attention: scores, mask, and the whole of it, back to queries, keys and values."""

import math

import numpy as np
from jaxtyping import Float

from transformer_math.attention.masks import apply_mask
from transformer_math.attention.scaled_dot_product import attention, scores
from transformer_math.contract import Pullback, twin
from transformer_math.shapes import Mask, MaskedScores


@twin
def scores_vjp(
    Q: Float[np.ndarray, "... n d_k"], K: Float[np.ndarray, "... m d_k"]
) -> tuple[Float[np.ndarray, "... n m"], Pullback]:
    r"""Scores and their pullback: the two factors of a product change places, and the scale stays.

        dQ = 1/√d_k dS K
        dK = 1/√d_k dSᵀ Q

    Book: eq-scores-vjp.

    >>> S, pullback = scores_vjp(Q=np.array([[1.0]]), K=np.array([[2.0], [3.0]]))
    >>> pullback(np.array([[1.0, 10.0]]))
    (array([[32.]]), array([[ 1.],
           [10.]]))
    """
    root = math.sqrt(Q.shape[-1])

    def pullback(dS):
        return dS @ K / root, dS.mT @ Q / root

    return scores(Q, K), pullback


@twin
def apply_mask_vjp(S: MaskedScores, mask: Mask) -> tuple[MaskedScores, Pullback]:
    r"""Masked scores and their pullback: nothing comes back through what was forbidden.

        dS_ij ← {dS_ij if M_ij; 0 otherwise}

    Book: eq-mask-vjp.

    >>> masked, pullback = apply_mask_vjp(np.array([[1.0, 2.0]]), mask=np.array([[True, False]]))
    >>> pullback(np.array([[5.0, 7.0]]))
    (array([[5., 0.]]),)
    """
    return apply_mask(S, mask), lambda dS: (dS * mask,)


@twin
def attention_vjp(
    Q: Float[np.ndarray, "*batch n d_k"],
    K: Float[np.ndarray, "*batch m d_k"],
    V: Float[np.ndarray, "*batch m d_v"],
    mask: Mask | None = None,
) -> tuple[Float[np.ndarray, "*batch n d_v"], Pullback]:
    r"""Attention's output and its pullback to queries, keys and values.

        attention*(Q, K, V; dO) = (dQ, dK, dV)
        dV = Aᵀ dO
        dA = dO Vᵀ
        dS_ij = A_ij (dA_ij - Σ_k A_ik dA_ik)
        dQ = 1/√d_k dS K
        dK = 1/√d_k dSᵀ Q

    The sum over k of A_ik dA_ik, which the softmax wants, is dO_i . O_i: d_v products in place of m. The mask needs no
    line of its own: where it forbids, A is 0, and so is dS. Book: eq-attention-vjp.
    Source: Dao et al. (2022), appendix B, arXiv:2205.14135.

    >>> O, pullback = attention_vjp(Q=np.zeros((1, 1)), K=np.ones((2, 1)), V=np.array([[0.0], [4.0]]))
    >>> dQ, dK, dV = pullback(np.array([[1.0]]))
    >>> dV
    array([[0.5],
           [0.5]])
    """
    O, A = attention(Q, K, V, mask)
    root = math.sqrt(Q.shape[-1])

    def pullback(dO):
        dS = dO @ V.mT  # this is dA; each step below writes over it
        dS -= np.vecdot(dO, O)[..., None]
        dS *= A
        dS /= root
        return dS @ K, dS.mT @ Q, A.mT @ dO

    return O, pullback
