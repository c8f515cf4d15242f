"""The gradient of the layer of today's language models: past each sublayer, and through it."""

from transformer_math.block.decoder_only_layer import DecoderOnlyLayerParameters
from transformer_math.contract import Pullback, Size, twin
from transformer_math.gradient._sublayers import (
    decoder_only_sublayers,
    two_sublayers_vjp,
)
from transformer_math.gradient.layer_norm import pre_norm_vjp
from transformer_math.shapes import Tokens


@twin
def decoder_only_layer_vjp(
    Z: Tokens, parameters: DecoderOnlyLayerParameters, n_heads: Size
) -> tuple[Tokens, Pullback]:
    r"""A layer and its pullback to the tokens and to everything that it learns.

        DecoderOnlyLayer*(Z; dZ_out) = dZ
        dZ' = dZ_out + LayerNorm_2*(Z'; FFN*(LayerNorm_2(Z'); dZ_out))
        dZ = dZ' + LayerNorm_1*(Z; RotaryAttention*(LayerNorm_1(Z); dZ'))

    Book: eq-decoder-only-layer-vjp. Source: Xiong et al. (2020), arXiv:2002.04745.
    """
    sublayers = decoder_only_sublayers(parameters, n_heads)
    return two_sublayers_vjp(Z, parameters, pre_norm_vjp, *sublayers)
