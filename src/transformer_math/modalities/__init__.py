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

__all__ = [
    "PointNetParameters",
    "chamfer_distance",
    "code_perplexity",
    "codebook_loss",
    "commitment_loss",
    "farthest_points",
    "grid_positions",
    "gumbel_noise",
    "gumbel_softmax",
    "lloyd_step",
    "local_groups",
    "moving_average_codebook",
    "nearest_codes",
    "nearest_neighbours",
    "patchify",
    "point_net",
    "quantise",
    "stop_gradient",
    "unpatchify",
    "vit_input",
]
