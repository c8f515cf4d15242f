"""Where a trained model looks: the attention weights of every layer, on the way through the stack."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Int

from transformer_math.attention.multi_head import multi_head_attention
from transformer_math.block.decoder_layer import DecoderLayerParameters, decoder_layer
from transformer_math.block.decoder_only_layer import rotary_attention
from transformer_math.block.encoder_layer import EncoderLayerParameters, encoder_layer
from transformer_math.block.layer_norm import add_norm, layer_norm
from transformer_math.contract import Size, contract
from transformer_math.model.decoder_only import DecoderOnlyParameters, residual_stream
from transformer_math.shapes import CrossMask, Memory, SelfMask, Tokens

SelfWeights = Float[np.ndarray, "... n_heads n n"]
CrossWeights = Float[np.ndarray, "... n_heads n m"]


@contract
def encoder_attention(
    Z: Tokens,
    layers: Sequence[EncoderLayerParameters],
    n_heads: Size,
    mask: SelfMask | None = None,
) -> tuple[SelfWeights, ...]:
    """The weights of each layer of `encoder`, a matrix for every head: row i is where token i looked."""
    weights = []
    for p in layers:
        weights.append(multi_head_attention(Z, Z, p.attention, n_heads, mask)[1])
        Z = encoder_layer(Z, p, n_heads, mask)
    return tuple(weights)


@contract
def decoder_only_attention(
    ids: Int[np.ndarray, "... n"], parameters: DecoderOnlyParameters, n_heads: Size
) -> tuple[SelfWeights, ...]:
    """The weights of each layer of a decoder-only model: row i is where token i looked, at itself and back."""
    states = residual_stream(ids, parameters, n_heads)
    return tuple(
        rotary_attention(layer_norm(Z, p.norm_1), p.rotary_attention, n_heads)[1]
        for Z, p in zip(states, parameters.layers)
    )


@contract
def decoder_attention(
    Z: Tokens,
    memory: Memory,
    layers: Sequence[DecoderLayerParameters],
    n_heads: Size,
    mask: SelfMask | None = None,
    memory_mask: CrossMask | None = None,
) -> tuple[tuple[SelfWeights, ...], tuple[CrossWeights, ...]]:
    """The weights of each layer of `decoder`: those over what was written so far, and those over the source."""
    to_itself, to_memory = [], []
    for p in layers:
        attended, weights = multi_head_attention(Z, Z, p.self_attention, n_heads, mask)
        to_itself.append(weights)
        half = add_norm(Z, attended, p.norm_1)
        _, weights = multi_head_attention(
            half, memory, p.cross_attention, n_heads, memory_mask
        )
        to_memory.append(weights)
        Z = decoder_layer(Z, memory, p, n_heads, mask, memory_mask)
    return tuple(to_itself), tuple(to_memory)
