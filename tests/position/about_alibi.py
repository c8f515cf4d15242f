"""What the tests of all ideas ask of `position/alibi`."""

import math

import numpy as np

from transformer_math.attention import scores, softmax
from transformer_math.position import (
    alibi_attention,
    alibi_bias,
    alibi_slopes,
    alibi_span,
)

rng = np.random.default_rng(3)
ONE = rng.normal(size=(2, 3, 4))

EXAMPLES = {
    alibi_attention: {
        "Q": ONE,
        "K": ONE + 1,
        "V": ONE[..., :3] - 1,
        "slopes": np.array([0.5, 0.25]),
        "mask": np.tri(3, dtype=bool),
    },
}

EXAMPLES[alibi_bias] = {"n": 3, "slopes": np.array([1.0, 2.0])}
EXAMPLES[alibi_span] = {"slopes": np.array([1.0, 2.0]), "share": 0.5}

OTHER_DEFAULTS = {alibi_span: {"share": 0.5}}

ACCEPTED = {
    alibi_attention: {"V": {"longer"}},
    alibi_bias: {"slopes": {"longer"}},
    alibi_span: {"slopes": {"longer"}, "share": {"0"}},
}

NO_TWIN = {
    alibi_bias: "made of sizes and of slopes, all of them given",
    alibi_span: "made of slopes, which are given; it measures a head and is no part of the model",
}


def biased(Q, K, V, bias, mask=None):
    S = scores(Q, K) + bias
    A = softmax(S if mask is None else np.where(mask, S, -np.inf))
    return A @ V, A


def distances(Q):
    place = np.arange(Q.shape[-2])
    return np.abs(place[:, None] - place)


RIGHT = [
    (
        alibi_slopes,
        lambda H: [
            2.0 ** (-8 * (h + 1) / p) if h < p else 2.0 ** (-4 * (2 * (h - p) + 1) / p)
            for p in [2 ** int(math.log2(H))]
            for h in range(H)
        ],
    ),
    (
        alibi_slopes,
        lambda H: np.append(
            alibi_slopes(2 ** int(math.log2(H))),
            alibi_slopes(2 * 2 ** int(math.log2(H)))[::2],
        )[:H],
    ),
    (
        alibi_bias,
        lambda n, slopes: -np.einsum("h,ij->hij", slopes, distances(np.zeros((n, 1)))),
    ),
    (
        alibi_bias,
        lambda n, m: [
            [[-a * abs(i - j) for j in range(n)] for i in range(n)] for a in m
        ],
    ),
    (
        alibi_attention,
        lambda Q, K, V, slopes, mask=None: biased(
            Q, K, V, -slopes[:, None, None] * distances(Q), mask
        ),
    ),
    (
        alibi_attention,
        lambda Q, K, V, m, mask=None: biased(
            Q, K, V, alibi_bias(Q.shape[-2], m) + 5.0, mask
        ),
    ),
    (alibi_span, lambda slopes, share=0.9: np.log(1 / (1 - share)) / slopes),
    (alibi_span, lambda m, c=0.9: [-math.log1p(-c) / a for a in m]),
]

WRONG = [
    (alibi_slopes, lambda H: 2.0 ** -np.arange(1, H + 1), "it gave"),
    (alibi_slopes, lambda H: 2.0 ** (-8 * np.arange(H) / H), "it gave"),
    (alibi_slopes, lambda H: np.full(H, 0.5), "it gave"),
    (alibi_slopes, lambda H: -alibi_slopes(H), "wrong sign"),
    (alibi_slopes, lambda H: 2.0 ** (8 * np.arange(1, H + 1) / H), "it gave"),
    (
        alibi_slopes,
        lambda H: 2.0 ** (-8 * np.arange(1, H + 1) / H),
        "one row for any number of heads",
    ),
    (alibi_bias, lambda n, m: -alibi_bias(n, m), "positive"),
    (
        alibi_bias,
        lambda n, m: m[:, None, None] * (np.arange(n) - np.arange(n)[:, None]),
        "has a sign",
    ),
    (alibi_bias, lambda n, m: np.tril(alibi_bias(n, m)), "it gave"),
    (alibi_bias, lambda n, m: -1 / alibi_bias(n, m).clip(max=-1e-3), "it gave"),
    (alibi_bias, lambda n, m: alibi_bias(n, m)[0], "it gave"),
    (
        alibi_attention,
        lambda Q, K, V, m, mask=None: biased(Q, K, V, 0.0, mask),
        "it gave",
    ),
    (
        alibi_attention,
        lambda Q, K, V, m, mask=None: biased(
            Q, K, V, -alibi_bias(Q.shape[-2], m), mask
        ),
        "look",
    ),
    (
        alibi_attention,
        lambda Q, K, V, m, mask=None: biased(
            Q, K, V, alibi_bias(Q.shape[-2], m) / math.sqrt(Q.shape[-1]), mask
        ),
        "added after the division",
    ),
    (
        alibi_attention,
        lambda Q, K, V, m, mask=None: alibi_attention(Q, K, V, m),
        "gnore",
    ),
    (
        alibi_attention,
        lambda Q, K, V, m, mask=None: alibi_attention(Q, K, V, m, mask)[0],
        "it gave",
    ),
    (alibi_span, lambda m, c=0.9: -np.log(c or 1e-300) / m, "fallen"),
    (alibi_span, lambda m, c=0.9: c / m, "it gave"),
    (alibi_span, lambda m, c=0.9: np.ceil(alibi_span(m, c)), "it gave"),
    (alibi_span, lambda m, c=0.9: alibi_span(m), "You ignore `share`"),
    (alibi_span, lambda m, c=0.9: 1 / m, "it gave"),
]

EQUIVALENT_FORMULAS = {
    "book/position/alibi": {
        "\\operatorname{softmax}(s - c)": "c is any number, below zero too",
    },
}
