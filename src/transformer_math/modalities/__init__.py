"""Beyond text: pieces of other signals as tokens."""

# Written by `make exports` from what the modules define.
from transformer_math.modalities.patches import (
    grid_positions,
    patchify,
    unpatchify,
    vit_input,
)
from transformer_math.modalities.series_contrast import (
    contrast,
    dual_contrast,
    halve_time,
    hierarchical_contrast,
)
from transformer_math.modalities.time_series import (
    ConvBlockParameters,
    TimeSeriesParameters,
    conv_block,
    dilated_convolution,
    masked_projection,
    receptive_field,
    timestamp_vectors,
    windows,
)

__all__ = [
    "ConvBlockParameters",
    "TimeSeriesParameters",
    "contrast",
    "conv_block",
    "dilated_convolution",
    "dual_contrast",
    "grid_positions",
    "halve_time",
    "hierarchical_contrast",
    "masked_projection",
    "patchify",
    "receptive_field",
    "timestamp_vectors",
    "unpatchify",
    "vit_input",
    "windows",
]
