"""Surfaces from which points are drawn: a rabbit and a teapot as meshes of triangles, and a landscape.

The two meshes come from npm, in packages that call themselves public domain. The rabbit is part of the Stanford 3D Scanning
Repository, which says otherwise of its scans: it asks to be named, and reserves commercial use
(https://graphics.stanford.edu/data/3Dscanrep/). The teapot is Martin Newell's, from Utah. The landscape is one of Matplotlib's
samples: heights around the Jacksboro fault in Tennessee. None of them stands in git.
"""

import json
import re
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import Size, contract, requires
from transformer_math.fetched import Package, read
from transformer_math.npm import verify

_NAME = "jacksboro_fault_dem.npz"
_CONTENT = "d493f50a33e82a4420494c54d1fca1539d177bdc27ab190bc5fe6e92f62fb637"
TILE = 48  # rows and columns of heights in a piece of the landscape
STEEP = 0.0016  # of a tile's width for each metre: about six times as steep as it is


@contract
@requires(
    lambda corners, triangles: triangles.min() >= 0 and triangles.max() < len(corners),
    lambda corners, triangles: (
        f"triangles go from {triangles.min()} to {triangles.max()}; wanted numbers of corners, 0..{len(corners) - 1}. "
        "Fix: count corners from 0."
    ),
)
@dataclass(frozen=True)
class Mesh:
    """A surface: corners in space, and triangles as the numbers of their three corners. The second coordinate points up.

    Raises ValueError for triangles with corners that are not there.
    """

    corners: Float[np.ndarray, "corners 3"]
    triangles: Int[np.ndarray, "triangles 3"]


def _mesh(script: str) -> bytes:
    """Both scripts export two lists of lists of numbers, which are JSON."""
    found = [
        re.search(rf"exports\.{name}\s*=\s*(\[\[.*?\]\])", script, re.DOTALL)
        for name in ("positions", "cells")
    ]
    corners, triangles = (json.loads(match.group(1)) for match in found if match)
    return json.dumps({"corners": corners, "triangles": triangles}).encode()


def _rabbit(package: Path) -> bytes:
    return _mesh((package / "index.js").read_text("utf-8"))


def _teapot(package: Path) -> bytes:
    return _mesh((package / "teapot.js").read_text("utf-8"))


BUNNY = Package(
    "bunny",
    "1.0.1",
    "381e02c74b98cf18814d7bec794726ef70b9c67e037273e82054d0043f6ae303",
    _rabbit,
    "bunny.json",
    "18a24128dc5ec4b8992612272bfe029baca2a20b6b6b06dda6f5c2c056cce157",
)
TEAPOT = Package(
    "teapot",
    "1.0.0",
    "ebe7143533ff1a35ea25738b43112d36fd9ae072652bde9b2144057e7218890f",
    _teapot,
    "teapot.json",
    "8e783e113572480e7d905d01ebb74786368380ca9e48078d9c44d23605caf31f",
)


@cache
def bunny() -> Mesh:
    """The Stanford bunny, its middle at 0 and its farthest corner at the distance 1.

    Raises FileNotFoundError where it was not fetched, ValueError where its bytes are not the pinned ones.
    """
    return _in_the_unit_ball(**json.loads(read(BUNNY)))


@cache
def teapot() -> Mesh:
    """The Utah teapot, its middle at 0 and its farthest corner at the distance 1. Raises as `bunny` does."""
    return _in_the_unit_ball(**json.loads(read(TEAPOT)))


@cache
def heights() -> Float[np.ndarray, "344 403"]:
    """The landscape: metres above the sea, from north to south and from west to east.

    Raises FileNotFoundError where Matplotlib is not installed, ValueError where its file is not the pinned one.
    """
    found = find_spec("matplotlib")  # its file is read, and nothing of it is run
    if found is None or found.origin is None:
        raise FileNotFoundError(
            f"{_NAME} comes with Matplotlib, which is missing. Fix: pip install matplotlib"
        )
    path = Path(found.origin).parent / "mpl-data" / "sample_data" / _NAME
    verify(f"Matplotlib's {_NAME}", path.read_bytes(), _CONTENT)
    with np.load(path) as arrays:
        metres = arrays["elevation"].astype(float)
    metres.flags.writeable = False
    return metres


def tile(row: int, column: int) -> Mesh:
    """A square piece of the landscape whose north-western corner stands there, in the unit ball like the others."""
    metres = heights()[row : row + TILE, column : column + TILE]
    if metres.shape != (TILE, TILE):
        rows, columns = (size - TILE for size in heights().shape)
        raise ValueError(
            f"no whole tile begins in row {row}, column {column}. Fix: at most row {rows}, column {columns}."
        )
    z, x = np.divmod(np.arange(TILE**2), TILE)
    corners = np.stack([x / TILE, STEEP * metres.ravel(), z / TILE], axis=1)
    first = (z * TILE + x).reshape(TILE, TILE)[:-1, :-1].ravel()
    upper, lower = (0, TILE, 1), (1, TILE, TILE + 1)
    triangles = np.concatenate([first[:, None] + upper, first[:, None] + lower])
    return _in_the_unit_ball(corners, triangles)


def _in_the_unit_ball(corners, triangles) -> Mesh:
    corners, triangles = np.array(corners, dtype=float), np.array(triangles)
    corners -= (corners.min(axis=0) + corners.max(axis=0)) / 2
    corners /= np.linalg.norm(corners, axis=1).max()
    for array in (corners, triangles):
        array.flags.writeable = False
    return Mesh(corners, triangles)


@contract
def areas(mesh: Mesh) -> Float[np.ndarray, " triangles"]:
    """The area of each triangle: half the length of the cross product of two of its sides."""
    a, b, c = (mesh.corners[mesh.triangles[:, k]] for k in range(3))
    return np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2


@contract
@requires(
    lambda mesh: bool(areas(mesh).any()),
    "the mesh has no area from which a point could be drawn. Fix: at least one triangle whose corners lie on no line.",
)
def on_surface(
    rng: np.random.Generator, mesh: Mesh, number: Size
) -> Float[np.ndarray, "number 3"]:
    """Draw points, each place of the surface as likely as any other: a triangle by its area, then a place in it.

    Raises ValueError for a mesh without area.

    >>> square = Mesh(np.array([[0.0, 0, 0], [1, 0, 0], [0, 0, 1]]), np.array([[0, 1, 2]]))
    >>> X = on_surface(np.random.default_rng(0), square, 5)
    >>> bool((X.min() >= 0) and (X.sum(axis=1) <= 1).all())
    True
    """
    share = areas(mesh) / areas(mesh).sum()
    chosen = mesh.triangles[rng.choice(len(share), size=number, p=share)]
    a, b, c = (mesh.corners[chosen[:, k]] for k in range(3))
    root, v = np.sqrt(rng.random((number, 1))), rng.random((number, 1))
    return (1 - root) * a + root * (1 - v) * b + root * v * c
