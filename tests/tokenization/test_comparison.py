"""Numbers that others published, limits that are known, and what is refused."""

from collections import Counter

import numpy as np
import pytest
from bad_input import assert_refused, refusals

from transformer_math.tokenization import (
    bits_per_character,
    renyi_efficiency,
    renyi_entropy,
)


@pytest.mark.parametrize(
    ("text", "efficiency"),
    [
        ("pick @@ed pick @@l @@ed pick @@les", 0.8265064834225245),
        ("pick @@e @@d pick @@l @@e @@d pick @@l @@e @@s", 0.9204840242168808),
    ],
)
def test_the_numbers_of_the_authors_own_program(text, efficiency):
    """From the tests of github.com/zouharvi/tokenization-scorer, where V is the number of tokens that occur."""
    counts = np.array([*Counter(text.split()).values()], dtype=float)
    assert renyi_efficiency(counts, 2.5) == pytest.approx(efficiency)
    assert renyi_efficiency(counts) == pytest.approx(efficiency)


def test_the_entropy_falls_with_its_order_and_is_continuous_at_one():
    p = np.array([0.5, 0.3, 0.2, 0.0])
    entropies = [renyi_entropy(p, alpha) for alpha in (1e-9, 0.5, 1.0, 2.0, 50.0)]
    assert entropies == sorted(entropies, reverse=True)
    assert entropies[0] == pytest.approx(np.log2(3))
    assert renyi_entropy(p, 1 + 1e-7) == pytest.approx(renyi_entropy(p, 1.0))
    assert renyi_entropy(p, 500.0) == pytest.approx(-np.log2(0.5), abs=0.01)


def test_a_vocabulary_used_evenly_is_used_fully():
    assert renyi_efficiency(np.full(8, 3.0)) == pytest.approx(1)
    assert renyi_efficiency(np.array([7.0, 0.0])) == 0
    assert bits_per_character(np.array([7.0, 0.0]), 5) == 0
    assert bits_per_character(np.full(8, 1.0), 8) == pytest.approx(3)


@refusals(
    ("no shares", lambda: renyi_entropy(np.ones(2), 2.0), ("sum to 1",)),
    (
        "nearly shares",
        lambda: renyi_entropy(np.array([0.5, 0.5 + 1.5e-6]), 2.0),
        ("sum to 1",),
    ),
    ("below 0", lambda: renyi_entropy(np.array([1.5, -0.5]), 2.0), ("at least 0",)),
    ("no order", lambda: renyi_entropy(np.ones(1), 0.0), ("alpha is 0",)),
    ("one token", lambda: renyi_efficiency(np.ones(1)), ("one token",)),
    ("nothing counted", lambda: renyi_efficiency(np.zeros(3)), ("not all 0",)),
    ("below 0", lambda: bits_per_character(np.array([2.0, -1]), 3), ("at least 0",)),
    (
        "no characters",
        lambda: bits_per_character(np.ones(2), 0),
        ("n_characters is 0",),
    ),
)
def test_bad_input(call, words):
    assert_refused(call, words)
