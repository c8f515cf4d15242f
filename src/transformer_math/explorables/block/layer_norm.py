"""A vector of three numbers: centring lays it into a plane, scaling brings it to a circle, γ and β bend that circle."""

import numpy as np
from jaxtyping import Float

from transformer_math import palette
from transformer_math.block import NormParameters, layer_norm, rms_norm
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Numbers

MOST = 2.0
TILT = np.deg2rad(20)  # of the view from the side
FRAME = np.array([[1, -1, 0], [1, 1, -2], [1, 1, 1]]) / np.sqrt([[2], [6], [3]])
UNIT = 30

Three = Float[np.ndarray, " 3"]


def to_plane(x: Three) -> Three:
    """Where a vector is in the plane of all whose entries sum to 0, and its height over it."""
    return FRAME @ x


class LayerNormExplorable(Explorable):
    """A vector `x` of three entries, and the scale and the shift of its normalisation.

    >>> LayerNormExplorable(x=[1.0, 1.0, 1.0], beta=[0.0, 0.5, 0.0]).normalised.tolist()
    [0.0, 0.5, 0.0]
    """

    x = Numbers([1.9, 1.0, 0.1], MOST)
    gamma = Numbers([1.0, 1.0, 1.0], MOST)
    beta = Numbers([0.0, 0.0, 0.0], MOST)

    @property
    def stages(self) -> dict[str, Three]:
        """The vector as it comes, centred, scaled, after γ and β; and what RMSNorm makes of it."""
        x, plain = np.array(self.x), NormParameters(np.ones(3), np.zeros(3))
        return {
            "x": x,
            "x − μ": x - x.mean(),
            "÷ σ": layer_norm(x, plain),
            "LayerNorm": self.normalised,
            "RMSNorm": rms_norm(x, np.array(self.gamma)),
        }

    @property
    def normalised(self) -> Three:
        """LayerNorm of the vector."""
        parameters = NormParameters(np.array(self.gamma), np.array(self.beta))
        return layer_norm(np.array(self.x), parameters)

    def description(self) -> str:
        """The vector, and what both normalisations make of it."""
        said = {
            name: ", ".join(f"{value:.2f}" for value in vector)
            for name, vector in self.stages.items()
        }
        return (
            f"A vector x = ({said['x']}) of three entries. Centred it is ({said['x − μ']}), in the plane of vectors whose "
            f"entries sum to 0; LayerNorm makes ({said['LayerNorm']}) of it, RMSNorm ({said['RMSNorm']})."
        )

    def heights(self) -> tuple[str, str]:
        """Two views, six sliders, tasks; a table, buttons."""
        return "1143px", "567px"

    def still(self) -> str:
        """The plane from the side, with the vector above it; and from the front."""
        side = np.array([[1, 0, 0], [0, np.sin(TILT), np.cos(TILT)]])
        return _svg.picture(
            640, 240, self._view(side, 160), self._view(np.eye(3)[:2], 480)
        )

    def _view(self, camera: Float[np.ndarray, "2 3"], left: int) -> str:
        turns = np.linspace(0, 2 * np.pi, 61)
        ring = np.sqrt(3) * np.stack([np.cos(turns), np.sin(turns), 0 * turns])
        hues = {"x": "query", "x − μ": "muted", "LayerNorm": "value", "RMSNorm": "key"}
        parts = [_svg.curve((camera @ ring).T * [UNIT, -UNIT], palette.ROLES["muted"])]
        for name, role in hues.items():
            u, v = camera @ to_plane(self.stages[name]) * [UNIT, -UNIT]
            line = {"stroke": palette.ROLES[role], "stroke_width": 3}
            parts.append(_svg.tag("line", x2=float(u), y2=float(v), **line))
        return _svg.tag("g", *parts, transform=f"translate({left} 120)")
