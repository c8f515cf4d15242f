"""What the tests of all ideas ask of `embedding/lookup`."""

import math

import numpy as np

from transformer_math.embedding import embed, one_hot, scale_embedding

ACCEPTED = {
    embed: {"ids": {"longer"}, "E": {"longer"}},
    scale_embedding: {"X": {"longer"}},
    one_hot: {"ids": {"longer"}},
}

RIGHT = [
    (one_hot, lambda ids, vocab_size: np.eye(vocab_size, dtype=int)[ids]),
    (
        one_hot,
        lambda ids, vocab_size: (ids[..., None] == np.arange(vocab_size)).astype(
            np.float32
        ),
    ),
    (embed, lambda ids, E: np.take(E, ids, axis=0)),
    (embed, lambda ids, E: one_hot(ids, len(E)) @ E),
    (scale_embedding, lambda X: X * X.shape[-1] ** 0.5),
    (scale_embedding, lambda X: (math.sqrt(X.shape[-1]) * X).tolist()),
]

WRONG = [
    (one_hot, lambda ids, V: np.eye(V)[ids - 1], "it gave"),
    (
        one_hot,
        lambda ids, V: np.eye(V, dtype=bool)[ids],
        "Your result holds True and False",
    ),
    (one_hot, lambda ids, V: np.eye(V + 1)[ids], "it gave"),
    (one_hot, lambda ids, V: 1 - np.eye(V)[ids], "it gave"),
    (one_hot, lambda ids, V: ids, "it gave"),
    (embed, lambda ids, E: E[ids] * np.sqrt(E.shape[1]), "You scale by √d_model here"),
    (embed, lambda ids, E: E[ids.ravel()], "Your result has shape"),
    (embed, lambda ids, E: E[ids].sum(-2), "it gave"),
    (embed, lambda ids, E: one_hot(ids, len(E)), "it gave"),
    (embed, lambda ids, E: E, "it gave"),
    (
        scale_embedding,
        lambda X: X * np.sqrt(X.shape[-2]),
        "You multiply by √n, the number of tokens",
    ),
    (
        scale_embedding,
        lambda X: X * np.sqrt(X.size),
        "In each case your numbers are the ones wanted",
    ),
    (scale_embedding, lambda X: X * 2, "In each case your numbers are the ones wanted"),
    (scale_embedding, lambda X: X, "In each case your numbers are the ones wanted"),
    (
        scale_embedding,
        lambda X: X / np.linalg.norm(X, axis=-1, keepdims=True),
        "it gave",
    ),
]

EQUIVALENT_FORMULAS = {
    "book/embedding/embedding": {
        "\\frac{\\partial E": "a quotient of ∂ is read as a name, and has no other value here",
    },
}
