"""Beyond text: pieces of other signals as tokens."""

# Written by `make exports` from what the modules define.
from transformer_math.modalities.codebook import (
    code_perplexity,
    codebook_loss,
    commitment_loss,
    lloyd_step,
    moving_average_codebook,
    nearest_codes,
    quantise,
    stop_gradient,
)
from transformer_math.modalities.patches import (
    grid_positions,
    patchify,
    unpatchify,
    vit_input,
)
from transformer_math.modalities.pieces import bit_rate, count_pieces, signal_to_noise
from transformer_math.modalities.side_by_side import clip_loss, noised, residual_codes

__all__ = [
    "bit_rate",
    "clip_loss",
    "code_perplexity",
    "codebook_loss",
    "commitment_loss",
    "count_pieces",
    "grid_positions",
    "lloyd_step",
    "moving_average_codebook",
    "nearest_codes",
    "noised",
    "patchify",
    "quantise",
    "residual_codes",
    "signal_to_noise",
    "stop_gradient",
    "unpatchify",
    "vit_input",
]
