"""Normalisations in JavaScript give Python's numbers, and the plane's directions are the same."""

import numpy as np
from parity import assert_parity

from transformer_math.block import NormParameters, layer_norm, rms_norm
from transformer_math.explorables.block.layer_norm import to_plane


def cases(rng):
    d = int(rng.integers(1, 9))
    x = 10 ** rng.uniform(-3, 3) * rng.normal(size=d) + rng.normal()
    gamma, beta = rng.normal(size=(2, d))
    eps = float(10 ** rng.uniform(-6, -1))
    given = NormParameters(gamma, beta)
    yield "layerNorm", [x, gamma, beta, eps], layer_norm(x, given, eps)
    yield "rmsNorm", [x, gamma, eps], rms_norm(x, gamma, eps)
    v = rng.normal(size=3)
    yield "toPlane", [v], to_plane(v)
    yield "fromPlane", [to_plane(v)], v


def test_javascript_agrees_with_python(tmp_path):
    rng = np.random.default_rng(17)
    many = [case for _ in range(300) for case in cases(rng)]
    assert_parity(tmp_path, "block/formulas.js", many)
