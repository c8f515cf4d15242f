"""Attention's formulas in JavaScript give the numbers of the Python package, on cases made at random."""

import numpy as np
from parity import assert_parity

from transformer_math import attention
from transformer_math.embedding import letters_vector, trigrams
from transformer_math.explorables import ScaledDotProductExplorable
from transformer_math.explorables.attention.scaled_dot_product import HEAD
from transformer_math.explorables.attention.vocabulary import (
    DIMENSIONS,
    content,
    known_vectors,
    visible_words,
)

ALPHABETS = [
    "abcdefghijklmnopqrstuvwxyz",
    "ABCéßñøΣσΩдЖ",
    " \t\n.,;:!?()'\"-_0189",
    "東京日本語한국어",
    "👩🚀❤🏽\u200d\ufe0f\u0301\u200b\ufeff\x00\x1c\u00a0\u2028",
]


def matrices(rng):
    n, m, d = rng.integers(1, 17, size=3)
    scale = 10 ** rng.uniform(-2, 3)
    return scale * rng.normal(size=(n, d)), scale * rng.normal(size=(m, d))


def step_cases(rng):
    Q, K = matrices(rng)
    n, m = len(Q), len(K)
    S, mask = attention.scores(Q, K), rng.random((n, m)) < 0.5
    masked = attention.apply_mask(S, mask)
    yield "scores", [Q, K], S
    yield "scores", [Q, K, False], Q @ K.T
    yield "selfAttention", [Q, False], attention.attention(Q, Q, Q)[0]
    past = attention.attention(Q, Q, Q, attention.causal_mask(n))[0]
    yield "selfAttention", [Q, True], past
    yield "causalMask", [int(n)], attention.causal_mask(n)
    yield "applyMask", [S, mask], masked
    for row in (*masked, 1000 * S[0]):
        weights = attention.softmax(row)
        yield "softmax", [row], weights
        yield "entropy", [weights], attention.entropy(weights[None]).item()


def online_cases(rng):
    S, V = matrices(rng)[0], rng.normal(size=(7, 3))
    state = {"m": -np.inf, "l": 0.0, "o": np.zeros(3)}
    for row in S:
        s = np.where(rng.random(7) < 0.3, -np.inf, rng.normal(size=7) * abs(row[0]))
        given = np.array([state["m"]]), np.array([state["l"]]), state["o"][None]
        m, l, o = attention.online_softmax(*given, s[None], V)
        after = {"m": float(m[0]), "l": float(l[0]), "o": o[0]}
        yield "onlineSoftmax", [state, s, V], after
        state = after


def mask_cases(rng):
    n = int(rng.integers(1, 17))
    size = int(rng.integers(1, n + 1))
    padding = attention.padding_mask(np.array([size]), n)[0, 0]
    block = np.arange(n) // size
    for name, wanted in {
        "everything": np.ones((n, n), bool),
        "causal": attention.causal_mask(n),
        "window": attention.sliding_window_mask(n, size),
        "prefix": attention.prefix_mask(n, size),
        "padding": np.broadcast_to(padding, (n, n)),
        "blocks": block[:, None] == block,
        "nothing": np.zeros((n, n), bool),
    }.items():
        yield "presetMask", [name, n, size], wanted
    A, V = rng.random((n, size)), rng.normal(size=(size, 3))
    A[rng.random(n) < 0.3] = 0
    yield "weigh", [A, V], A @ V


def whole_cases(rng):
    Q = matrices(rng)[0]
    K = rng.normal(size=Q.shape)
    scaled, causal = (rng.random(2) < 0.5).tolist()
    temperature = float(rng.uniform(0.1, 4))
    divided = (attention.scores(Q, K) if scaled else Q @ K.T) / temperature
    mask = attention.causal_mask(len(Q)) | (not causal)
    masked = attention.apply_mask(divided, mask)
    weights = attention.softmax(masked)
    steps = {"raw": Q @ K.T, "divided": divided, "masked": masked, "weights": weights}
    options = {"scaled": scaled, "causal": causal, "temperature": temperature}
    yield "attentionSteps", [Q, K, options], steps


def text(rng):
    pieces = [rng.choice(list(ALPHABETS[k])) for k in rng.integers(5, size=30)]
    return "".join(pieces)


def word_cases(rng):
    known, W, _ = known_vectors()
    sentence = text(rng) + " sea Whale unseaworthy"
    yield "tokenize", [sentence], visible_words(sentence)
    some = rng.choice(len(known), size=20, replace=False)
    few = [known[u] for u in some]
    index = {"call": "trigramIndex", "args": [few]}
    holders = {
        gram: [u for u, w in enumerate(few) if gram in trigrams(w)]
        for gram in set().union(*map(trigrams, few))
    }
    yield "trigramIndex", [few], holders
    for word in (*visible_words(sentence), few[0] + "ness"):
        yield "trigrams", [word], sorted(trigrams(word))
        yield (
            "lettersVector",
            [word, index, W[some]],
            letters_vector(word, few, W[some]),
        )


def head_cases(rng):
    sentence = " ".join(rng.choice(known_vectors()[0][:500], size=rng.integers(1, 17)))
    for head in ("similar", "previous", "both"):
        explorable = ScaledDotProductExplorable(sentence=sentence, head=head)
        words = np.array([content(token) for token in explorable.tokens])
        assert words.shape == (len(explorable.tokens), DIMENSIONS)
        wanted = {"Q": explorable.Q_in_use, "K": explorable.K_in_use}
        yield "headVectors", [head, words, HEAD], wanted


def test_javascript_agrees_with_python(tmp_path):
    rng = np.random.default_rng(7)
    kinds = (step_cases, online_cases, mask_cases, whole_cases, word_cases, head_cases)
    cases = [case for _ in range(25) for make in kinds for case in make(rng)]
    assert_parity(tmp_path, "attention/formulas.js", cases, at_least=20_000)
