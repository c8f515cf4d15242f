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
from transformer_math.modalities.vqgan import (
    adaptive_weight,
    convolve,
    discriminator_loss,
    energies,
    generator_loss,
    perceptual_loss,
)

__all__ = [
    "adaptive_weight",
    "code_perplexity",
    "codebook_loss",
    "commitment_loss",
    "convolve",
    "discriminator_loss",
    "energies",
    "generator_loss",
    "grid_positions",
    "lloyd_step",
    "moving_average_codebook",
    "nearest_codes",
    "patchify",
    "perceptual_loss",
    "quantise",
    "stop_gradient",
    "unpatchify",
    "vit_input",
]
