"""Beyond text: pieces of other signals as tokens."""

# Written by `make exports` from what the modules define.
from transformer_math.modalities.patches import (
    grid_positions,
    patchify,
    unpatchify,
    vit_input,
)

__all__ = [
    "grid_positions",
    "patchify",
    "unpatchify",
    "vit_input",
]
