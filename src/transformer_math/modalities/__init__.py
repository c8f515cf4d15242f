"""Beyond text: pieces of other signals as tokens."""

# Written by `make exports` from what the modules define.
from transformer_math.modalities.patches import (
    grid_positions,
    patchify,
    unpatchify,
    vit_input,
)
from transformer_math.modalities.pieces import bit_rate, count_pieces, signal_to_noise

__all__ = [
    "bit_rate",
    "count_pieces",
    "grid_positions",
    "patchify",
    "signal_to_noise",
    "unpatchify",
    "vit_input",
]
