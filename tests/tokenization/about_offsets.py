"""What the tests of all ideas ask of `tokenization/offsets`."""

from transformer_math.tokenization import (
    spans_of_bytes,
    spans_of_lengths,
    spans_of_units,
)

EXAMPLES = {
    spans_of_lengths: {"lengths": [2, 1]},
    spans_of_bytes: {"lengths": [1, 2], "text": "aé"},
    spans_of_units: {"units": ["to", "be"], "text": "to be"},
}

ACCEPTED = {
    spans_of_units: {"text": {"empty"}},
}
