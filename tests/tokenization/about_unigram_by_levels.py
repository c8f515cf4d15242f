"""What the tests of all ideas ask of `tokenization/unigram_by_levels`."""

from transformer_math.tokenization import maximise_bayesian, train_unigram_by_levels

EXAMPLES = {
    train_unigram_by_levels: {
        "word_counts": {"low": 3},
        "vocab_size": 4,
        "longest": 3,
        "maximiser": maximise_bayesian,
    },
}
