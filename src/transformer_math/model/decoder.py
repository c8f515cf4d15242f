"""The decoder: a stack of decoder layers, all of which read the same memory."""

from collections.abc import Callable, Sequence

from transformer_math.block.decoder_layer import (
    DecoderLayerParameters,
    Memory,
    MemoryMask,
    decoder_layer,
    decoder_layer_pre_norm,
)
from transformer_math.block.encoder_layer import Mask, Tokens, Vector
from transformer_math.block.feed_forward import Numbers, relu
from transformer_math.block.layer_norm import layer_norm
from transformer_math.contract import Size, contract


@contract
def decoder(
    Z: Tokens,
    memory: Memory,
    layers: Sequence[DecoderLayerParameters],
    n_heads: Size,
    mask: Mask | None = None,
    memory_mask: MemoryMask | None = None,
    activation: Callable[[Numbers], Numbers] = relu,
) -> Tokens:
    r"""Send the tokens through N layers, one after the other; each reads the same memory.

        Z^(l) = DecoderLayer_l(Z^(l-1), Y),   l = 1, ..., N

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
    gamma: Vector,
    beta: Vector,
    n_heads: Size,
    mask: Mask | None = None,
    memory_mask: MemoryMask | None = None,
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
    return layer_norm(Z, gamma, beta)
