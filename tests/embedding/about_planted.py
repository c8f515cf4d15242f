"""What the tests of all ideas ask of `embedding/planted`."""

import numpy as np

from transformer_math.embedding import planted_analogies, planted_sentences

EXAMPLES = {
    planted_sentences: {
        "rng": np.random.default_rng(0),
        "n_sentences": 3,
        "noise": 0.1,
    },
    planted_analogies: {},
}

ACCEPTED = {planted_sentences: {"noise": {"0"}}}

NO_TWIN = {planted_sentences: "it draws words"}

EQUIVALENT = {
    "_sentence": {
        "rng.random() < noise → rng.random() <= noise": "A number that is drawn equals the noise as good as never.",
    },
}
