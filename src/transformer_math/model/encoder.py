"""The encoder: the same kind of layer again and again, each with parameters of its own."""

from collections.abc import Callable, Sequence

from transformer_math.block.encoder_layer import (
    EncoderLayerParameters,
    encoder_layer,
    encoder_layer_pre_norm,
)
from transformer_math.block.feed_forward import relu
from transformer_math.block.layer_norm import NormParameters, layer_norm
from transformer_math.contract import Size, contract
from transformer_math.shapes import Numbers, SelfMask, Tokens


@contract
def encoder(
    Z: Tokens,
    layers: Sequence[EncoderLayerParameters],
    n_heads: Size,
    mask: SelfMask | None = None,
    activation: Callable[[Numbers], Numbers] = relu,
) -> Tokens:
    r"""Send the tokens through N layers, one after the other.

        Z^(ℓ) = EncoderLayer_ℓ(Z^(ℓ-1))
        ℓ = 1, …, N
        Encoder(Z^(0)) = Z^(N)

    Book: eq-encoder. Source: Vaswani et al. (2017), section 3.1, arXiv:1706.03762.
    """
    for parameters in layers:
        Z = encoder_layer(Z, parameters, n_heads, mask, activation)
    return Z


@contract
def encoder_pre_norm(
    Z: Tokens,
    layers: Sequence[EncoderLayerParameters],
    norm: NormParameters,
    n_heads: Size,
    mask: SelfMask | None = None,
    activation: Callable[[Numbers], Numbers] = relu,
) -> Tokens:
    r"""A stack of pre-norm layers, and the one normalisation that it needs at its end.

        Z_out = LayerNorm(Z^(N)),   Z^(l) = PreNormEncoderLayer_l(Z^(l-1))

    In pre-norm nothing else would normalise what leaves the stack. Source: Xiong et al. (2020), arXiv:2002.04745.
    """
    for parameters in layers:
        Z = encoder_layer_pre_norm(Z, parameters, n_heads, mask, activation)
    return layer_norm(Z, norm)
