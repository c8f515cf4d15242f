"""The formulas of other signals in JavaScript give the numbers of the Python package, on cases made at random."""

import numpy as np
from parity import assert_parity

from transformer_math.explorables.modalities.point_clouds import turned
from transformer_math.modalities import (
    PointNetParameters,
    farthest_points,
    local_groups,
    nearest_codes,
    nearest_neighbours,
    patchify,
    point_net,
    space_mask,
    time_mask,
    two_steps,
)


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


def cases_of_points(rng):
    n, d = int(rng.integers(1, 12)), 3
    on_grid = rng.integers(-1, 2, size=(n, d)).astype(float)
    X = on_grid if rng.random() < 0.5 else rng.normal(size=(n, d))
    yield "apart", [X[0], X[-1]], np.sum((X[0] - X[-1]) ** 2)
    number, start = int(rng.integers(1, n + 1)), int(rng.integers(n))
    chosen = farthest_points(X, number, start)
    yield "farthestPoints", [X, number, start], chosen
    k = int(rng.integers(1, n + 1))
    near = nearest_neighbours(X[chosen], X, k)
    yield "nearestNeighbours", [X[chosen], X, k], near
    yield "localGroups", [X, X[chosen], near], local_groups(X, X[chosen], near)
    wide, out, codes = (int(size) for size in rng.integers(1, 6, size=3))
    sizes = (d, wide), (wide,), (wide, out), (out,)
    network = [rng.normal(size=size) for size in sizes]
    z, C = point_net(X, PointNetParameters(*network)), rng.normal(size=(codes, out))
    yield "pointNet", [X, *network], z
    yield "nearestCode", [z, C], int(nearest_codes(z[None], C)[0])
    yaw, tilt = (float(angle) for angle in rng.uniform(-180, 180, size=2))
    yield "turned", [X, yaw, tilt], turned(X, yaw, tilt)


def test_javascript_agrees_with_python(tmp_path):
    rng = np.random.default_rng(7)
    many = [case for _ in range(200) for case in cases(rng)]
    many += [case for _ in range(100) for case in cases_of_points(rng)]
    assert_parity(tmp_path, "modalities/formulas.js", many)
