"""Unigram in JavaScript as in Python: lattices, sums, best ways, draws and steps of EM, on words and corpora made at random."""

from itertools import pairwise

import numpy as np
from parity import assert_parity

from transformer_math.explorables import UnigramExplorable
from transformer_math.tokenization import (
    Unigram,
    backward_sums,
    edge_posteriors,
    em_step,
    forward_sums,
    lattice,
    log_likelihood,
    n_best,
    viterbi,
)

LETTERS = list("abcé😊")


def listed(unigram):
    return [
        list(pair) for pair in zip(unigram.pieces, unigram.log_probabilities.tolist())
    ]


def places(pieces):
    return np.cumsum([0, *map(len, pieces)]).tolist()


def random_text(rng):
    words = [
        "".join(rng.choice(LETTERS, rng.integers(1, 15)))
        for _ in range(rng.integers(1, 6))
    ]
    return "  ".join(rng.choice(words, rng.integers(1, 20))) + " "


def cases(rng):
    strange = "".join(rng.choice([*LETTERS, "☃"], rng.integers(1, 13)))
    state = UnigramExplorable(
        corpus=random_text(rng),
        word=strange,
        steps=int(rng.integers(4)),
        temperature=float(rng.uniform(0.2, 5)),
        uniforms=rng.random(12).tolist(),
    )
    counts, start, model = state.word_counts, state.start, state.unigram
    pairs = [[word, count] for word, count in counts.items()]
    yield "wordCounts", [state.corpus, 12, 12], pairs
    yield "firstPieces", [pairs, 6], listed(start)
    L = lattice(state.in_use, model)
    hot = L / state.temperature
    yield "latticeOf", [state.in_use, listed(model)], L
    yield "heated", [L, state.temperature], hot
    yield "forwardSums", [hot], forward_sums(hot)
    yield "backwardSums", [hot], backward_sums(hot)
    yield "edgePosteriors", [hot], edge_posteriors(hot)
    yield "drawnCuts", [hot, state.uniforms], places(state.drawn)
    best = [{"score": s, "cuts": places(p)} for p, s in n_best(state.in_use, model, 5)]
    yield "bestWays", [L, 5], best
    assert state.best == viterbi(state.in_use, model)
    after = {
        "likelihood": log_likelihood(counts, model),
        "pieces": listed(em_step(counts, model)),
    }
    yield "emStep", [pairs, listed(model)], after


def test_javascript_agrees_with_python(tmp_path):
    rng = np.random.default_rng(8)
    many = [case for _ in range(60) for case in cases(rng)]
    assert_parity(tmp_path, "tokenization/lattice.js", many, at_least=10_000)


def test_the_drawn_way_follows_the_uniform_numbers():
    """With one number for each piece, counted from the end: where it falls among the shares of the last edges."""
    rng = np.random.default_rng(9)
    state = UnigramExplorable(temperature=3.0)
    seen = set()
    for _ in range(50):
        state.uniforms = rng.random(12).tolist()
        assert "".join(state.drawn) == state.in_use
        seen.add(tuple(state.drawn))
    assert len(seen) > 3
    ends = [places(way) for way in seen]
    assert all(a < b for way in ends for a, b in pairwise(way))


def test_python_reads_what_can_be_read():
    assert UnigramExplorable(word="").description().endswith("no corpus.")
    state = UnigramExplorable(corpus="a b", word="x" * 40)
    assert state.in_use == "x" * 12
    assert state.best == ["x"] * 12
    assert isinstance(state.unigram, Unigram)
