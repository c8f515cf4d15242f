"""What the tests of all ideas ask of `tokenization/substrings`."""

from transformer_math.tokenization import frequent_substrings

EXAMPLES = {
    frequent_substrings: {"word_counts": {"low": 3}, "longest": 2, "least": 1},
}

EQUIVALENT = {
    "_end_to_end": {
        "np.array(list(word_counts.values()), dtype=float) → np.array(list(word_counts.values()))": "NumPy counts with weights in double precision, whatever their type.",
    },
}
