"""TODO: what a reader can try out, in one line."""

import numpy as np

from transformer_math.explorables import _svg
from transformer_math.explorables._base import Explorable
from transformer_math.explorables._traits import Bounded
from transformer_math.the_group import the_idea


class TheIdeaExplorable(Explorable):
    """TODO: what is in sight, and what its traits are."""

    x = Bounded(1.0, low=-5, high=5)

    @property
    def result(self) -> float:
        """The function's value."""
        return float(the_idea(np.array([self.x]))[0])

    def description(self) -> str:
        """TODO: the state in words."""
        return f"At {self.x:.2f} the result is {self.result:.2f}."

    def heights(self) -> tuple[str, str]:
        """The room that the live figure takes, in one column and in two."""
        return "381px", "185px"  # TODO: as the test of explorables measures it

    def still(self) -> str:
        """The state as a still picture."""
        drawn = _svg.text(320, 110, self.description())  # TODO: draw
        return f'<div style="max-width:24rem;margin:auto">{_svg.picture(640, 220, drawn)}</div>'
