"""What the tests of all ideas ask of `tokenization/huggingface_json`."""

from example_values import octets

from transformer_math.tokenization import (
    ByteBPETokenizer,
    from_huggingface,
    to_huggingface,
)

EXAMPLES = {
    from_huggingface: {"text": to_huggingface(ByteBPETokenizer(octets))},
    to_huggingface: {"tokenizer": ByteBPETokenizer(octets)},
}
