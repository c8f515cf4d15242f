"""Steps 7 to 9: residuals, normalisation, the feed-forward network, and the layer they make."""

# Written by `make exports` from what the modules define.
from transformer_math.block.decoder_layer import (
    DecoderLayerParameters,
    decoder_layer,
    decoder_layer_pre_norm,
)
from transformer_math.block.decoder_only_layer import (
    DecoderOnlyLayerParameters,
    decoder_only_layer,
    rotary_attention,
)
from transformer_math.block.encoder_layer import (
    EncoderLayerParameters,
    encoder_layer,
    encoder_layer_pre_norm,
)
from transformer_math.block.erf import erf
from transformer_math.block.feed_forward import (
    FeedForwardParameters,
    feed_forward,
    gelu,
    gelu_tanh,
    relu,
)
from transformer_math.block.layer_norm import (
    NormParameters,
    add_norm,
    layer_norm,
    pre_norm,
    residual,
)
from transformer_math.block.neuron import neuron_loss
from transformer_math.block.rms_norm import rms_norm
from transformer_math.block.swiglu import SwiGLUParameters, swiglu, swish

__all__ = [
    "DecoderLayerParameters",
    "DecoderOnlyLayerParameters",
    "EncoderLayerParameters",
    "FeedForwardParameters",
    "NormParameters",
    "SwiGLUParameters",
    "add_norm",
    "decoder_layer",
    "decoder_layer_pre_norm",
    "decoder_only_layer",
    "encoder_layer",
    "encoder_layer_pre_norm",
    "erf",
    "feed_forward",
    "gelu",
    "gelu_tanh",
    "layer_norm",
    "neuron_loss",
    "pre_norm",
    "relu",
    "residual",
    "rms_norm",
    "rotary_attention",
    "swiglu",
    "swish",
]
