"""The formulas of other signals in JavaScript give the numbers of the Python package, on cases made at random."""

import numpy as np
from parity import assert_parity

from transformer_math.modalities import patchify


def cases(rng):
    P, C = (int(k) for k in rng.integers(1, 5, size=2))
    H, W = (P * int(k) for k in rng.integers(1, 5, size=2))
    X = rng.normal(size=(H, W, C))
    yield "patchify", [X.reshape(H, -1), P, C], patchify(X, P)
    n = int(rng.integers(1, 200))
    yield "shuffledOrder", [n], (7 * np.arange(n) + 3) % n


def test_javascript_agrees_with_python(tmp_path):
    rng = np.random.default_rng(7)
    many = [case for _ in range(200) for case in cases(rng)]
    assert_parity(tmp_path, "modalities/formulas.js", many)
