"""How FastText is trained here: the expected loss of negative sampling, a step of AdaGrad for all words at once."""

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import NonNegative, Positive, Size, contract, requires
from transformer_math.embedding.fasttext import expected_negatives
from transformer_math.gradient.fasttext import (
    expected_sampling_loss_vjp,
    sum_of_ngrams_vjp,
)
from transformer_math.training.adagrad import adagrad_step


@contract
@requires(
    lambda X: (X >= 0).all(),
    "X holds a negative count. Fix: X = cooccurrences(...).",
)
def train_fasttext(
    X: Float[np.ndarray, "V V"],
    rows: Int[np.ndarray, " m"],
    owners: Int[np.ndarray, " m"],
    n_rows: Size,
    d: Size,
    steps: Size,
    rng: np.random.Generator,
    learning_rate: Positive = 0.1,
    negatives: NonNegative = 5.0,
) -> tuple[Float[np.ndarray, "B d"], Float[np.ndarray, "V d"], list[float]]:
    """Learn a vector for each row of the table, and one for each word as a neighbour. Returns both, and the losses.

    The precision is that of X. Each loss is measured before its step.

    >>> X = np.array([[0.0, 8.0, 1.0], [8.0, 0.0, 4.0], [1.0, 4.0, 0.0]])
    >>> each = np.arange(3)
    >>> Z, W_context, losses = train_fasttext(X, each, each, 3, d=2, steps=50, rng=np.random.default_rng(0))
    >>> losses[-1] < 0.9 * losses[0]
    True
    """
    N = expected_negatives(X, negatives)
    Z = ((rng.random((n_rows, d)) - 0.5) / d).astype(X.dtype)
    parameters = Z, ((rng.random((len(X), d)) - 0.5) / d).astype(X.dtype)
    squares, losses = tuple(map(np.zeros_like, parameters)), []
    for _ in range(steps):
        W, to_rows = sum_of_ngrams_vjp(rows, owners, parameters[0])
        loss, pullback = expected_sampling_loss_vjp(X, N, W, parameters[1])
        dW, dW_context = pullback(1.0)
        gradients = *to_rows(dW), dW_context
        parameters, squares = adagrad_step(
            parameters, gradients, squares, learning_rate
        )
        losses.append(loss)
    return *parameters, losses
