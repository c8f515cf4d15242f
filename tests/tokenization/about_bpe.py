"""What the tests of all ideas ask of `tokenization/bpe`."""

from collections import Counter

import numpy as np

from transformer_math.tokenization import (
    BPE,
    decode_bpe,
    encode_bpe,
    encode_chunk,
    pair_counts,
    train_bpe,
)


def pair_counts_in_a_dict(word_counts):
    counts = {}
    for word, count in word_counts.items():
        for i in range(1, len(word)):
            counts[word[i - 1], word[i]] = counts.get((word[i - 1], word[i]), 0) + count
    return counts


letters = train_bpe({"low": 3, "lower": 2}, vocab_size=7)


EXAMPLES = {
    decode_bpe: {"ids": [0, 1], "bpe": letters},
    encode_chunk: {"symbols": [1, 2], "merges": {(1, 2): 3}, "ranks": {(1, 2): 0}},
    train_bpe: {"word_counts": {"low": 3}, "vocab_size": 5, "alphabet": "low"},
}

ACCEPTED = {
    train_bpe: {"alphabet": {"None", "list"}},
}

RIGHT = [
    (pair_counts, pair_counts_in_a_dict),
    (
        pair_counts,
        lambda w: sum(
            (
                Counter({p: c * n for p, n in Counter(zip(k, k[1:])).items()})
                for k, c in w.items()
            ),
            Counter(),
        ),
    ),
    (
        train_bpe,
        lambda w, v, alphabet=None: BPE(
            list(train_bpe(w, v, alphabet).tokens), train_bpe(w, v, alphabet).merges
        ),
    ),
    (train_bpe, lambda w, v, alphabet: train_bpe(w, v, alphabet)),
    (encode_bpe, lambda chunks, bpe: np.array(encode_bpe(chunks, bpe))),
    (
        encode_bpe,
        lambda chunks, bpe: [i for chunk in chunks for i in encode_bpe([chunk], bpe)],
    ),
]

WRONG = [
    (
        train_bpe,
        lambda w, v, alphabet=None: (lambda b: (b.tokens, b.merges))(
            train_bpe(w, v, alphabet)
        ),
        "wanted a BPE",
    ),
    (
        encode_bpe,
        lambda chunks, bpe: [bpe.tokens[i] for i in encode_bpe(chunks, bpe)],
        "Your function returns a list of texts; wanted a list of numbers",
    ),
    (
        pair_counts,
        lambda w: dict(min(pair_counts(w).items(), key=lambda one: one[1]) for _ in w),
        "it gave {",
    ),
    (pair_counts, lambda w: Counter(dict.fromkeys(pair_counts(w), 1)), "it gave"),
    (
        pair_counts,
        lambda w: Counter({"".join(k): v for k, v in pair_counts(w).items()}),
        "it gave",
    ),
    (pair_counts, lambda w: list(pair_counts(w)), "it gave"),
    (pair_counts, lambda w: pair_counts({k[::-1]: v for k, v in w.items()}), "it gave"),
    (pair_counts, lambda w: pair_counts(w).most_common(1), "it gave"),
    (train_bpe, lambda w, v, alphabet=None: train_bpe(w, v), "You ignore the alphabet"),
    (train_bpe, lambda w, v: train_bpe(w, v), "Your function takes 2 of 3 arguments"),
    (
        train_bpe,
        lambda w, v, alphabet=None: train_bpe(w, v, alphabet).pairs(),
        "it gave",
    ),
    (
        train_bpe,
        lambda w, v, alphabet=None: BPE(train_bpe(w, v, alphabet).tokens, {}),
        "it gave",
    ),
    (train_bpe, lambda w, v, alphabet=None: train_bpe(w, v + 1, alphabet), "it gave"),
    (
        train_bpe,
        lambda w, v, alphabet=None: train_bpe(
            {k.lower()[::-1]: c for k, c in w.items()}, v, alphabet
        ),
        "it gave",
    ),
    (encode_bpe, lambda c, b: encode_bpe(["".join(c)], b), "it gave"),
    (
        encode_bpe,
        lambda c, b: [b.tokens[i] for i in encode_bpe(c, b)],
        "Your function returns a list",
    ),
    (
        encode_bpe,
        lambda c, b: [encode_bpe([k], b) for k in c],
        "Your function returns a list",
    ),
    (encode_bpe, lambda c, b: sorted(encode_bpe(c, b)), "it gave"),
    (encode_bpe, lambda c, b: encode_bpe(c[:1], b), "it gave"),
]

EQUIVALENT = {
    "decode_bpe": {
        "bpe.tokens[0] → bpe.tokens[-1]": "All tokens are of one type, text or bytes.",
    },
}
