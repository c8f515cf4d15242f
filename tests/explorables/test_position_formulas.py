"""The formulas of positions in JavaScript give the numbers of the Python package, on cases made at random."""

import numpy as np
from parity import assert_parity, compare, copy_modules

from transformer_math import position


def cases(rng):
    d = 2 * int(rng.integers(1, 65))
    base = float(10 ** rng.uniform(1, 5))
    places = rng.integers(-300, 300, size=7).astype(float)
    x, angles = rng.normal(size=d), rng.uniform(-10, 10, size=d // 2)
    yield "frequencies", [d, base], position.frequencies(d, base)
    yield "wavelengths", [d, base], position.wavelengths(d, base)
    yield "sinusoidal", [places, d, base], position.sinusoidal_at(places, d, base)
    yield "rotate", [x, angles], position.rotate_pairs(x, angles)
    alike = position.position_similarity(places, d, base)
    yield "positionSimilarity", [places, d, base], alike
    heads, share = int(rng.integers(1, 40)), rng.uniform(0, 0.99)
    slopes = position.alibi_slopes(heads)
    yield "alibiSlopes", [heads], slopes
    yield "alibiBias", [5, slopes[-1]], position.alibi_bias(5, slopes)[-1]
    yield "alibiSpan", [slopes[0], share], position.alibi_span(slopes, share)[0]
    for p in places:
        yield "rope", [x, p, base], position.rope(x[None], np.array([p]), base)[0]


def test_javascript_agrees_with_python(tmp_path):
    rng = np.random.default_rng(7)
    many = [case for _ in range(25) for case in cases(rng)]
    assert_parity(tmp_path, "position/formulas.js", many, at_least=20_000)


def test_the_helpers_agree(tmp_path):
    rng = np.random.default_rng(7)
    a, b = rng.normal(size=(2, 9))
    length = np.linalg.norm(a)
    cosine = a @ b / length / np.linalg.norm(b)
    pair = [
        ("dot", [a, b], float(a @ b)),
        ("mean", [a], a.mean()),
        ("length", [a], length),
        ("cosine", [a, b], cosine),
        ("placesOfLargest", [[1.0, 3.0, 2.0, 3.0 - 1e-12]], [1, 3]),
        ("range", [5], np.arange(5)),
    ]
    # what draws random numbers is compared where it is used: tests of the continuation and of the encoder layer
    assert_parity(tmp_path, "numbers.js", pair, at_least=9, inside=("uniforms",))


def test_the_comparison_can_fail(tmp_path):
    def broken(text):
        return text.replace("(-2 * i) / d", "(2 * i) / d")

    case = ("frequencies", [6, 100.0], position.frequencies(6, 100.0))
    report = compare(copy_modules(tmp_path, broken), "position/formulas.js", [case])
    assert report["worst"]["frequencies"] > 0.1
