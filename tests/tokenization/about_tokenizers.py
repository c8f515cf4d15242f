"""What the tests of all ideas ask of `tokenization/tokenizers`."""

from transformer_math.tokenization import frequent_vocabulary

EXAMPLES = {
    frequent_vocabulary: {"tokens": ["b", "a"], "vocab_size": 2},
}

EQUIVALENT = {
    "ByteTokenizer.train": {
        "256 → 257": "There is nothing to learn: 257 is as good a default.",
    },
}
