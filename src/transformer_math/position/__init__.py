"""Step 3: where each token stands."""

from pathlib import Path

from transformer_math.exports import exports

_offered = exports(__name__, Path(__file__).parent)
globals().update(_offered)
__all__ = sorted(_offered)
