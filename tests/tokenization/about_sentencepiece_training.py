"""What the tests of all ideas ask of `tokenization/sentencepiece_training`."""

from transformer_math.tokenization import (
    MARKED_WORD,
    covering_alphabet,
    learn_merges,
    learn_probabilities,
    train_sentencepiece,
    words_within,
)

lines = {"lines": ["▁hi▁hi"], "size": 4, "alphabet": ["▁", "h", "i"]}

EXAMPLES = {
    train_sentencepiece: {
        "text": "hi hi",
        "vocab_size": 264,
        "inside": "bpe",
        "rules": "nfkc",
        "coverage": 0.9,
    },
    covering_alphabet: {"marked": "▁hi▁hi", "coverage": 0.5},
    words_within: {
        "lines": ["▁hi▁hé"],
        "pattern": MARKED_WORD,
        "alphabet": ["▁", "h", "i"],
    },
    learn_merges: lines,
    learn_probabilities: lines,
}
