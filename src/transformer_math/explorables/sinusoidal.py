"""Positions as waves: the whole encoding, one of its dimensions, and how alike two positions are."""

import numpy as np
import traitlets

from transformer_math import palette
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable, module, require
from transformer_math.position import sinusoidal, wavelengths


class SinusoidalExplorable(Explorable):
    """The sinusoidal encoding of `n_positions` positions, with one dimension and two positions picked out.

    >>> explorable = SinusoidalExplorable(d_model=4, position=3, other=3)
    >>> explorable.similarity
    2.0
    """

    idea = "sinusoidal"
    _esm = module(idea)

    d_model = traitlets.Int(32).tag(sync=True)
    base = traitlets.Float(10000.0).tag(sync=True)
    n_positions = traitlets.Int(64).tag(sync=True)
    dimension = traitlets.Int(6).tag(sync=True)
    position = traitlets.Int(20).tag(sync=True)
    other = traitlets.Int(28).tag(sync=True)

    @traitlets.validate("d_model")
    def _even(self, proposal: dict) -> int:
        d = proposal["value"]
        require(
            4 <= d <= 128 and d % 2 == 0,
            f"d_model is {d}; wanted an even number in 4..128: a sine and a cosine each.",
        )
        return d

    @traitlets.validate("n_positions")
    def _some(self, proposal: dict) -> int:
        require(
            8 <= proposal["value"] <= 256,
            f"n_positions is {proposal['value']}; wanted 8..256.",
        )
        return proposal["value"]

    @traitlets.validate("base")
    def _base(self, proposal: dict) -> float:
        require(
            10 <= proposal["value"] <= 100_000,
            f"base is {proposal['value']}; wanted 10..100000; the usual is 10000.",
        )
        return proposal["value"]

    @traitlets.validate("dimension", "position", "other")
    def _inside(self, proposal: dict) -> int:
        name, value = proposal["trait"].name, proposal["value"]
        limit = "d_model" if name == "dimension" else "n_positions"
        size = getattr(self, limit)
        require(
            0 <= value < size,
            f"{name} is {value}; wanted 0..{size - 1}. Fix: set a larger {limit} first.",
        )
        return value

    @traitlets.observe("d_model", "n_positions")
    def _keep_inside(self, _change: dict) -> None:
        self.dimension = min(self.dimension, self.d_model - 1)
        self.position, self.other = (
            min(p, self.n_positions - 1) for p in (self.position, self.other)
        )

    @property
    def encoding(self) -> np.ndarray:
        """The matrix P, (n_positions, d_model)."""
        return sinusoidal(self.n_positions, self.d_model, self.base)

    @property
    def similarity(self) -> float:
        """The dot product of the two positions' encodings."""
        P = self.encoding
        return float(P[self.position] @ P[self.other])

    def description(self) -> str:
        """The encoding's size, the wave and the similarity."""
        wavelength = wavelengths(self.d_model, self.base)[self.dimension // 2]
        return (
            f"The sinusoidal encoding of {self.n_positions} positions in {self.d_model} dimensions: waves that grow longer "
            f"from the first dimension to the last. Dimension {self.dimension} repeats after {wavelength:.1f} positions. "
            f"Positions {self.position} and {self.other} have the dot product {self.similarity:.2f} of at most {self.d_model // 2}."
        )

    def still(self) -> str:
        """The encoding as a map, position to the right, and below it the chosen dimension as a wave."""
        P, left, width = self.encoding, 30, 600
        x = left + (np.arange(self.n_positions) + 0.5) * width / self.n_positions
        colours = _svg.shades((P.T + 1) / 2, palette.DIVERGING)
        return _svg.picture(
            640,
            340,
            _svg.text(
                left,
                18,
                f"{self.n_positions} positions across, {self.d_model} dimensions down",
                "start",
            ),
            _svg.image(colours, x=left, y=30, width=width, height=180),
            _svg.text(left, 238, f"dimension {self.dimension} as a wave", "start"),
            _svg.curve(
                zip(x, 285 - 35 * P[:, self.dimension]), palette.ROLES["position"]
            ),
        )
