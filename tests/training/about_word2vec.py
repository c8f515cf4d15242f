"""What the tests of all ideas ask of `training/word2vec`."""

import numpy as np

from transformer_math.training import train_word2vec

EXAMPLES = {
    train_word2vec: {
        "contexts": np.array([[0, 1], [1, -1]]),
        "targets": np.array([1, 0]),
        "noise": np.array([0.5, 0.3, 0.2]),
        "rng": np.random.default_rng(0),
        "d": 2,
        "k": 2,
        "steps": 2,
        "batch_size": 3,
        "learning_rate": 0.01,
    }
}

ACCEPTED = {
    train_word2vec: {
        "contexts": {"longer"},
        "noise": {"longer"},
        "learning_rate": {"1.5"},
    }
}

NO_TWIN = {train_word2vec: "it trains"}
