"""What the tests of all ideas ask of `tokenization/sentencepiece_training`."""

from transformer_math.tokenization import train_sentencepiece

EXAMPLES = {
    train_sentencepiece: {
        "text": "hi hi",
        "vocab_size": 264,
        "inside": "bpe",
        "rules": "nfkc",
        "coverage": 0.9,
    },
}
