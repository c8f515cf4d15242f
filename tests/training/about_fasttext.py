"""What the tests of all ideas ask of `training/fasttext`."""

import numpy as np

from transformer_math.embedding import cooccurrences
from transformer_math.training import train_fasttext

EXAMPLES = {
    train_fasttext: {
        "X": cooccurrences(np.array([0, 1, 2, 0]), 3, 2),
        "rows": np.array([0, 4, 1, 5, 1, 6]),
        "owners": np.array([0, 0, 1, 1, 2, 2]),
        "n_rows": 7,
        "d": 2,
        "steps": 2,
        "rng": np.random.default_rng(0),
        "learning_rate": 0.2,
        "negatives": 2.0,
    },
}

ACCEPTED = {train_fasttext: {"learning_rate": {"1.5"}, "negatives": {"0", "1.5"}}}

NO_TWIN = {train_fasttext: "it is a training: its gradients are those of the loss"}
