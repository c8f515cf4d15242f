"""The gradients of an encoder layer and of a stack of them: each line of the forward pass, pulled back in reverse order."""

from collections.abc import Sequence

from transformer_math.block.encoder_layer import EncoderLayerParameters
from transformer_math.block.layer_norm import NormParameters
from transformer_math.contract import Pullback, Size, twin
from transformer_math.gradient._stack import through_layers
from transformer_math.gradient._sublayers import (
    encoder_sublayers,
    post_norm_vjp,
    two_sublayers_vjp,
)
from transformer_math.gradient.feed_forward import ActivationTwin, relu_vjp
from transformer_math.gradient.layer_norm import layer_norm_vjp, pre_norm_vjp
from transformer_math.shapes import SelfMask, Tokens


@twin
def encoder_layer_vjp(
    Z: Tokens,
    parameters: EncoderLayerParameters,
    n_heads: Size,
    mask: SelfMask | None = None,
    activation_vjp: ActivationTwin = relu_vjp,
) -> tuple[Tokens, Pullback]:
    r"""An encoder layer and its pullback to the tokens and to everything that the layer learns.

        EncoderLayer*(Z; dZ_out) = dZ
        D_2 = LayerNorm_2*(Z' + FFN(Z'); dZ_out)
        D_1 = LayerNorm_1*(Z + O'; D_2 + FFN*(Z'; D_2))
        (D, D') = MultiHead*(Z, Z; D_1)
        dZ = D_1 + D + D'

    Book: eq-encoder-layer-vjp. Source: Vaswani et al. (2017), section 3.1, arXiv:1706.03762.
    """
    p = parameters
    attend, transform = encoder_sublayers(p, n_heads, mask, activation_vjp)
    Z_1, sublayer_1 = post_norm_vjp(Z, attend, p.norm_1)
    Z_2, sublayer_2 = post_norm_vjp(Z_1, transform, p.norm_2)

    def pullback(dZ_2):
        dZ_1, dnorm_2, dfeed_forward = sublayer_2(dZ_2)
        dZ, dnorm_1, dattention = sublayer_1(dZ_1)
        return dZ, EncoderLayerParameters(dattention, dfeed_forward, dnorm_1, dnorm_2)

    return Z_2, pullback


@twin
def encoder_layer_pre_norm_vjp(
    Z: Tokens,
    parameters: EncoderLayerParameters,
    n_heads: Size,
    mask: SelfMask | None = None,
    activation_vjp: ActivationTwin = relu_vjp,
) -> tuple[Tokens, Pullback]:
    r"""A pre-norm encoder layer and its pullback.

        PreNormEncoderLayer*(Z; dZ_out) = dZ
        dZ' = dZ_out + LayerNorm_2*(Z'; FFN*(LayerNorm_2(Z'); dZ_out))
        (D, D') = MultiHead*(U, U; dZ')
        dZ = dZ' + LayerNorm_1*(Z; D + D')

    Book: eq-encoder-layer-pre-norm-vjp. Source: Xiong et al. (2020), arXiv:2002.04745.
    """
    sublayers = encoder_sublayers(parameters, n_heads, mask, activation_vjp)
    return two_sublayers_vjp(Z, parameters, pre_norm_vjp, *sublayers)


@twin
def encoder_vjp(
    Z: Tokens,
    layers: Sequence[EncoderLayerParameters],
    n_heads: Size,
    mask: SelfMask | None = None,
    activation_vjp: ActivationTwin = relu_vjp,
) -> tuple[Tokens, Pullback]:
    r"""A stack of encoder layers and its pullback: the last layer's gradient is taken first.

        Encoder*(Z^(0); dZ^(N)) = dZ^(0)
        dZ^(ℓ-1) = EncoderLayer_ℓ*(Z^(ℓ-1); dZ^(ℓ))
        ℓ = 1, …, N

    Book: eq-encoder-vjp. Source: Vaswani et al. (2017), section 3.1, arXiv:1706.03762.
    """

    def layer(p):
        return lambda x: encoder_layer_vjp(x, p, n_heads, mask, activation_vjp)

    Z, stack = through_layers(Z, map(layer, layers))

    def pullback(dZ):
        dZ, gradients = stack(dZ)
        return dZ, type(layers)(dlayer for (dlayer,) in gradients)

    return Z, pullback


@twin
def encoder_pre_norm_vjp(
    Z: Tokens,
    layers: Sequence[EncoderLayerParameters],
    norm: NormParameters,
    n_heads: Size,
    mask: SelfMask | None = None,
    activation_vjp: ActivationTwin = relu_vjp,
) -> tuple[Tokens, Pullback]:
    r"""A stack of pre-norm layers and its pullback: back through the normalisation at its end, then layer by layer.

        Z^(ℓ) = PreNormEncoderLayer_ℓ(Z^(ℓ-1))
        ℓ = 1, …, N
        D^(0) = LayerNorm*(Z^(N); dZ_out)
        D^(r) = PreNormEncoderLayer_{N-r+1}*(Z^(N-r); D^(r-1))
        r = 1, …, N
        dZ^(0) = D^(N)

    Book: eq-encoder-pre-norm-vjp. Source: Xiong et al. (2020), arXiv:2002.04745.
    """

    def layer(p):
        return lambda x: encoder_layer_pre_norm_vjp(x, p, n_heads, mask, activation_vjp)

    Z, stack = through_layers(Z, map(layer, layers))
    Z_out, last = layer_norm_vjp(Z, norm)

    def pullback(dZ_out):
        dZ, dnorm = last(dZ_out)
        dZ, gradients = stack(dZ)
        return dZ, type(layers)(dlayer for (dlayer,) in gradients), dnorm

    return Z_out, pullback
