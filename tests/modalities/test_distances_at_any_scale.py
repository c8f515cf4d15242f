"""Nearest and farthest points do not depend on the unit of length, though squares of it may leave the range of floats."""

import numpy as np
import pytest
from units_of_arrays import UNITS

from transformer_math.gradient import (
    chamfer_distance_vjp,
    codebook_loss_vjp,
    commitment_loss_vjp,
    quantise_vjp,
)
from transformer_math.modalities import (
    farthest_points,
    lloyd_step,
    moving_average_codebook,
    nearest_codes,
    nearest_neighbours,
    quantise,
    residual_codes,
)

CODES = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
VECTORS = np.array([[0.125, 1.0], [-1.0, 0.125], [1.0, 0.0]])
POINTS = np.array([[0.0, 0.0], [1.0, 0.0], [3.0, 0.0], [-4.0, 0.0]])
OTHERS = np.array([[2.0, 1.0], [-3.0, 1.0]])


def scaled(dtype, power, *arrays):
    return [np.ldexp(x.astype(dtype), power) for x in arrays]


def equal(got, wanted, dtype, power):
    """The same to the last bit, in the other unit."""
    assert got.dtype == dtype
    assert np.array_equal(got, np.ldexp(wanted.astype(dtype), power))


@UNITS
def test_codes(dtype, power):
    Z, C = scaled(dtype, power, VECTORS, CODES)
    assert nearest_codes(Z, C).tolist() == [1, 2, 0]
    assert nearest_codes(Z=Z, C=C).tolist() == [1, 2, 0]
    assert residual_codes(Z, np.stack([C, C / 8]))[0].tolist() == [1, 2, 0]
    assert residual_codes(Z, np.stack([C, C / 8]))[1].tolist() == [0, 1, 0]
    equal(quantise(Z, C), CODES[[1, 2, 0]], dtype, power)
    equal(quantise_vjp(Z, C)[0], CODES[[1, 2, 0]], dtype, power)
    equal(lloyd_step(Z, C), VECTORS[[2, 0, 1]], dtype, power)
    start = np.zeros(3, dtype), np.zeros((3, 2), dtype)
    counts = moving_average_codebook(Z, C, *start, step=1, decay=0.5)[1]
    assert counts.tolist() == [0.5, 0.5, 0.5]


@UNITS
def test_losses_of_a_codebook(dtype, power):
    Z, C = scaled(dtype, power, VECTORS, CODES)
    if power > np.finfo(dtype).maxexp // 2:  # no float holds the squares
        for loss in (commitment_loss_vjp, codebook_loss_vjp):
            with (
                pytest.raises(ValueError, match="comes to inf"),
                np.errstate(over="ignore"),
            ):
                loss(Z, C)
        return
    _, to_vectors = commitment_loss_vjp(Z, C)
    _, to_codes = codebook_loss_vjp(Z, C)
    wanted = commitment_loss_vjp(VECTORS.astype(dtype), CODES.astype(dtype))[1](1.0)
    equal(to_vectors(1.0)[0], wanted[0], dtype, power)
    wanted = codebook_loss_vjp(VECTORS.astype(dtype), CODES.astype(dtype))[1](1.0)
    equal(to_codes(1.0)[1], wanted[1], dtype, power)


@UNITS
def test_points(dtype, power):
    X, Y = scaled(dtype, power, POINTS, OTHERS)
    assert farthest_points(X, 3).tolist() == [0, 3, 2]
    assert nearest_neighbours(Y, X, 2).tolist() == [[1, 2], [3, 0]]


@UNITS
def test_the_way_back_from_the_chamfer_distance(dtype, power):
    X, Y = scaled(dtype, power, POINTS, OTHERS)
    with np.errstate(over="ignore"):
        _, pullback = chamfer_distance_vjp(X, Y)
    _, near_1 = chamfer_distance_vjp(POINTS.astype(dtype), OTHERS.astype(dtype))
    for got, wanted in zip(pullback(dtype(0.5)), near_1(dtype(0.5))):
        equal(got, wanted, dtype, power)


def test_two_equal_clouds_are_not_apart_in_any_unit():
    X = np.ldexp(POINTS, 1018)
    distance, pullback = chamfer_distance_vjp(X, X)
    assert distance == 0
    assert not np.any(pullback(1.0))
