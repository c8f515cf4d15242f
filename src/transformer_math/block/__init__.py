"""Steps 7 to 9: residuals, normalisation, the feed-forward network, and the layer they make."""

from pathlib import Path

from transformer_math.exports import exports

_offered = exports(__name__, Path(__file__).parent)
globals().update(_offered)
__all__ = sorted(_offered)
