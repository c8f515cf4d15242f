"""Steps 7 to 9: residuals, normalisation, the feed-forward network, and the layer they make."""

from transformer_math.block.encoder_layer import (
    EncoderLayerParameters,
    encoder_layer,
    encoder_layer_pre_norm,
)
from transformer_math.block.feed_forward import (
    FeedForwardParameters,
    feed_forward,
    gelu,
    gelu_tanh,
    relu,
)
from transformer_math.block.layer_norm import add_norm, layer_norm, pre_norm

__all__ = [
    "EncoderLayerParameters",
    "FeedForwardParameters",
    "add_norm",
    "encoder_layer",
    "encoder_layer_pre_norm",
    "feed_forward",
    "gelu",
    "gelu_tanh",
    "layer_norm",
    "pre_norm",
    "relu",
]
