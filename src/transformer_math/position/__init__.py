"""Step 3: where each token stands."""

# Written by `make exports` from what the modules define.
from transformer_math.position.rope import rope, rope_half_split, rotate_pairs
from transformer_math.position.sinusoidal import (
    add_position,
    frequencies,
    position_similarity,
    shift_matrix,
    sinusoidal,
    sinusoidal_at,
    wavelengths,
)

__all__ = [
    "add_position",
    "frequencies",
    "position_similarity",
    "rope",
    "rope_half_split",
    "rotate_pairs",
    "shift_matrix",
    "sinusoidal",
    "sinusoidal_at",
    "wavelengths",
]
