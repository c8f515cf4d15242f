"""A cloud of points to turn: how its centres are chosen, which points belong to a group, and what comes back of its code."""

from functools import cache

import numpy as np

from transformer_math import palette
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Choice, Weights, Whole
from transformer_math.modalities import (
    farthest_points,
    local_groups,
    nearest_neighbours,
)
from transformer_math.quantised import pack, unpack
from transformer_math.signals.points import bunny, on_surface, teapot, tile
from transformer_math.trained.point_codes import (
    CODES,
    NEIGHBOURS,
    coder,
    decode,
    encode,
)

MOST = 768  # points of a cloud
SURFACES = {"bunny": "rabbit", "teapot": "teapot", "landscape": "landscape"}
HUES = palette.CYCLE[:5]


def packed_clouds() -> bytes:
    """Points of the three surfaces in random order, the network before the codebook, and the shape of each code."""
    meshes = {"bunny": bunny(), "teapot": teapot(), "landscape": tile(200, 150)}
    rng = np.random.default_rng(8)
    points = {name: on_surface(rng, mesh, MOST) for name, mesh in meshes.items()}
    known = coder()
    network = {name: np.atleast_2d(w) for name, w in vars(known.encoder).items()}
    shapes = decode(np.arange(CODES), known).reshape(CODES, -1)
    codebook = {"codebook": known.codebook, "shapes": shapes}
    return pack({**points, **network, **codebook})


@cache
def clouds() -> dict[str, np.ndarray]:
    """The same points as a page gets them."""
    return {
        name: np.asarray(part, dtype=float)
        for name, part in unpack(packed_clouds()).items()
    }


def turned(X: np.ndarray, yaw: float, tilt: float) -> np.ndarray:
    """Points as seen from the front, turned about the vertical, then tilted: to the right, up, towards us."""
    a, b = np.radians(yaw), np.radians(tilt)
    x, y, z = X.T
    right, back = x * np.cos(a) + z * np.sin(a), z * np.cos(a) - x * np.sin(a)
    up, near = y * np.cos(b) - back * np.sin(b), y * np.sin(b) + back * np.cos(b)
    return np.stack([right, up, near], axis=1)


class PointCloudsExplorable(Explorable):
    """The first `points` of a `surface`, `groups` centres `chosen_by` distance or at random, one `group` picked; two angles.

    >>> PointCloudsExplorable(groups=8).chosen.shape
    (8,)
    """

    surface = Choice(SURFACES)
    chosen_by = Choice({"farthest": "farthest point", "random": "at random"})
    colour = Choice({"group": "group", "code": "code"})
    points = Whole(512, low=128, high=MOST, step=64)
    groups = Whole(32, low=4, high=64)
    group = Whole(0, low=0, below=("groups", 1))
    yaw = Whole(25, low=-180, high=180)
    tilt = Whole(15, low=-90, high=90)
    clouds = Weights(packed_clouds)

    @property
    def X(self) -> np.ndarray:
        """The points."""
        return clouds()[self.surface][: self.points]

    @property
    def chosen(self) -> np.ndarray:
        """The numbers of the centres; at random, the first: the points come in random order."""
        if self.chosen_by == "random":
            return np.arange(self.groups)
        return farthest_points(self.X, self.groups)

    @property
    def neighbours(self) -> np.ndarray:
        """The members of each group."""
        return nearest_neighbours(self.X[self.chosen], self.X, NEIGHBOURS)

    @property
    def codes(self) -> np.ndarray:
        """The code of each group."""
        X = self.X
        return encode(local_groups(X, X[self.chosen], self.neighbours), coder())

    @property
    def nearest_centre(self) -> np.ndarray:
        """The group whose centre is nearest to each point."""
        return nearest_neighbours(self.X, self.X[self.chosen], 1)[:, 0]

    @property
    def farthest(self) -> float:
        """How far the worst point is from its nearest centre."""
        apart = self.X - self.X[self.chosen[self.nearest_centre]]
        return float(np.linalg.norm(apart, axis=1).max())

    @property
    def left_out(self) -> int:
        """How many points belong to no group."""
        return self.points - len(np.unique(self.neighbours))

    def description(self) -> str:
        """How many points and groups, how well they cover the surface, and which group is picked."""
        way = "by farthest points" if self.chosen_by == "farthest" else "at random"
        out = f"{self.left_out} {'are' if self.left_out > 1 else 'is'} in no"
        left = out if self.left_out else "each is in a"
        return (
            f"{self.points} points of the {self.surface}, {self.groups} centres chosen {way}. "
            f"The farthest point is {self.farthest:.2f} from its nearest centre, "
            f"and {left} group of {NEIGHBOURS} points. "
            f"Group {self.group} has point {self.chosen[self.group]} in its centre."
        )

    def heights(self) -> tuple[str, str]:
        """The room that the live figure takes, in one column and in two."""
        return "1222px", "584px"

    def still(self) -> str:
        """The points from one side, in the colours of their groups, and the centres as rings."""
        seen = turned(self.X, self.yaw, self.tilt)
        centres = set(self.chosen.tolist())
        of_group = self.nearest_centre

        def dot(i: int) -> str:
            right, up, near = seen[i]
            hue = HUES[of_group[i] % len(HUES)]
            place = {"cx": round(320 + 150 * right, 1), "cy": round(150 - 150 * up, 1)}
            if i in centres:
                return _svg.tag(
                    "circle", **place, r=4, fill=hue, stroke=palette.INK, stroke_width=1.5
                )  # fmt: skip
            return _svg.tag("circle", **place, r=round(1.6 + 0.6 * near, 1), fill=hue)

        far_first = np.argsort(seen[:, 2])
        return _svg.picture(640, 300, "".join(dot(int(i)) for i in far_first))
