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
from transformer_math.modalities.divided_attention import (
    DividedLayerParameters,
    divided_flops,
    divided_layer,
    divided_pairs,
    joint_flops,
    joint_pairs,
    space_attention,
    space_mask,
    time_attention,
    time_mask,
    two_steps,
)
from transformer_math.modalities.patches import (
    grid_positions,
    patchify,
    unpatchify,
    vit_input,
)
from transformer_math.modalities.pieces import bit_rate, count_pieces, signal_to_noise
from transformer_math.modalities.side_by_side import clip_loss, noised, residual_codes
from transformer_math.modalities.spectrogram import (
    istft,
    sine_window,
    stft,
    with_magnitudes,
)
from transformer_math.modalities.tubelets import tubelets, untubelets, video_input
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
    "DividedLayerParameters",
    "VqVae",
    "adaptive_weight",
    "bit_rate",
    "clip_loss",
    "code_perplexity",
    "codebook_loss",
    "commitment_loss",
    "convolve",
    "count_pieces",
    "decode",
    "discriminator_loss",
    "divided_flops",
    "divided_layer",
    "divided_pairs",
    "encode",
    "energies",
    "generator_loss",
    "grid_positions",
    "istft",
    "joint_flops",
    "joint_pairs",
    "lloyd_step",
    "moving_average_codebook",
    "nearest_codes",
    "noised",
    "patchify",
    "perceptual_loss",
    "quantise",
    "residual_codes",
    "signal_to_noise",
    "sine_window",
    "space_attention",
    "space_mask",
    "stft",
    "stop_gradient",
    "time_attention",
    "time_mask",
    "tubelets",
    "two_steps",
    "unpatchify",
    "untubelets",
    "video_input",
    "vit_input",
    "vq_vae_loss",
    "with_magnitudes",
]
