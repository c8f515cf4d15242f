"""The decoder: a stack of decoder layers, all of which read the same memory."""

from collections.abc import Callable, Sequence

from transformer_math.block.decoder_layer import (
    DecoderLayerParameters,
    decoder_layer,
    decoder_layer_pre_norm,
)
from transformer_math.block.feed_forward import relu
from transformer_math.block.layer_norm import NormParameters, layer_norm
from transformer_math.contract import Size, contract
from transformer_math.shapes import CrossMask, Memory, Numbers, SelfMask, Tokens


@contract
def decoder(
    Z: Tokens,
    memory: Memory,
    layers: Sequence[DecoderLayerParameters],
    n_heads: Size,
    mask: SelfMask | None = None,
    memory_mask: CrossMask | None = None,
    activation: Callable[[Numbers], Numbers] = relu,
) -> Tokens:
    r"""Send the tokens through N layers, one after the other; each reads the same memory.

        Z^(ℓ) = DecoderLayer_ℓ(Z^(ℓ-1), Y)
        ℓ = 1, …, N
        Decoder(Z^(0), Y) = Z^(N)

    Book: eq-decoder. Source: Vaswani et al. (2017), section 3.1, arXiv:1706.03762.
    """
    for parameters in layers:
        Z = decoder_layer(Z, memory, parameters, n_heads, mask, memory_mask, activation)
    return Z


@contract
def decoder_pre_norm(
    Z: Tokens,
    memory: Memory,
    layers: Sequence[DecoderLayerParameters],
    norm: NormParameters,
    n_heads: Size,
    mask: SelfMask | None = None,
    memory_mask: CrossMask | None = None,
    activation: Callable[[Numbers], Numbers] = relu,
) -> Tokens:
    r"""A stack of pre-norm layers, and the one normalisation that it needs at its end.

        Z_out = LayerNorm(Z^(N)),   Z^(l) = PreNormDecoderLayer_l(Z^(l-1), Y)

    Source: Xiong et al. (2020), arXiv:2002.04745.
    """
    for parameters in layers:
        Z = decoder_layer_pre_norm(
            Z, memory, parameters, n_heads, mask, memory_mask, activation
        )
    return layer_norm(Z, norm)
