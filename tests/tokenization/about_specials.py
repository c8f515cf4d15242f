"""What the tests of all ideas ask of `tokenization/specials`."""

from example_values import octets

from transformer_math.tokenization import encode_parts, require_unforgeable

EXAMPLES = {
    encode_parts: {
        "parts": ["hi"],
        "encode": lambda text: [*text.encode()],
        "specials": {"<|end|>": 256},
    },
    require_unforgeable: {"bpe": octets, "specials": {}},
}
