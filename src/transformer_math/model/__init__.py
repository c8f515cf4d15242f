"""The stack of layers, the whole model, and what it costs."""

# Written by `make exports` from what the modules define.
from transformer_math.model.attention_maps import (
    decoder_attention,
    decoder_only_attention,
    encoder_attention,
)
from transformer_math.model.cost import (
    encoder_layer_flops,
    encoder_layer_parameters,
    logits_flops,
)
from transformer_math.model.decoder import decoder, decoder_pre_norm
from transformer_math.model.decoder_only import (
    DecoderOnlyParameters,
    decoder_only_logits,
    initialise_decoder_only,
    residual_stream,
)
from transformer_math.model.encoder import encoder, encoder_pre_norm
from transformer_math.model.encoder_decoder import (
    EncoderDecoderParameters,
    encoder_decoder,
    encoder_decoder_logits,
    initialise_encoder_decoder,
)
from transformer_math.model.operations import BYTES, CountingArray, count_operations
from transformer_math.model.transformer import (
    TransformerParameters,
    count_parameters,
    embed_at_positions,
    initialise,
    transformer,
    transformer_logits,
)

__all__ = [
    "BYTES",
    "CountingArray",
    "DecoderOnlyParameters",
    "EncoderDecoderParameters",
    "TransformerParameters",
    "count_operations",
    "count_parameters",
    "decoder",
    "decoder_attention",
    "decoder_only_attention",
    "decoder_only_logits",
    "decoder_pre_norm",
    "embed_at_positions",
    "encoder",
    "encoder_attention",
    "encoder_decoder",
    "encoder_decoder_logits",
    "encoder_layer_flops",
    "encoder_layer_parameters",
    "encoder_pre_norm",
    "initialise",
    "initialise_decoder_only",
    "initialise_encoder_decoder",
    "logits_flops",
    "residual_stream",
    "transformer",
    "transformer_logits",
]
