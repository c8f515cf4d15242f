"""The gradients of FastText: pairs of words pull at their vectors, and words at those that they are made of."""

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import Pullback, requires_as, twin
from transformer_math.embedding.fasttext import (
    expected_sampling_loss,
    sum_of_ngrams,
)
from transformer_math.gradient.lookup import embed_vjp


@twin
@requires_as(sum_of_ngrams)
def sum_of_ngrams_vjp(
    rows: Int[np.ndarray, " m"],
    owners: Int[np.ndarray, " m"],
    Z: Float[np.ndarray, "B d"],
) -> tuple[Float[np.ndarray, "V d"], Pullback]:
    r"""Words from their n-grams, and the pullback: each n-gram gets the gradients of all words that it is part of.

        dZ_gj = Σ_{k: r_k = g} dW_{o_k j}

    Book: eq-ngram-sum-vjp. Source: Bojanowski et al. (2017), section 3.2.

    >>> W, pullback = sum_of_ngrams_vjp(np.array([2, 0, 2]), np.array([0, 0, 1]), np.zeros((3, 1)))
    >>> pullback(np.array([[10.0], [5.0]]))[0].T
    array([[10.,  0., 15.]])
    """
    _, scatter = embed_vjp(rows, Z)
    return sum_of_ngrams(rows, owners, Z), lambda dW: scatter(dW[owners])


@twin
@requires_as(expected_sampling_loss)
def expected_sampling_loss_vjp(
    X: Float[np.ndarray, "V C"],
    N: Float[np.ndarray, "V C"],
    W: Float[np.ndarray, "V d"],
    W_context: Float[np.ndarray, "C d"],
) -> tuple[float, Pullback]:
    r"""The expected loss of negative sampling and its pullback: what the model says, minus what was counted.

        D_ij = dL ((X_ij + N_ij) σ(S_ij) - X_ij)
        S_ij = w_i · w'_j
        dW = D W'
        dW' = Dᵀ W
        σ(x) = 1/(1 + e^(-x))

    Book: eq-expected-sampling-vjp. Source: Levy and Goldberg (2014).

    >>> W = np.ones((1, 1))
    >>> value, pullback = expected_sampling_loss_vjp(0 * W, 2 * W, 0 * W, W)
    >>> pullback(1.0)[0]
    array([[1.]])
    """
    S = W @ W_context.T
    value = float((X * np.logaddexp(0, -S) + N * np.logaddexp(0, S)).sum())

    def pullback(dL):
        D = dL * ((X + N) * (1 + np.tanh(S / 2)) / 2 - X)
        return D @ W_context, D.T @ W

    return value, pullback
