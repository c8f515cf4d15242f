"""The stack of layers, the whole model, and what it costs."""

from transformer_math.model.cost import (
    encoder_layer_flops,
    encoder_layer_parameters,
    logits_flops,
)
from transformer_math.model.encoder import encoder
from transformer_math.model.operations import BYTES, count_operations
from transformer_math.model.transformer import (
    TransformerParameters,
    count_parameters,
    initialise,
    transformer,
)

__all__ = [
    "BYTES",
    "TransformerParameters",
    "count_operations",
    "count_parameters",
    "encoder",
    "encoder_layer_flops",
    "encoder_layer_parameters",
    "initialise",
    "logits_flops",
    "transformer",
]
