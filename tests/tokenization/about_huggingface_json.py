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
    "to_huggingface": {
        "{**_ON_BYTES, 'trim_offsets': True} if on_bytes else _ON_CHARACTERS → {**_ON_BYTES, 'trim_offsets': False} if on_bytes else _ON_CHARACTERS": "It says where a token stands in a text, not which token it is.",
        "{**_ON_BYTES, 'trim_offsets': True} if on_bytes else {'type': 'Fuse'} → {**_ON_BYTES, 'trim_offsets': False} if on_bytes else {'type': 'Fuse'}": "It says where a token stands in a text, not which token it is.",
    },
}
