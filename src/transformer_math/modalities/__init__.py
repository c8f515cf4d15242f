"""Beyond text: pieces of other signals as tokens."""

# Written by `make exports` from what the modules define.
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
from transformer_math.modalities.tubelets import tubelets, untubelets, video_input

__all__ = [
    "DividedLayerParameters",
    "divided_flops",
    "divided_layer",
    "divided_pairs",
    "grid_positions",
    "joint_flops",
    "joint_pairs",
    "patchify",
    "space_attention",
    "space_mask",
    "time_attention",
    "time_mask",
    "tubelets",
    "two_steps",
    "unpatchify",
    "untubelets",
    "video_input",
    "vit_input",
]
