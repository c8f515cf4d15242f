"""One decoder layer: read what has been written, look up what it needs in the source, then think."""

from collections.abc import Callable
from dataclasses import dataclass

from transformer_math.attention.multi_head import (
    AttentionParameters,
    multi_head_attention,
)
from transformer_math.block.feed_forward import (
    FeedForwardParameters,
    feed_forward,
    relu,
)
from transformer_math.block.layer_norm import NormParameters, add_norm, pre_norm
from transformer_math.contract import Size, contract
from transformer_math.shapes import CrossMask, Memory, Numbers, SelfMask, Tokens


@contract
@dataclass(frozen=True)
class DecoderLayerParameters:
    """What one decoder layer learns: two attentions, a feed-forward network, and three layer normalisations."""

    self_attention: AttentionParameters
    cross_attention: AttentionParameters
    feed_forward: FeedForwardParameters
    norm_1: NormParameters
    norm_2: NormParameters
    norm_3: NormParameters


@contract
def decoder_layer(
    Z: Tokens,
    memory: Memory,
    parameters: DecoderLayerParameters,
    n_heads: Size,
    mask: SelfMask | None = None,
    memory_mask: CrossMask | None = None,
    activation: Callable[[Numbers], Numbers] = relu,
) -> Tokens:
    r"""Attend to oneself, attend to the memory, feed forward; add and normalise after each.

        Z' = LayerNorm_1(Z + MaskedMultiHead(Z))
        Z'' = LayerNorm_2(Z' + MultiHead(Z', Y))
        Z_out = LayerNorm_3(Z'' + FFN(Z''))
        DecoderLayer(Z, Y) = Z_out

    The memory Y is what the encoder made of the source. `mask` is that of the first attention (in use the causal one),
    `memory_mask` that of the second. Book: eq-decoder-layer.
    Source: Vaswani et al. (2017), section 3.1, arXiv:1706.03762.
    """
    p = parameters
    attended, _ = multi_head_attention(Z, Z, p.self_attention, n_heads, mask)
    Z = add_norm(Z, attended, p.norm_1)
    found, _ = multi_head_attention(Z, memory, p.cross_attention, n_heads, memory_mask)
    Z = add_norm(Z, found, p.norm_2)
    return add_norm(Z, feed_forward(Z, p.feed_forward, activation), p.norm_3)


@contract
def decoder_layer_pre_norm(
    Z: Tokens,
    memory: Memory,
    parameters: DecoderLayerParameters,
    n_heads: Size,
    mask: SelfMask | None = None,
    memory_mask: CrossMask | None = None,
    activation: Callable[[Numbers], Numbers] = relu,
) -> Tokens:
    r"""The same layer with each normalisation moved before its sublayer; the memory comes in as it is.

        Z' = Z + MaskedMultiHead(LayerNorm_1(Z))
        Z'' = Z' + MultiHead(LayerNorm_2(Z'), Y)
        Z_out = Z'' + FFN(LayerNorm_3(Z''))
        PreNormDecoderLayer(Z, Y) = Z_out

    The normalisations act on the decoder's tokens alone. The memory was normalised once, where the encoder ends.
    Book: eq-decoder-layer-pre-norm. Source: Xiong et al. (2020), arXiv:2002.04745.
    """
    p = parameters
    Z = pre_norm(
        Z,
        lambda x: multi_head_attention(x, x, p.self_attention, n_heads, mask)[0],
        p.norm_1,
    )
    Z = pre_norm(
        Z,
        lambda x: multi_head_attention(
            x, memory, p.cross_attention, n_heads, memory_mask
        )[0],
        p.norm_2,
    )
    return pre_norm(Z, lambda x: feed_forward(x, p.feed_forward, activation), p.norm_3)
