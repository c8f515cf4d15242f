import math

import numpy as np

from transformer_math.block import erf

GRID = np.concatenate([np.linspace(-7, 7, 200_001), [0.46875, -0.46875, 4.0, 6.0]])
EXTREMES = np.array([0.0, 5e-324, 1e-300, 1e-9, 26.0, 1e3, 1e154, 1e308])


def true(x):
    return np.array([math.erf(value) for value in x])


def test_it_is_as_exact_as_the_one_of_python():
    x = np.concatenate([GRID, EXTREMES, -EXTREMES])
    assert np.abs(erf(x) - true(x)).max() <= 1e-15


def test_near_zero_it_is_exact_in_proportion():
    x = np.geomspace(1e-300, 0.4, 10_000)
    assert np.abs(erf(x) / true(x) - 1).max() <= 1e-15


def test_single_precision_is_exact_to_its_last_digits():
    x = GRID.astype(np.float32)
    assert erf(x).dtype == np.float32
    assert np.abs(erf(x) - true(x)).max() <= 3e-7


def test_it_is_odd_even_at_zero():
    assert np.array_equal(erf(-GRID), -erf(GRID))
    assert np.signbit(erf(np.array([-0.0])))[0]
