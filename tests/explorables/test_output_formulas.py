"""Choosing the next token in JavaScript as in Python: the same distributions, the same draws, the same beams."""

import numpy as np
from parity import assert_parity

from transformer_math.explorables.output.temperature import coldest
from transformer_math.output import beam, nucleus, probabilities, sample, top_k


def distribution_cases(rng):
    V = int(rng.integers(1, 40))
    x = 10 ** rng.uniform(-1, 1) * rng.normal(size=V)
    if rng.random() < 0.5:
        x = np.round(x)  # equal ones
    temperature = float(rng.uniform(0.1, 3))
    p = probabilities(x, temperature)
    yield "probabilities", [x], probabilities(x)
    yield "probabilities", [x, temperature], p
    yield "coldest", [x], coldest(x)
    yield "ranked", [x], np.argsort(-x, kind="stable")
    k = int(rng.integers(1, len(x) + 1))
    yield "highest", [x, k], np.argsort(-x, kind="stable")[:k]
    k, mass = (
        int(rng.integers(1, V + 3)),
        float(rng.choice([rng.uniform(0.01, 1), 1.0])),
    )
    yield "topK", [p, k], top_k(p, k)
    yield "nucleus", [p, mass], nucleus(p, mass)
    both = nucleus(top_k(p, k), mass)
    yield "nucleus", [{"call": "topK", "args": [p, k]}, mass], both
    seed = int(rng.integers(1000))
    drawn = sample(
        lambda _: x,
        np.array([0]),
        1,
        np.random.default_rng(seed),
        lambda y: nucleus(top_k(probabilities(y, temperature), k), mass),
    )
    yield "draw", [both, np.random.default_rng(seed).random()], int(drawn[-1])


def beam_cases(rng):
    """Logits that depend on the last two tokens; each round goes on from what Python's search of that length found."""
    V, length, width = (int(x) for x in rng.integers([2, 2, 1], [9, 5, 6]))
    table, power = rng.normal(size=(V, V, V)), float(rng.choice([0.0, 0.7, 1.0]))

    def next_logits(ids):
        return table[ids[-2], ids[-1]]

    start = rng.integers(V, size=2)
    before = beam(next_logits, start, length - 1, width, power=power)
    after = beam(next_logits, start, length, width, power=power)
    found = [
        {"added": one.ids[2:], "logP": one.score * (length - 1) ** power}
        for one in before
    ]
    logits = [next_logits(one.ids) for one in before]
    wanted = [
        {"added": one.ids[2:], "logP": one.score * length**power, "score": one.score}
        for one in after
    ]
    yield "beamRound", [found, logits, width, power], wanted


def test_javascript_agrees_with_python(tmp_path):
    rng = np.random.default_rng(5)
    kinds = (distribution_cases, beam_cases)
    cases = [case for _ in range(150) for make in kinds for case in make(rng)]
    assert_parity(tmp_path, "output/formulas.js", cases, at_least=10_000)
