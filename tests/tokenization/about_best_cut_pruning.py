"""What the tests of all ideas ask of `tokenization/best_cut_pruning`."""

from transformer_math.tokenization import train_unigram_by_best_cuts

EXAMPLES = {
    train_unigram_by_best_cuts: {
        "word_counts": {"▁low": 3},
        "vocab_size": 4,
        "longest": 3,
        "others": 3,
    },
}

ACCEPTED = {train_unigram_by_best_cuts: {"others": {"0"}}}

EQUIVALENT = {
    "_most_missed": {
        "rows[:, 0] → rows[:, 1]": "An alternative has two pieces at least: where there is a first, there is a second.",
    },
    "_losses": {
        "np.maximum(size - 1, 0) → np.maximum(size - 1, -1)": "Where there is no alternative, the logarithm is multiplied by 0.",
        "np.maximum(size - 1, 0) → np.maximum(size - 1, 1)": "An alternative has two pieces at least; where there is none, the logarithm is multiplied by 0.",
    },
    "_followed_by_different": {
        "range(2, len(found.at) + 1) → range(3, len(found.at) + 1)": "Pieces of two characters tell of single ones, and these stay in any case.",
    },
}
