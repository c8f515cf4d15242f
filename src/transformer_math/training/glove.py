"""How GloVe is trained: blocks of rows of the counts, in a new order each time, and AdaGrad."""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float

from transformer_math.contract import Positive, Size, contract, requires
from transformer_math.gradient.glove import glove_loss_vjp
from transformer_math.training.adagrad import adagrad_step


class GloVe(NamedTuple):
    """A vector and a bias for each word, and another vector and bias for it as a neighbour."""

    W: Float[np.ndarray, "V d"]
    W_context: Float[np.ndarray, "V d"]
    b: Float[np.ndarray, " V"]
    b_context: Float[np.ndarray, " V"]

    def of_rows(self, rows) -> "GloVe":
        """What the loss of some rows of the counts depends on: these words, and all neighbours."""
        return GloVe(self.W[rows], self.W_context, self.b[rows], self.b_context)

    def with_rows(self, rows, part: "GloVe") -> "GloVe":
        """All words again, those of these rows and all neighbours as in the part."""
        W, b = self.W.copy(), self.b.copy()
        W[rows], b[rows] = part.W, part.b
        return GloVe(W, part.W_context, b, part.b_context)

    @property
    def vectors(self) -> Float[np.ndarray, "V d"]:
        """The vectors that are used in the end: the sum of the two that each word has."""
        return self.W + self.W_context


@contract
def glove_start(
    vocab_size: Size, d: Size, rng: np.random.Generator, dtype: type = np.float32
) -> GloVe:
    """Small random vectors and biases, uniform between -1/2d and 1/2d, as the authors' program draws them.

    >>> glove_start(3, d=2, rng=np.random.default_rng(0)).W.shape
    (3, 2)
    """
    shapes = ((vocab_size, d), (vocab_size, d), vocab_size, vocab_size)
    return GloVe(*(((rng.random(s) - 0.5) / d).astype(dtype) for s in shapes))


@contract
@requires(
    lambda X: (X >= 0).all(),
    "X holds a negative count. Fix: X = cooccurrences(...).",
)
def train_glove(
    X: Float[np.ndarray, "V V"],
    d: Size,
    epochs: Size,
    rng: np.random.Generator,
    learning_rate: Positive = 0.2,
    rows_at_once: Size = 100,
    x_max: Positive = 100.0,
    alpha: Positive = 0.75,
) -> tuple[GloVe, list[float]]:
    """Fit vectors to counts: in every epoch each row once, some rows at a time. Returns them, and the loss of each epoch.

    An epoch's loss is the sum over its steps, each measured before it is made. The precision is that of X.

    >>> X = np.array([[0.0, 8.0, 1.0], [8.0, 0.0, 4.0], [1.0, 4.0, 0.0]])
    >>> glove, losses = train_glove(X, d=2, epochs=50, rng=np.random.default_rng(0))
    >>> losses[-1] < 0.01 * losses[0]
    True
    """
    glove = glove_start(len(X), d, rng, X.dtype.type)
    squares = GloVe(*map(np.zeros_like, glove))
    losses = []
    for _ in range(epochs):
        order, loss = rng.permutation(len(X)), 0.0
        for start in range(0, len(X), rows_at_once):
            rows = order[start : start + rows_at_once]
            part = glove.of_rows(rows)
            step_loss, pullback = glove_loss_vjp(X[rows], *part, x_max, alpha)
            new, sums = adagrad_step(
                part, GloVe(*pullback(1.0)), squares.of_rows(rows), learning_rate
            )
            glove, squares = glove.with_rows(rows, new), squares.with_rows(rows, sums)
            loss += step_loss
        losses.append(loss)
    return glove, losses
