"""Beyond text: pieces of other signals as tokens."""

# Written by `make exports` from what the modules define.
from transformer_math.modalities.patches import (
    grid_positions,
    patchify,
    unpatchify,
    vit_input,
)
from transformer_math.modalities.vit import (
    ViTParameters,
    accuracy,
    attention_rollout,
    vit_attention,
    vit_logits,
)

__all__ = [
    "ViTParameters",
    "accuracy",
    "attention_rollout",
    "grid_positions",
    "patchify",
    "unpatchify",
    "vit_attention",
    "vit_input",
    "vit_logits",
]
