"""What the tests of all ideas ask of `tokenization/pair_index`."""

from transformer_math.tokenization import merge_pair

EXAMPLES = {
    merge_pair: {"tokens": ["a", "b"], "pair": ("a", "b"), "merged": "ab"},
}

ACCEPTED = {
    merge_pair: {"merged": {"None", "empty", "list", "number"}},
}

EQUIVALENT = {
    "PairIndex.merge": {
        "self._pair_counts[first + second] = 0 → self._pair_counts[first + second] = 1": "Only an entry that was left behind in the heap would ask for the count of a merged pair; no corpus was found that leaves one.",
        "self._pair_counts[first + second] = 0 → self._pair_counts[first + second] = -1": "Only an entry that was left behind in the heap would ask for the count of a merged pair; no corpus was found that leaves one.",
    },
}
