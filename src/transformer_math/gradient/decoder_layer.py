"""The gradients of a decoder layer and of a stack of them; every layer sends a gradient to the memory, and they add up."""

from collections.abc import Sequence

import numpy as np

from transformer_math.block.decoder_layer import DecoderLayerParameters
from transformer_math.block.layer_norm import NormParameters
from transformer_math.contract import Pullback, Size, twin
from transformer_math.gradient._stack import through_layers
from transformer_math.gradient._sublayers import decoder_sublayers, post_norm_vjp
from transformer_math.gradient.feed_forward import ActivationTwin, relu_vjp
from transformer_math.gradient.layer_norm import layer_norm_vjp, pre_norm_vjp
from transformer_math.shapes import CrossMask, Memory, SelfMask, Tokens


@twin
def decoder_layer_vjp(
    Z: Tokens,
    memory: Memory,
    parameters: DecoderLayerParameters,
    n_heads: Size,
    mask: SelfMask | None = None,
    memory_mask: CrossMask | None = None,
    activation_vjp: ActivationTwin = relu_vjp,
) -> tuple[Tokens, Pullback]:
    r"""A decoder layer and its pullback to its tokens, to the memory, and to everything that it learns.

        DecoderLayer*(Z, Y; dZ_out) = (dZ, dY)
        D_3 = LayerNorm_3*(Z'' + FFN(Z''); dZ_out)
        D_2 = LayerNorm_2*(Z' + MultiHead(Z', Y); D_3 + FFN*(Z''; D_3))
        (D, dY) = MultiHead*(Z', Y; D_2)
        D_1 = LayerNorm_1*(Z + MaskedMultiHead(Z); D_2 + D)
        dZ = D_1 + MaskedMultiHead*(Z; D_1)

    Book: eq-decoder-layer-vjp. Source: Vaswani et al. (2017), section 3.1, arXiv:1706.03762.
    """
    p = parameters
    attend, consult, transform = decoder_sublayers(
        memory, p, n_heads, mask, memory_mask, activation_vjp
    )
    Z_1, sublayer_1 = post_norm_vjp(Z, attend, p.norm_1)
    Z_2, sublayer_2 = post_norm_vjp(Z_1, consult, p.norm_2)
    Z_3, sublayer_3 = post_norm_vjp(Z_2, transform, p.norm_3)

    def pullback(dZ_3):
        dZ_2, dnorm_3, dfeed_forward = sublayer_3(dZ_3)
        dZ_1, dnorm_2, dmemory, dcross = sublayer_2(dZ_2)
        dZ, dnorm_1, dself = sublayer_1(dZ_1)
        learned = dself, dcross, dfeed_forward, dnorm_1, dnorm_2, dnorm_3
        return dZ, dmemory, DecoderLayerParameters(*learned)

    return Z_3, pullback


@twin
def decoder_layer_pre_norm_vjp(
    Z: Tokens,
    memory: Memory,
    parameters: DecoderLayerParameters,
    n_heads: Size,
    mask: SelfMask | None = None,
    memory_mask: CrossMask | None = None,
    activation_vjp: ActivationTwin = relu_vjp,
) -> tuple[Tokens, Pullback]:
    r"""A pre-norm decoder layer and its pullback.

        PreNormDecoderLayer*(Z, Y; dZ_out) = (dZ, dY)
        dZ'' = dZ_out + LayerNorm_3*(Z''; FFN*(LayerNorm_3(Z''); dZ_out))
        (D, dY) = MultiHead*(LayerNorm_2(Z'), Y; dZ'')
        dZ' = dZ'' + LayerNorm_2*(Z'; D)
        dZ = dZ' + LayerNorm_1*(Z; MaskedMultiHead*(LayerNorm_1(Z); dZ'))

    Book: eq-decoder-layer-pre-norm-vjp. Source: Xiong et al. (2020), arXiv:2002.04745.
    """
    p = parameters
    attend, consult, transform = decoder_sublayers(
        memory, p, n_heads, mask, memory_mask, activation_vjp
    )
    Z_1, sublayer_1 = pre_norm_vjp(Z, attend, p.norm_1)
    Z_2, sublayer_2 = pre_norm_vjp(Z_1, consult, p.norm_2)
    Z_3, sublayer_3 = pre_norm_vjp(Z_2, transform, p.norm_3)

    def pullback(dZ_3):
        dZ_2, dnorm_3, dfeed_forward = sublayer_3(dZ_3)
        dZ_1, dnorm_2, dmemory, dcross = sublayer_2(dZ_2)
        dZ, dnorm_1, dself = sublayer_1(dZ_1)
        learned = dself, dcross, dfeed_forward, dnorm_1, dnorm_2, dnorm_3
        return dZ, dmemory, DecoderLayerParameters(*learned)

    return Z_3, pullback


