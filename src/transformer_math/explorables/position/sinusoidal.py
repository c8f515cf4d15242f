"""Positions as waves: the whole encoding, one of its dimensions, and how alike two positions are."""

import numpy as np

from transformer_math import palette
from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Bounded, Whole
from transformer_math.position import sinusoidal, wavelengths


class SinusoidalExplorable(Explorable):
    """The sinusoidal encoding of `n_positions` positions, with one dimension and two positions picked out.

    >>> explorable = SinusoidalExplorable(d_model=4, position=3, other=3)
    >>> explorable.similarity
    2.0
    """

    d_model = Whole(32, low=4, high=128, step=2)
    base = Bounded(10000.0, low=10, high=100_000)
    n_positions = Whole(64, low=8, high=256)
    dimension = Whole(6, low=0, below=("d_model", 1))
    position = Whole(20, low=0, below=("n_positions", 1))
    other = Whole(28, low=0, below=("n_positions", 1))

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

    def heights(self) -> tuple[str, str]:
        """The three pictures have a fixed height; the controls stand below them, or beside them."""
        return "1170px", "597px"

    def still(self) -> str:
        """The encoding as a map, position to the right, and below it the chosen dimension as a wave."""
        P, left, width = self.encoding, 30, 600
        x = left + (np.arange(self.n_positions) + 0.5) * width / self.n_positions
        return _svg.picture(
            640,
            340,
            _svg.text(
                left,
                18,
                f"{self.n_positions} positions across, {self.d_model} dimensions down",
                "start",
            ),
            _svg.ink(P.T, x=left, y=30, width=width, height=180),
            _svg.text(left, 238, f"dimension {self.dimension} as a wave", "start"),
            _svg.curve(
                zip(x, 285 - 35 * P[:, self.dimension]), palette.ROLES["position"]
            ),
        )
