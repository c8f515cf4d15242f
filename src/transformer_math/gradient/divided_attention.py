"""The gradient of a layer of divided attention: feed-forward, space and time, pulled back in this order."""

from functools import partial

from transformer_math.contract import Pullback, Size, requires_as, twin
from transformer_math.gradient.feed_forward import feed_forward_vjp
from transformer_math.gradient.layer_norm import pre_norm_vjp
from transformer_math.gradient.multi_head import self_attention_vjp
from transformer_math.modalities.divided_attention import (
    DividedLayerParameters,
    divided_layer,
    space_mask,
    time_mask,
)
from transformer_math.shapes import Tokens


@twin
@requires_as(divided_layer)
def divided_layer_vjp(
    Z: Tokens, parameters: DividedLayerParameters, n_heads: Size, frames: Size
) -> tuple[Tokens, Pullback]:
    r"""A layer of divided attention and its pullback to the tokens and to everything that it learns.

        DividedLayer*(Z; dZ_out) = dZ
        D_3 = FFN*(LayerNorm_3(Z''); dZ_out)
        dZ'' = dZ_out + LayerNorm_3*(Z''; D_3)
        D_2 = Space*(LayerNorm_2(Z'); dZ'')
        dZ' = dZ'' + LayerNorm_2*(Z'; D_2)
        D_1 = Time*(LayerNorm_1(Z); dZ')
        dZ = dZ' + LayerNorm_1*(Z; D_1)

    Book: eq-divided-layer-vjp.
    """
    p, sizes = parameters, (frames, (Z.shape[-2] - 1) // frames)
    ffn = partial(feed_forward_vjp, parameters=p.feed_forward)

    def attend(own, mask):
        return lambda U: self_attention_vjp(U, own, n_heads, mask)

    Z_1, time = pre_norm_vjp(Z, attend(p.time, time_mask(*sizes)), p.norm_1)
    Z_2, space = pre_norm_vjp(Z_1, attend(p.space, space_mask(*sizes)), p.norm_2)
    Z_3, network = pre_norm_vjp(Z_2, ffn, p.norm_3)

    def pullback(dZ_3):
        dZ_2, dnorm_3, dF = network(dZ_3)
        dZ_1, dnorm_2, dspace = space(dZ_2)
        dZ, dnorm_1, dtime = time(dZ_1)
        return dZ, DividedLayerParameters(dtime, dspace, dF, dnorm_1, dnorm_2, dnorm_3)

    return Z_3, pullback
