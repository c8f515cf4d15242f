"""What the tests of all ideas ask of `embedding/fasttext`; `tests/abouts.py` explains the names."""

import numpy as np
from example_values import normal

from transformer_math.embedding import (
    character_ngrams,
    expected_negatives,
    expected_sampling_loss,
    fnv_1a,
    ngram_rows,
    sum_of_ngrams,
    unseen_vector,
)

EXAMPLES = {
    character_ngrams: {"word": "where", "shortest": 2, "longest": 4},
    fnv_1a: {"text": "kit"},
    ngram_rows: {"words": ["at", "cat"], "n_buckets": 9, "shortest": 2, "longest": 4},
    unseen_vector: {
        "word": "cat",
        "Z": normal(9, 2),
        "n_buckets": 9,
        "shortest": 2,
        "longest": 4,
    },
    sum_of_ngrams: {
        "rows": np.array([2, 0, 2]),
        "owners": np.array([0, 0, 1]),
        "Z": normal(3, 2),
    },
}

ACCEPTED = {
    fnv_1a: {"text": {"empty"}},
    sum_of_ngrams: {"Z": {"longer"}},
    unseen_vector: {"Z": {"longer"}},
    expected_negatives: {"X": {"longer"}, "k": {"0", "1.5"}},
}

NO_TWIN = {
    expected_negatives: "counted from a text once, before anything is learned",
    unseen_vector: "read off a table that has learned",
}


def by_zip(word, shortest=3, longest=6):
    s, found = f"<{word}>", []
    for n in range(shortest, longest + 1):
        found += ["".join(run) for run in zip(*(s[i:] for i in range(n)))]
    return [run for run in found if run != s] + [s]


def by_places(word, shortest=3, longest=6):
    s = "<" + word + ">"
    runs = [
        (n, i)
        for n in range(shortest, longest + 1)
        for i in range(len(s))
        if i + n <= len(s)
    ]
    return [s[i : i + n] for n, i in runs if n < len(s)] + [s]


def with_a_mask(text):
    h = 0x811C9DC5
    for x in text.encode("utf-8"):
        h = ((h ^ x) * 0x01000193) & 0xFFFFFFFF
    return h


def reduced_at_the_end(text):
    h = 0x811C9DC5
    for x in bytes(text, "utf-8"):
        h = (h - h % 256 + (h % 256 ^ x)) * 0x01000193
    return h % 2**32


def by_matrix(rows, owners, Z):
    A = np.zeros((owners[-1] + 1, len(Z)))
    np.add.at(A, (owners, rows), 1)
    return A @ Z


def by_scatter(rows, owners, Z):
    W = np.zeros((owners.max() + 1, Z.shape[1]))
    np.add.at(W, owners, Z[rows])
    return W


RIGHT = [
    (character_ngrams, by_zip),
    (character_ngrams, by_places),
    (fnv_1a, with_a_mask),
    (fnv_1a, reduced_at_the_end),
    (sum_of_ngrams, by_matrix),
    (sum_of_ngrams, by_scatter),
]

WRONG = [
    (
        character_ngrams,
        lambda w, a=3, b=6: character_ngrams(w, a, b)[:-1],
        "whole word",
    ),
    (character_ngrams, lambda w, a=3, b=6: [w], "it gave"),
    (
        character_ngrams,
        lambda w, a=3, b=6: sorted(character_ngrams(w, a, b)),
        "it gave",
    ),
    (character_ngrams, lambda w, a=3, b=6: character_ngrams(w), "it gave"),
    (
        character_ngrams,
        lambda w, a=3, b=6: "".join(character_ngrams(w, a, b)),
        "it gave",
    ),
    (fnv_1a, lambda text: with_a_mask(text[::-1]), "it gave"),
    (fnv_1a, lambda text: with_a_mask(text) % 2**31, "it gave"),
    (fnv_1a, lambda text: hash(text), "it gave"),
    (fnv_1a, lambda text: -with_a_mask(text), "it gave"),
    (fnv_1a, lambda text: sum(text.encode()), "it gave"),
    (sum_of_ngrams, lambda r, o, Z: Z[r], "it gave"),
    (sum_of_ngrams, lambda r, o, Z: by_scatter(r, o, Z) / len(r), "it gave"),
    (sum_of_ngrams, lambda r, o, Z: np.maximum(by_scatter(r, o, Z), 0), "it gave"),
    (sum_of_ngrams, lambda r, o, Z: by_scatter(r, o, Z).T, "it gave"),
    (sum_of_ngrams, lambda r, o, Z: -by_scatter(r, o, Z), "it gave"),
    (
        expected_sampling_loss,
        lambda X, N, W, C: (
            -(
                X * np.log(1 / (1 + np.exp(-W @ C.T)))
                + N * np.log(1 / (1 + np.exp(W @ C.T)))
            ).sum()
        ),
        "Your logarithm overflows",
    ),
]

EQUIVALENT = {
    "sum_of_ngrams": {
        "prepend=-1 → prepend=1": "Owners begin with 0, and whatever is not 0 before them marks the first start.",
        "prepend=-1 → prepend=-2": "Owners begin with 0, and whatever is not 0 before them marks the first start.",
        "np.add.reduceat(Z[rows], starts, axis=0) → np.add.reduceat(Z[rows], starts)": "NumPy's default axis is the first one.",
    },
    "expected_negatives": {
        "X.sum(axis=0) → X.mean(axis=0)": "The noise is divided by its sum, so that its scale is gone.",
    },
}
