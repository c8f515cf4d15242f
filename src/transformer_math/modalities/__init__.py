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
from transformer_math.modalities.spectrogram import (
    istft,
    sine_window,
    stft,
    with_magnitudes,
)
from transformer_math.modalities.vq_vae import VqVae, decode, encode, vq_vae_loss
from transformer_math.modalities.vqgan import (
    adaptive_weight,
    convolve,
    discriminator_loss,
    energies,
    generator_loss,
    perceptual_loss,
)

__all__ = [
    "VqVae",
    "adaptive_weight",
    "code_perplexity",
    "codebook_loss",
    "commitment_loss",
    "convolve",
    "decode",
    "discriminator_loss",
    "encode",
    "energies",
    "generator_loss",
    "grid_positions",
    "istft",
    "lloyd_step",
    "moving_average_codebook",
    "nearest_codes",
    "patchify",
    "perceptual_loss",
    "quantise",
    "sine_window",
    "stft",
    "stop_gradient",
    "unpatchify",
    "vit_input",
    "vq_vae_loss",
    "with_magnitudes",
]
