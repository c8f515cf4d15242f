"""TODO: what a reader can try out, in one line."""

import numpy as np

from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Bounded
from transformer_math.training import experiment


class ExperimentExplorable(Explorable):
    """TODO: what is in sight, and what its traits are."""

    x = Bounded(1.0, low=-5, high=5)

    @property
    def result(self) -> float:
        """The function's value."""
        return float(experiment(np.array([self.x]))[0])

    def description(self) -> str:
        """TODO: the state in words."""
        return f"At {self.x:.2f} the result is {self.result:.2f}."

    def heights(self) -> tuple[str, str]:
        """The room that the live figure takes, in one column and in two."""
        return "222px", "162px"  # TODO: as the test of explorables measures it

    def still(self) -> str:
        """The state as a still picture."""
        return _svg.picture(
            640, 60, _svg.text(320, 35, self.description())
        )  # TODO: draw
