"""What the tests of all ideas ask of `embedding/word_vectors`."""

from example_values import normal

from transformer_math.embedding import (
    count_neighbours,
    frequent_words,
    letters_vector,
    nearest_words,
    number_sentences,
    ppmi,
    trigrams,
    vectors_of_text,
    word_vectors,
)

word_list = ["sea", "ship", "cat"]


EXAMPLES = {
    frequent_words: {"tokens": ["a", "b", "a"], "at_least": 2},
    nearest_words: {"word": "sea", "words": word_list, "W": normal(3, 2), "k": 1},
    trigrams: {"word": "cat"},
    number_sentences: {"sentences": [["a", "b"]], "words": ["a", "b"], "gap": 2},
    vectors_of_text: {
        "text": "The sea. The ship. The sea.",
        "d": 2,
        "at_least": 2,
        "n_contexts": 9,
        "window": 1,
        "always": ("ship",),
    },
}

ACCEPTED = {
    ppmi: {"C": {"longer"}, "smoothing": {"0", "1.5"}},
    nearest_words: {"W": {"longer"}},
    letters_vector: {"W": {"longer"}},
    count_neighbours: {"ids": {"longer"}},
    word_vectors: {"I": {"longer"}},
}

NO_TWIN = {
    letters_vector: "counted from a text once, before anything is learned",
    nearest_words: "counted from a text once, before anything is learned",
    ppmi: "counted from a text once, before anything is learned",
    word_vectors: "counted from a text once, before anything is learned",
}

EQUIVALENT = {
    "word_vectors": {
        "W * np.copysign(1, largest) → W / np.copysign(1, largest)": "To multiply by 1 or -1 is to divide by it.",
        "np.linalg.svd(I, full_matrices=False) → np.linalg.svd(I)": "U then has more columns, all after the first min(V, C), of which d are kept: more work for the same numbers.",
        "full_matrices=False → full_matrices=True": "U then has more columns, all after the first min(V, C), of which d are kept: more work for the same numbers.",
    },
    "ppmi": {
        "C.sum(axis=0) → C.mean(axis=0)": "The neighbours' counts become shares: a common factor cancels.",
        "neighbours.sum() or 1.0 → neighbours.sum() or 2.0": "Where nothing was counted at all, the numerators are 0.",
    },
}
