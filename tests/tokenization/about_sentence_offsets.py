"""What the tests of all ideas ask of `tokenization/sentence_offsets`."""

from example_values import sentences_model

from transformer_math.tokenization import (
    sentence_spans,
)

EXAMPLES = {
    sentence_spans: {"text": "hi", "model": sentences_model},
}

ACCEPTED = {
    sentence_spans: {"text": {"empty"}},
}
