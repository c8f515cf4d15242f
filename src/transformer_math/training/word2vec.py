"""Training of word vectors by negative sampling, a few hundred pairs at a time."""

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import Positive, Size, contract
from transformer_math.gradient.word2vec import (
    cbow_context_vjp,
    negative_sampling_loss_vjp,
)
from transformer_math.training.adam import adam_start, adam_step


@dataclass(frozen=True)
class Word2Vec:
    """The vectors of words as centres and as neighbours, and the loss of each step."""

    E: Float[np.ndarray, "V d"]
    U: Float[np.ndarray, "V d"]
    losses: Float[np.ndarray, " steps"]


@contract
def train_word2vec(
    contexts: Int[np.ndarray, "m c"],
    targets: Int[np.ndarray, " m"],
    noise: Float[np.ndarray, " V"],
    rng: np.random.Generator,
    d: Size,
    k: Size = 5,
    steps: Size = 1000,
    batch_size: Size = 512,
    learning_rate: Positive = 0.01,
) -> Word2Vec:
    """Train vectors from nothing: each step guesses the target of some rows from the words of `contexts`, with Adam.

    With one centre a row, `contexts=centres[:, None]`, this is skip-gram; with the words around a place it is CBOW.
    """
    start = rng.uniform(-0.5, 0.5, (len(noise), d)) / d
    E, U = start.astype(np.float32), np.zeros((len(noise), d), np.float32)
    state, losses, upto = adam_start((E, U)), [], np.cumsum(noise)
    for step in range(steps):
        rows = rng.integers(len(targets), size=batch_size)
        negatives = np.searchsorted(upto, rng.random((batch_size, k)) * upto[-1])
        H, to_E = cbow_context_vjp(contexts[rows], E)
        loss, to_H_U = negative_sampling_loss_vjp(H, targets[rows], negatives, U)
        dH, dU = to_H_U(1.0)
        rate = learning_rate * (1 - step / steps)
        (E, U), state = adam_step((E, U), (*to_E(dH), dU), state, rate)
        losses.append(loss)
    return Word2Vec(E, U, np.array(losses))
