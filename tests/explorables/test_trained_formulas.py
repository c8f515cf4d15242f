"""How heads are measured, in JavaScript: Python's numbers, on random texts that say things again."""

import numpy as np
from parity import assert_parity

from transformer_math.block import NormParameters
from transformer_math.explorables import SensesExplorable
from transformer_math.explorables.trained import senses
from transformer_math.trained.induction_heads import (
    prefix_matching_score,
    previous_token_score,
)
from transformer_math.trained.logit_parts import logit_parts


def cases(rng):
    n = int(rng.integers(2, 12))
    ids = rng.integers(rng.integers(1, 9), size=n)
    A = np.tril(rng.dirichlet(np.ones(n), size=n))
    A /= A.sum(axis=-1, keepdims=True)
    seen = [A[i, : i + 1] for i in range(n)]  # what stands after a token is not there
    yield "previousTokenScore", [seen], float(previous_token_score(A))
    yield "ownTokenScore", [seen], float(np.diagonal(A).mean())
    if len(set(ids.tolist())) < n:
        yield "prefixMatchingScore", [seen, ids], float(prefix_matching_score(A, ids))
    pairs = list(zip(ids[:-1].tolist(), ids[1:].tolist()))
    yield "copies", [ids], [i + 1 for i, pair in enumerate(pairs) if pair in pairs[:i]]


def logit_cases(rng):
    n_parts, d, V = (int(k) for k in rng.integers([1, 2, 1], [6, 9, 5]))
    parts, E = rng.normal(size=(n_parts, d)), rng.normal(size=(V, d))
    p, eps = NormParameters(*rng.normal(size=(2, d))), float(10 ** rng.uniform(-6, 0))
    scaled = logit_parts(parts, p, np.eye(d), eps)
    yield "scaledParts", [parts, p.gamma, eps], scaled
    wanted = logit_parts(parts, p, E, eps)
    yield "addedAlong", [scaled, E[0] - E[-1]], wanted[:, 0] - wanted[:, -1]


TYPED = [
    "Whale",
    "light",
    "Été",
    "à",
    "42",
    "bank_river",
    "L'été,",
    "東京",
    "Bank",
    "of",
]


def word_cases(rng):
    texts = [" ".join(rng.choice(TYPED, size=rng.integers(0, 20))) for _ in range(3)]
    sentences = [senses.words_of(text) for text in texts]
    for text, words in zip(texts, sentences):
        yield "wordsOf", [text, senses.MOST_WORDS], words
    shared = senses.shared_words(texts)
    yield "sharedWords", [sentences], shared
    state = SensesExplorable(first=texts[0], second=texts[1], third=texts[2])
    state.word = str(rng.choice(TYPED)).lower()
    yield "chosenOf", [shared, state.word], state.chosen
    for text, words in zip(texts, sentences):
        for word in words[:3]:
            arguments = [text, word, senses.MOST_WORDS]
            yield "upTo", arguments, senses.upto(text, word)


def test_javascript_agrees_with_python(tmp_path):
    rng = np.random.default_rng(5)
    many = [
        case
        for _ in range(600)
        for make in (cases, logit_cases, word_cases)
        for case in make(rng)
    ]
    assert_parity(tmp_path, "trained/formulas.js", many)
