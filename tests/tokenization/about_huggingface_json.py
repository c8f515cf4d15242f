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

EQUIVALENT = {
    "to_huggingface": {"kinds[0] → kinds[-1]": "A tokenizer is of one kind."},
    "_write_unigram": {
        "{'type': 'Unigram', 'unk_id': 0, 'vocab': list(zip(names, values)), 'byte_fallback': True} → {'type': 'Unigram', 'unk_id': 1, 'vocab': list(zip(names, values)), 'byte_fallback': True}": "The unknown piece, which must be one, is never written, since bytes come first.",
    },
}