@twin
def decoder_vjp(
    Z: Tokens,
    memory: Memory,
    layers: Sequence[DecoderLayerParameters],
    n_heads: Size,
    mask: SelfMask | None = None,
    memory_mask: CrossMask | None = None,
    activation_vjp: ActivationTwin = relu_vjp,
) -> tuple[Tokens, Pullback]:
    r"""A stack of decoder layers and its pullback; the memory, which all of them read, gets the sum of what they say.

        Decoder*(Z^(0), Y; dZ^(N)) = (dZ^(0), dY)
        (dZ^(ℓ-1), dY^(ℓ)) = DecoderLayer_ℓ*(Z^(ℓ-1), Y; dZ^(ℓ))
        ℓ = 1, …, N
        dY = Σ_{ℓ=1}^N dY^(ℓ)

    Book: eq-decoder-vjp. Source: Vaswani et al. (2017), section 3.1, arXiv:1706.03762.
    """

    def layer(p):
        return lambda x: decoder_layer_vjp(
            x, memory, p, n_heads, mask, memory_mask, activation_vjp
        )

    Z, stack = through_layers(Z, map(layer, layers))

    def pullback(dZ):
        dZ, gradients = stack(dZ)
        return dZ, *_memory_and_layers(gradients, memory, layers)

    return Z, pullback


@twin
def decoder_pre_norm_vjp(
    Z: Tokens,
    memory: Memory,
    layers: Sequence[DecoderLayerParameters],
    norm: NormParameters,
    n_heads: Size,
    mask: SelfMask | None = None,
    memory_mask: CrossMask | None = None,
    activation_vjp: ActivationTwin = relu_vjp,
) -> tuple[Tokens, Pullback]:
    r"""A stack of pre-norm decoder layers and its pullback: back through the normalisation at its end, then layer by layer.

        Z^(ℓ) = PreNormDecoderLayer_ℓ(Z^(ℓ-1), Y)
        ℓ = 1, …, N
        D^(0) = LayerNorm*(Z^(N); dZ_out)
        (D^(r), dY^(r)) = PreNormDecoderLayer_{N-r+1}*(Z^(N-r), Y; D^(r-1))
        r = 1, …, N
        dZ^(0) = D^(N)
        dY = Σ_{r=1}^N dY^(r)

    Book: eq-decoder-pre-norm-vjp. Source: Xiong et al. (2020), arXiv:2002.04745.
    """

    def layer(p):
        return lambda x: decoder_layer_pre_norm_vjp(
            x, memory, p, n_heads, mask, memory_mask, activation_vjp
        )

    Z, stack = through_layers(Z, map(layer, layers))
    Z_out, last = layer_norm_vjp(Z, norm)

    def pullback(dZ_out):
        dZ, dnorm = last(dZ_out)
        dZ, gradients = stack(dZ)
        return dZ, *_memory_and_layers(gradients, memory, layers), dnorm

    return Z_out, pullback


def _memory_and_layers(gradients, memory, layers):
    # of each layer two gradients: that of the memory, which all of them read, and that of its parameters
    dmemory = sum(
        (to_memory for to_memory, _ in reversed(gradients)), np.zeros_like(memory)
    )
    return dmemory, type(layers)(dlayer for _, dlayer in gradients)
