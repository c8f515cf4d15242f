"""What the tests of all ideas ask of `training/glove`."""

import numpy as np

from transformer_math.embedding import cooccurrences
from transformer_math.training import glove_start, train_glove

EXAMPLES = {
    glove_start: {
        "vocab_size": 3,
        "d": 2,
        "rng": np.random.default_rng(0),
        "dtype": np.float64,
    },
    train_glove: {
        "X": cooccurrences(np.array([0, 1, 2, 0]), 3, 2),
        "d": 2,
        "epochs": 2,
        "rng": np.random.default_rng(0),
        "learning_rate": 0.1,
        "rows_at_once": 2,
        "x_max": 10.0,
        "alpha": 0.5,
    },
}

ACCEPTED = {
    train_glove: {"learning_rate": {"1.5"}, "x_max": {"1.5"}, "alpha": {"1.5"}},
}

NO_TWIN = {train_glove: "it is a training: its gradients are those of the loss"}

EQUIVALENT = {
    "glove_start": {
        "rng.random(s) - 0.5 → 0.5 - rng.random(s)": "Evenly drawn between −½ and ½ is the mirror image as well; the tests ask how it is distributed.",
    },
}
