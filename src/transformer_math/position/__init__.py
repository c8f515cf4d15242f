"""Step 3: where each token stands."""

# Written by `make exports` from what the modules define.
from transformer_math.position.alibi import (
    alibi_attention,
    alibi_bias,
    alibi_slopes,
    alibi_span,
)
from transformer_math.position.distance import mean_attention_distance, mean_by_distance
from transformer_math.position.equivariance import (
    bag_of_words,
    permutation_matrix,
    permute_mask,
    permuted_attention,
)
from transformer_math.position.learned import add_learned_position
from transformer_math.position.relative import (
    clipped_offsets,
    relative_attention,
    relative_attention_by_shift,
    relative_scores,
    skew,
    unskew,
)
from transformer_math.position.rope import rope, rope_half_split, rotate_pairs
from transformer_math.position.rope_scaling import (
    interpolated_frequencies,
    ntk_base,
    yarn_frequencies,
    yarn_scale,
)
from transformer_math.position.sinusoidal import (
    add_position,
    frequencies,
    position_similarity,
    shift_matrix,
    sinusoidal,
    sinusoidal_at,
    wavelengths,
)
from transformer_math.position.t5 import (
    distance_range,
    t5_bias,
    t5_bucket,
    t5_causal_bias,
    t5_causal_bucket,
    t5_scores,
)

__all__ = [
    "add_learned_position",
    "add_position",
    "alibi_attention",
    "alibi_bias",
    "alibi_slopes",
    "alibi_span",
    "bag_of_words",
    "clipped_offsets",
    "distance_range",
    "frequencies",
    "interpolated_frequencies",
    "mean_attention_distance",
    "mean_by_distance",
    "ntk_base",
    "permutation_matrix",
    "permute_mask",
    "permuted_attention",
    "position_similarity",
    "relative_attention",
    "relative_attention_by_shift",
    "relative_scores",
    "rope",
    "rope_half_split",
    "rotate_pairs",
    "shift_matrix",
    "sinusoidal",
    "sinusoidal_at",
    "skew",
    "t5_bias",
    "t5_bucket",
    "t5_causal_bias",
    "t5_causal_bucket",
    "t5_scores",
    "unskew",
    "wavelengths",
    "yarn_frequencies",
    "yarn_scale",
]
