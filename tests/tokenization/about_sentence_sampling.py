"""What the tests of all ideas ask of `tokenization/sentence_sampling`."""

import numpy as np
from example_values import sentences_model

from transformer_math.tokenization import (
    merge_pieces_with_dropout,
    sample_sentence,
)

EXAMPLES = {
    sample_sentence: {
        "text": "hi",
        "model": sentences_model,
        "rng": np.random.default_rng(0),
        "dropout": 0.5,
        "temperature": 2.0,
    },
    merge_pieces_with_dropout: {
        "chunk": "ab",
        "scores": {"ab": -1.0},
        "rng": np.random.default_rng(0),
        "dropout": 0.5,
    },
}

ACCEPTED = {
    sample_sentence: {"text": {"empty"}, "dropout": {"0"}},
    merge_pieces_with_dropout: {"chunk": {"empty"}, "dropout": {"0"}},
}
