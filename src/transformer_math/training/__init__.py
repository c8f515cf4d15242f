"""How a model learns: what it is told, how far each step goes, and the loop around both."""

from pathlib import Path

from transformer_math.exports import exports

_offered = exports(__name__, Path(__file__).parent)
globals().update(_offered)
__all__ = sorted(_offered)
