"""What the tests of all ideas ask of `tokenization/tokenizer_json`."""

from transformer_math.tokenization import ByteTokenizer, from_json, parsed, to_json

EXAMPLES = {
    parsed: {"text": "[1]"},
    from_json: {"text": '{"type": "ByteTokenizer"}'},
    to_json: {"tokenizer": ByteTokenizer()},
}
