"""One encoder layer: tokens exchange what they know, then each thinks for itself."""

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
from transformer_math.shapes import Numbers, SelfMask, Tokens


@contract
@dataclass(frozen=True)
class EncoderLayerParameters:
    """What one encoder layer learns: its attention, its feed-forward network, and two layer normalisations."""

    attention: AttentionParameters
    feed_forward: FeedForwardParameters
    norm_1: NormParameters
    norm_2: NormParameters


@contract
def encoder_layer(
    Z: Tokens,
    parameters: EncoderLayerParameters,
    n_heads: Size,
    mask: SelfMask | None = None,
    activation: Callable[[Numbers], Numbers] = relu,
) -> Tokens:
    r"""Attend, add and normalise; feed forward, add and normalise.

        O' = MultiHead(Z, Z)
        Z' = LayerNorm_1(Z + O')
        Z_out = LayerNorm_2(Z' + FFN(Z'))
        EncoderLayer(Z) = Z_out

    Book: eq-encoder-layer. Source: Vaswani et al. (2017), section 3.1, arXiv:1706.03762.
    """
    p = parameters
    attended, _ = multi_head_attention(Z, Z, p.attention, n_heads, mask)
    Z = add_norm(Z, attended, p.norm_1)
    return add_norm(Z, feed_forward(Z, p.feed_forward, activation), p.norm_2)


@contract
def encoder_layer_pre_norm(
    Z: Tokens,
    parameters: EncoderLayerParameters,
    n_heads: Size,
    mask: SelfMask | None = None,
    activation: Callable[[Numbers], Numbers] = relu,
) -> Tokens:
    r"""The same layer with each normalisation moved before its sublayer, as GPT-2 and many models since have it.

        U = LayerNorm_1(Z)
        Z' = Z + MultiHead(U, U)
        Z_out = Z' + FFN(LayerNorm_2(Z'))
        PreNormEncoderLayer(Z) = Z_out

    Book: eq-encoder-layer-pre-norm. Source: Xiong et al. (2020), arXiv:2002.04745.
    """
    p = parameters
    Z = pre_norm(
        Z,
        lambda x: multi_head_attention(x, x, p.attention, n_heads, mask)[0],
        p.norm_1,
    )
    return pre_norm(Z, lambda x: feed_forward(x, p.feed_forward, activation), p.norm_2)
