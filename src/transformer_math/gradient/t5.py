"""The gradients of T5's positions: every pair of places adds to the bucket that it took its number from."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Pullback, Size, requires_as, twin
from transformer_math.position.t5 import (
    t5_bias,
    t5_bucket,
    t5_causal_bias,
    t5_causal_bucket,
    t5_scores,
)


@twin
@requires_as(t5_bias)
def t5_bias_vjp(
    table: Float[np.ndarray, "N n_heads"], n: Size, max_distance: Size = 128
) -> tuple[Float[np.ndarray, "n_heads n n"], Pullback]:
    r"""The biases and their pullback to the table: a scatter-add into buckets.

        dT_rh = Σ_i Σ_j [bucket(j - i) = r] dB_hij
        r = 0, …, N - 1

    Book: eq-t5-bias-vjp.

    >>> t5_bias_vjp(np.zeros((4, 1)), n=2, max_distance=2)[1](np.array([[[1.0, 2.0], [3.0, 4.0]]]))
    (array([[5.],
           [3.],
           [0.],
           [2.]]),)
    """
    place = np.arange(n)
    buckets = t5_bucket(place - place[:, None], len(table), max_distance)

    def pullback(dB):
        dT = np.zeros_like(table)
        np.add.at(dT, buckets, np.moveaxis(dB, 0, -1))
        return (dT,)

    return t5_bias(table, n, max_distance), pullback


@twin
@requires_as(t5_causal_bias)
def t5_causal_bias_vjp(
    table: Float[np.ndarray, "N n_heads"], n: Size, max_distance: Size = 128
) -> tuple[Float[np.ndarray, "n_heads n n"], Pullback]:
    r"""The same with the buckets of a decoder.

        dT_rh = Σ_i Σ_j [pastbucket(j - i) = r] dB_hij
        r = 0, …, N - 1

    Book: eq-t5-causal-bias-vjp.

    >>> t5_causal_bias_vjp(np.zeros((2, 1)), n=2, max_distance=2)[1](np.array([[[1.0, 2.0], [3.0, 4.0]]]))
    (array([[7.],
           [3.]]),)
    """
    place = np.arange(n)
    buckets = t5_causal_bucket(place - place[:, None], len(table), max_distance)

    def pullback(dB):
        dT = np.zeros_like(table)
        np.add.at(dT, buckets, np.moveaxis(dB, 0, -1))
        return (dT,)

    return t5_causal_bias(table, n, max_distance), pullback


@twin
def t5_scores_vjp(
    Q: Float[np.ndarray, "... n_heads n d_k"],
    K: Float[np.ndarray, "... n_heads m d_k"],
    bias: Float[np.ndarray, "n_heads n m"],
) -> tuple[Float[np.ndarray, "... n_heads n m"], Pullback]:
    r"""T5's scores and their pullback: the bias serves every text of a batch, and collects from all.

        dQ_bh = dS_bh K_bh
        dK_bh = dS_bhᵀ Q_bh
        dB_h = Σ_b dS_bh

    Book: eq-t5-scores-vjp.

    >>> one = np.ones((2, 1, 1, 1))
    >>> t5_scores_vjp(one, one, bias=np.zeros((1, 1, 1)))[1](10 * one)[2]
    array([[[20.]]])
    """

    def pullback(dS):
        return dS @ K, dS.mT @ Q, dS.reshape(-1, *bias.shape).sum(axis=0)

    return t5_scores(Q, K, bias), pullback
