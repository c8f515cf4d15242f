"""Drawing tokens: as often as their probabilities say; and what no seal speaks of."""

import numpy as np
import pytest
from bad_input import assert_refused, refusals

from transformer_math.output import (
    beam,
    greedy,
    nucleus,
    probabilities,
    sample,
    top_k,
)

LOGITS = np.array([1.0, 0.3, -0.5, 2.0, 0.3, -1.0])
# Quantiles of the chi-squared distribution: 99.9 % of all samples stay below
CHI_SQUARED = {1: 10.83, 2: 13.82, 3: 16.27, 4: 18.47, 5: 20.52}


def chi_squared(counts, expected):
    return ((counts - expected) ** 2 / expected).sum()


def drawn(distribution, number=2000):
    rng = np.random.default_rng(8)
    ids = sample(lambda ids: LOGITS, np.array([0]), number, rng, *distribution)
    return np.bincount(ids[1:], minlength=len(LOGITS))


WAYS = {
    "plain": (),
    "temperature": (lambda x: probabilities(x, 0.5),),
    "top-k": (lambda x: top_k(probabilities(x), 3),),
    "nucleus": (lambda x: nucleus(probabilities(x), 0.7),),
}


@pytest.mark.parametrize("way", WAYS)
def test_tokens_are_drawn_as_often_as_their_probabilities_say(way):
    p = (WAYS[way] or (probabilities,))[0](LOGITS)
    counts = drawn(WAYS[way])
    possible = p > 0
    assert counts[~possible].sum() == 0
    freedom = possible.sum() - 1
    found = chi_squared(counts[possible], counts.sum() * p[possible])
    assert found < CHI_SQUARED[freedom]


def test_the_chi_squared_test_sees_another_temperature():
    counts = drawn(())
    p = probabilities(LOGITS, 1.3)
    assert chi_squared(counts, counts.sum() * p) > CHI_SQUARED[5]


def follows(ids):
    """A model of two tokens: the next one depends on the last."""
    return np.log(np.array([[0.9, 0.1], [0.3, 0.7]])[ids[-1]])


def test_the_second_token_is_drawn_from_what_follows_the_first():
    rng = np.random.default_rng(9)
    pairs = [sample(follows, np.array([1]), 2, rng)[1:] for _ in range(400)]
    counts = np.bincount([2 * a + b for a, b in pairs], minlength=4)
    expected = 400 * np.array([0.3 * 0.9, 0.3 * 0.1, 0.7 * 0.3, 0.7 * 0.7])
    assert chi_squared(counts, expected) < CHI_SQUARED[3]


def test_a_sample_stops_behind_the_end_token_and_no_earlier():
    rng = np.random.default_rng(10)
    texts = [sample(follows, np.array([1]), 5, rng, end=0) for _ in range(60)]
    for ids in texts:
        assert 0 not in ids[1:-1]
        assert ids[-1] == 0 or len(ids) == 6
    assert {len(ids) for ids in texts} == {2, 3, 4, 5, 6}


def test_one_seed_gives_one_text_and_the_model_sees_all_of_it():
    seen = []

    def watched(ids):
        seen.append(ids.tolist())
        return follows(ids)

    start = np.array([0, 1])
    one = sample(watched, start, 4, np.random.default_rng(1))
    two = sample(follows, start, 4, np.random.default_rng(1))
    assert np.array_equal(one, two)
    assert seen == [one[:n].tolist() for n in range(2, 6)]
    assert np.array_equal(start, [0, 1])


def test_a_start_that_ends_with_the_end_token_is_written_on():
    start = np.array([1, 0])
    assert len(greedy(follows, start, 3, end=1)) == 5
    assert greedy(follows, start, 3, end=0).tolist() == [1, 0, 0]
    assert beam(follows, start, 3, 2, end=0)[0].ids.tolist() == [1, 0, 0]


def test_impossible_tokens_are_never_written():
    def only_one(ids):
        return np.array([-np.inf, 0.0, -np.inf])

    start = np.array([0])
    assert sample(only_one, start, 3, np.random.default_rng(0)).tolist() == [0, 1, 1, 1]
    assert [one.ids.tolist() for one in beam(only_one, start, 3, 5)] == [[0, 1, 1, 1]]


def test_a_wider_beam_may_find_a_worse_sequence():
    """No law makes wider beams better: here both places are taken by what follows token 2, and that ends badly."""
    after = np.zeros((8, 8))
    after[0, [1, 2]] = 0.55, 0.45
    after[1, [3, 4, 5]] = 1 / 3
    after[2, [6, 7]] = 1 / 2
    after[3:6, 0] = 1
    after[6:, :5] = 1 / 5

    def next_logits(ids):
        with np.errstate(divide="ignore"):
            return np.log(after[ids[-1]])

    narrow, wide = (beam(next_logits, np.array([0]), 3, w)[0].score for w in (1, 2))
    assert np.allclose(np.exp([narrow, wide]), [0.55 / 3, 0.45 / 10])


def test_the_nucleus_of_a_tiny_mass_is_the_likeliest_token():
    p = probabilities(LOGITS)
    assert (nucleus(p, 1e-300) > 0).nonzero()[0].tolist() == [3]
    assert np.array_equal(nucleus(p, 1.0) > 0, p > 0)


def a_row_each(ids):
    return np.zeros((len(ids), 3))


def longer_rows(ids):
    return np.zeros(2 + len(ids))


@refusals(
    ("logits in place of probabilities", lambda: top_k(LOGITS, 2), ("p is no distribution",)),
    ("counts in place of probabilities", lambda: nucleus(np.array([3.0, 1.0]), 0.9), ("p is no distribution",)),
    ("a row for each token", lambda: greedy(a_row_each, np.array([0, 1]), 2), ("has shape (2, 3)", "next_logits(…)[-1]")),
    ("a row that grows", lambda: beam(longer_rows, np.array([0]), 3, 2), ("next_logits(…) has shape (4,)", "V the same")),
    ("a distribution of fewer", lambda: drawn([lambda x: probabilities(x[1:])], 2), ("distribution(…) has shape (5,)", "V = 6")),
    ("no token", lambda: top_k(probabilities(LOGITS), 0), ("k is 0",)),
    ("a percentage", lambda: nucleus(probabilities(LOGITS), 90), ("mass is 90",)),
    ("no mass", lambda: nucleus(probabilities(LOGITS), 0.0), ("mass is 0",)),
    ("an end token below 0", lambda: greedy(follows, np.array([0]), 2, -1), ("end is -1",)),
    ("a beam of no width", lambda: beam(follows, np.array([0]), 2, 0), ("width is 0",)),
    ("a greedy start below 0", lambda: greedy(follows, np.array([-5]), 2), ("start is an array", "at least 0", "encode")),
    ("a sampled start below 0", lambda: sample(follows, np.array([-5]), 2, np.random.default_rng(0)), ("start is an array",)),
    ("a beam from below 0", lambda: beam(follows, np.array([0, -5]), 2, 2), ("start is an array",)),
    ("a power without end", lambda: beam(follows, np.array([0]), 3, 2, None, 1000.0), ("power 1000.0", "beyond float64")),
    ("a negative power", lambda: beam(follows, np.array([0]), 2, 2, None, -1.0), ("power is -1",)),
    ("a seed, no generator", lambda: sample(follows, np.array([0]), 2, 7), ("rng is 7", "default_rng")),
)  # fmt: skip
def test_bad_input(call, words):
    assert_refused(call, words)
