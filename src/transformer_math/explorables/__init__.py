"""Things to play with: each is a live widget in Jupyter, and a moving figure on the built page."""

from transformer_math.explorables._base import Explorable
from transformer_math.explorables.rope import RopeExplorable
from transformer_math.explorables.scaled_dot_product import ScaledDotProductExplorable
from transformer_math.explorables.sinusoidal import SinusoidalExplorable

__all__ = [
    "Explorable",
    "RopeExplorable",
    "ScaledDotProductExplorable",
    "SinusoidalExplorable",
]
