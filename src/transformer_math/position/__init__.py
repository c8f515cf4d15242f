"""Step 3: where each token stands."""

# Written by `make exports` from what the modules define.
from transformer_math.position.equivariance import (
    bag_of_words,
    permutation_matrix,
    permute_mask,
    permuted_attention,
)
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
    "bag_of_words",
    "frequencies",
    "permutation_matrix",
    "permute_mask",
    "permuted_attention",
    "position_similarity",
    "rope",
    "rope_half_split",
    "rotate_pairs",
    "shift_matrix",
    "sinusoidal",
    "sinusoidal_at",
    "wavelengths",
]
