"""How heads are measured, in JavaScript: Python's numbers, on random texts that say things again."""

import numpy as np
from parity import assert_parity

from transformer_math.trained.induction_heads import (
    prefix_matching_score,
    previous_token_score,
)


def cases(rng):
    n = int(rng.integers(2, 12))
    ids = rng.integers(rng.integers(1, 9), size=n)
    A = np.tril(rng.dirichlet(np.ones(n), size=n))
    seen = [A[i, : i + 1] for i in range(n)]  # what stands behind a token is not there
    yield "previousTokenScore", [seen], float(previous_token_score(A))
    yield "ownTokenScore", [seen], float(np.diagonal(A).mean())
    if len(set(ids.tolist())) < n:
        yield "prefixMatchingScore", [seen, ids], float(prefix_matching_score(A, ids))
    pairs = list(zip(ids[:-1].tolist(), ids[1:].tolist()))
    yield "copies", [ids], [i + 1 for i, pair in enumerate(pairs) if pair in pairs[:i]]


def test_javascript_agrees_with_python(tmp_path):
    rng = np.random.default_rng(5)
    many = [case for _ in range(600) for case in cases(rng)]
    assert_parity(tmp_path, "trained/formulas.js", many)
