"""The formulas of other signals in JavaScript give the numbers of the Python package, on cases made at random."""

import numpy as np
from parity import assert_parity

from transformer_math.modalities import patchify, space_mask, time_mask, two_steps


def cases(rng):
    P, C = (int(k) for k in rng.integers(1, 5, size=2))
    H, W = (P * int(k) for k in rng.integers(1, 5, size=2))
    X = rng.normal(size=(H, W, C))
    yield "patchify", [X.reshape(H, -1), P, C], patchify(X, P)
    n = int(rng.integers(1, 200))
    yield "shuffledOrder", [n], (7 * np.arange(n) + 3) % n
    frames, places = (int(k) for k in rng.integers(1, 5, size=2))
    masks = space_mask(frames, places), time_mask(frames, places)
    for name, mask in zip(("spaceMask", "timeMask"), masks):
        yield name, [frames, places], mask
        yield "pairsOf", [mask], int(mask.sum())
    first, then = (rng.random((n, n)) < 0.3 for n in [len(masks[0])] * 2)
    i = int(rng.integers(len(first)))
    yield "reachedFrom", [first, then, i], two_steps(first, then)[i]


def test_javascript_agrees_with_python(tmp_path):
    rng = np.random.default_rng(7)
    many = [case for _ in range(200) for case in cases(rng)]
    assert_parity(tmp_path, "modalities/formulas.js", many)
