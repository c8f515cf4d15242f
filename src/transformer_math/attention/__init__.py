"""Steps 4 to 6: which tokens look at which, and what they take from them."""

from pathlib import Path

from transformer_math.exports import exports

_offered = exports(__name__, Path(__file__).parent)
globals().update(_offered)
__all__ = sorted(_offered)
