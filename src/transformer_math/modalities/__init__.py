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
from transformer_math.modalities.point_clouds import (
    PointNetParameters,
    chamfer_distance,
    farthest_points,
    gumbel_noise,
    gumbel_softmax,
    local_groups,
    nearest_neighbours,
    point_net,
)
from transformer_math.modalities.spectrogram import (
    istft,
    sine_window,
    stft,
    with_magnitudes,
)
from transformer_math.modalities.vq_vae import VqVae, decode, encode, vq_vae_loss

__all__ = [
    "PointNetParameters",
    "VqVae",
    "chamfer_distance",
    "code_perplexity",
    "codebook_loss",
    "commitment_loss",
    "decode",
    "encode",
    "farthest_points",
    "grid_positions",
    "gumbel_noise",
    "gumbel_softmax",
    "istft",
    "lloyd_step",
    "local_groups",
    "moving_average_codebook",
    "nearest_codes",
    "nearest_neighbours",
    "patchify",
    "point_net",
    "quantise",
    "sine_window",
    "stft",
    "stop_gradient",
    "unpatchify",
    "vit_input",
    "vq_vae_loss",
    "with_magnitudes",
]
