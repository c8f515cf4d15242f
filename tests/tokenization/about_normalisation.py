"""What the tests of all ideas ask of `tokenization/normalisation`."""

from transformer_math.tokenization import (
    apply_charsmap,
    normalise,
    normalised_places,
)

EXAMPLES = {
    apply_charsmap: {"text": "hi", "charsmap": b""},
    normalise: {"text": "ﬁ", "rules": "nfkc"},
    normalised_places: {"text": "ﬁ", "rules": "nfkc"},
}

ACCEPTED = {
    apply_charsmap: {"text": {"empty"}},
    normalise: {"text": {"empty"}},
    normalised_places: {"text": {"empty"}},
}

EQUIVALENT = {
    "_children": {
        "unit & 512 → unit & 513": "The lowest bit is shifted out again.",
    },
    "_compiled": {
        "0 < size <= len(charsmap) - 4 → 1 < size <= len(charsmap) - 4": "A multiple of four that is positive is more than 1.",
        ":4 → :5": "The fifth byte is the label of the trie's root, which is 0.",
        ":4 → :3": "A trie of 16 MiB would show it; that of NFKC has 179 kB.",
    },
    "_replaced": {
        "place < len(data) → place <= len(data)": "At the end no key begins, and nothing is copied.",
    },
}
