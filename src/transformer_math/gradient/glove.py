"""The gradient of GloVe's loss: every pair of words pulls both vectors and both biases by its weighted error."""

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Positive, Pullback, requires_as, twin
from transformer_math.embedding.glove import CountTable, glove_loss, glove_weights


@twin
@requires_as(glove_loss)
def glove_loss_vjp(
    X: CountTable,
    W: Float[np.ndarray, "n d"],
    W_context: Float[np.ndarray, "m d"],
    b: Float[np.ndarray, " n"],
    b_context: Float[np.ndarray, " m"],
    x_max: Positive = 100.0,
    alpha: Positive = 0.75,
) -> tuple[float, Pullback]:
    r"""GloVe's loss and its pullback to the vectors and biases; the counts are given and take nothing.

        D_ij = {2 dL f(X_ij) e_ij if X_ij > 0; 0 otherwise}
        e_ij = w_i · w'_j + b_i + b'_j - ln X_ij
        dW = D W'
        dW' = Dᵀ W
        db_i = Σ_j D_ij
        db'_j = Σ_i D_ij

    Book: eq-glove-loss-vjp. Source: Pennington, Socher and Manning (2014), equation 8.

    >>> one = np.ones((1, 1))
    >>> loss, pullback = glove_loss_vjp(100 * one, one, one, np.array([np.log(100)]), np.zeros(1))
    >>> loss, pullback(1.0)[0]
    (1.0, array([[2.]]))
    """
    logarithms = np.log(np.where(X > 0, X, 1))
    errors = W @ W_context.T + b[:, None] + b_context - logarithms
    weighted = glove_weights(X, x_max, alpha) * errors

    def pullback(dL):
        D = 2 * dL * weighted
        return D @ W_context, D.T @ W, D.sum(axis=1), D.sum(axis=0)

    return float((weighted * errors).sum()), pullback
