"""What the tests of all ideas ask of `tokenization/pretokenization`."""

from transformer_math.tokenization import (
    LLAMA3_PATTERN,
    chunk_counts,
    pretokenize,
)

EXAMPLES = {
    chunk_counts: {"text": "to be or", "pattern": LLAMA3_PATTERN},
    pretokenize: {"text": "to be", "pattern": LLAMA3_PATTERN},
}

ACCEPTED = {
    pretokenize: {"text": {"empty"}},
}
