"""The encoder: the same kind of layer again and again, each with parameters of its own."""

from collections.abc import Callable, Sequence

from transformer_math.block.encoder_layer import (
    EncoderLayerParameters,
    Mask,
    Tokens,
    encoder_layer,
)
from transformer_math.block.feed_forward import Numbers, relu
from transformer_math.contract import Size, contract


@contract
def encoder(
    Z: Tokens,
    layers: Sequence[EncoderLayerParameters],
    n_heads: Size,
    mask: Mask | None = None,
    activation: Callable[[Numbers], Numbers] = relu,
) -> Tokens:
    r"""Send the tokens through N layers, one after the other.

        Z^(l) = EncoderLayer_l(Z^(l-1)),   l = 1, ..., N

    Book: eq-encoder. Source: Vaswani et al. (2017), section 3.1, arXiv:1706.03762.
    """
    for parameters in layers:
        Z = encoder_layer(Z, parameters, n_heads, mask, activation)
    return Z
