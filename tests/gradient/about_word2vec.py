"""What the tests of all ideas ask of `gradient/word2vec`."""

import numpy as np

from transformer_math.gradient import cbow_context_vjp, negative_sampling_loss_vjp

REFUSED = [
    (cbow_context_vjp, "contexts run from", {"contexts": np.array([[0, 3], [1, 2]])}),
    (cbow_context_vjp, "no neighbour", {"contexts": np.array([[0, 1], [-1, -1]])}),
    (
        negative_sampling_loss_vjp,
        "negatives from",
        {"negatives": np.full((11, 3), 3)},
    ),
]
