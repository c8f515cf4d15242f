"""The surfaces that points are drawn from, and the drawing."""

import numpy as np
import pytest

from transformer_math.signals.points import (
    Mesh,
    areas,
    bunny,
    heights,
    on_surface,
    teapot,
    tile,
)

SQUARE = Mesh(
    np.array([[0.0, 0, 0], [3, 0, 0], [3, 0, 1], [0, 0, 1]]),
    np.array([[0, 1, 2], [0, 2, 3]]),
)


@pytest.mark.parametrize("mesh", [bunny(), teapot(), tile(0, 0), tile(290, 350)])
def test_a_surface_lies_in_the_unit_ball_around_its_middle(mesh):
    assert np.linalg.norm(mesh.corners, axis=1).max() == pytest.approx(1)
    assert np.abs(mesh.corners.min(axis=0) + mesh.corners.max(axis=0)).max() < 1e-12
    assert mesh.triangles.max() == len(mesh.corners) - 1


def test_a_triangle_is_half_of_its_rectangle():
    assert areas(SQUARE).tolist() == [1.5, 1.5]


def test_every_place_of_a_surface_is_as_likely_as_any_other():
    mesh = Mesh(SQUARE.corners * [1, 1, 2], SQUARE.triangles)  # 3 by 2
    X = on_surface(np.random.default_rng(0), mesh, 60_000)
    counts, *_ = np.histogram2d(X[:, 0], X[:, 2], bins=[3, 2], range=[[0, 3], [0, 2]])
    assert np.abs(counts - 10_000).max() < 5 * np.sqrt(10_000 * 5 / 6)


def test_a_large_triangle_gets_more_points():
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 0, 1], [-3, 0, 0], [0, 0, -3]])
    mesh = Mesh(corners, np.array([[0, 1, 2], [0, 3, 4]]))
    X = on_surface(np.random.default_rng(0), mesh, 10_000)
    assert (X[:, 0] > 0).mean() == pytest.approx(0.1, abs=0.015)


def test_the_same_seed_draws_the_same_points():
    one, other = (on_surface(np.random.default_rng(3), teapot(), 9) for _ in range(2))
    assert np.array_equal(one, other)


def test_a_tile_beyond_the_landscape_is_refused():
    with pytest.raises(ValueError, match="no whole tile begins in row 300"):
        tile(300, 0)
    assert heights().shape == (344, 403)


@pytest.mark.parametrize("mesh", [bunny(), teapot(), tile(0, 0)])
def test_nobody_spoils_a_surface_for_the_next(mesh):
    for array in (mesh.corners, mesh.triangles):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0


@pytest.mark.parametrize("triangle", [[0, 1, -1], [0, 1, 9]])
def test_a_triangle_has_corners_of_its_mesh(triangle):
    with pytest.raises(ValueError, match=r"triangles go from -?\d to \d; .*Fix: \S"):
        Mesh(SQUARE.corners, np.array([triangle]))


def test_points_are_drawn_from_a_surface_that_has_an_area():
    flat = Mesh(np.ones((3, 3)), np.array([[0, 1, 2]]))
    assert areas(flat).tolist() == [0.0]
    with pytest.raises(ValueError, match=r"no area.*Fix: \S"):
        on_surface(np.random.default_rng(0), flat, 1)
