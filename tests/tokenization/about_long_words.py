"""What the tests of all ideas ask of `tokenization/long_words`."""

import numpy as np

from transformer_math.tokenization import (
    Unigram,
    edges,
    expected_counts_by_edges,
    log_likelihood_by_edges,
    n_best_by_edges,
    sample_by_edges,
)

UNIGRAM = Unigram(("a", "b", "ab"), np.log([0.5, 0.25, 0.125]))

EXAMPLES = {
    edges: {"word": "aab", "unigram": UNIGRAM},
    n_best_by_edges: {"word": "aab", "unigram": UNIGRAM, "n": 2},
    sample_by_edges: {
        "word": "aab",
        "unigram": UNIGRAM,
        "rng": np.random.default_rng(0),
        "temperature": 2.0,
    },
    expected_counts_by_edges: {"word_counts": {"aab": 3}, "unigram": UNIGRAM},
    log_likelihood_by_edges: {"word_counts": {"aab": 3}, "unigram": UNIGRAM},
}

BEFORE_THE_FIRST = (
    "Nothing stands before the first place: no way is read back beyond it."
)

EQUIVALENT = {
    "n_best_by_edges": {
        "(0.0, 0, 0) → (0.0, 1, 0)": BEFORE_THE_FIRST,
        "(0.0, 0, 0) → (0.0, -1, 0)": BEFORE_THE_FIRST,
        "(0.0, 0, 0) → (0.0, 0, 1)": BEFORE_THE_FIRST,
        "(0.0, 0, 0) → (0.0, 0, -1)": BEFORE_THE_FIRST,
    },
    "sample_by_edges": {
        "share / share.sum() → share * share.sum()": "The shares add up to 1, but for rounding.",
    },
}
