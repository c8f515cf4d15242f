"""The sublayers of a layer, each as a twin of the tokens alone; and the post-norm that goes around each."""

from collections.abc import Callable
from typing import Any

import numpy as np

from transformer_math.block.decoder_layer import DecoderLayerParameters
from transformer_math.block.decoder_only_layer import DecoderOnlyLayerParameters
from transformer_math.block.encoder_layer import EncoderLayerParameters
from transformer_math.block.layer_norm import NormParameters
from transformer_math.contract import Pullback
from transformer_math.gradient.dropout import dropout_vjp
from transformer_math.gradient.feed_forward import ActivationTwin, feed_forward_vjp
from transformer_math.gradient.layer_norm import (
    SublayerTwin,
    add_norm_vjp,
)
from transformer_math.gradient.multi_head import (
    multi_head_attention_vjp,
    self_attention_vjp,
)
from transformer_math.gradient.rotary_attention import rotary_attention_vjp

AroundTwin = Callable[[np.ndarray, SublayerTwin, NormParameters], tuple]


def post_norm_vjp(
    x: np.ndarray, sublayer_vjp: SublayerTwin, parameters: NormParameters
) -> tuple[np.ndarray, Pullback]:
    r"""Post-norm around a sublayer, and its pullback: what leaves the normalisation goes around the sublayer and through it.

        D = LayerNorm*(Z + Sublayer(Z); dZ')
        dZ = D + Sublayer*(Z; D)

    What the sublayer's pullback returns beyond the gradient of its input, comes last, as in `pre_norm_vjp`.

    >>> ten_times = lambda x: (10 * x, lambda dy: (10 * dy, "of the sublayer"))
    >>> p = NormParameters(np.ones(2), np.zeros(2))
    >>> y, pullback = post_norm_vjp(np.array([[1.0, 3.0]]), ten_times, p)
    >>> y.round(3), pullback(np.array([[0.0, 1.0]]))[2]
    (array([[-1.,  1.]]), 'of the sublayer')
    """
    update, pullback_of_sublayer = sublayer_vjp(x)
    y, pullback_of_norm = add_norm_vjp(x, update, parameters)

    def pullback(dy):
        dx, dupdate, dparameters = pullback_of_norm(dy)
        through, *rest = pullback_of_sublayer(dupdate)
        return dx + through, dparameters, *rest

    return y, pullback


def two_sublayers_vjp(
    Z: np.ndarray,
    parameters: Any,
    around: AroundTwin,
    attend: SublayerTwin,
    transform: SublayerTwin,
) -> tuple[np.ndarray, Pullback]:
    """A layer of two sublayers with the same around each, and its pullback to the tokens and to a tree like the parameters."""
    Z_1, sublayer_1 = around(Z, attend, parameters.norm_1)
    Z_2, sublayer_2 = around(Z_1, transform, parameters.norm_2)

    def pullback(dZ_2):
        dZ_1, dnorm_2, dfeed_forward = sublayer_2(dZ_2)
        dZ, dnorm_1, dattention = sublayer_1(dZ_1)
        return dZ, type(parameters)(dattention, dfeed_forward, dnorm_1, dnorm_2)

    return Z_2, pullback


def with_dropout(
    sublayer_vjp: SublayerTwin, kept: np.ndarray, p: float
) -> SublayerTwin:
    """The same sublayer, and dropout after it; post-norm or pre-norm goes around both.

    >>> ten_times = lambda x: (10 * x, lambda dy: (10 * dy,))
    >>> y, pullback = with_dropout(ten_times, np.array([True, False]), p=0.5)(np.ones(2))
    >>> y, pullback(np.ones(2))
    (array([20.,  0.]), (array([20.,  0.]),))
    """

    def dropping(x):
        update, pullback_of_sublayer = sublayer_vjp(x)
        y, pullback_of_dropout = dropout_vjp(update, kept, p)
        return y, lambda dy: pullback_of_sublayer(*pullback_of_dropout(dy))

    return dropping


def encoder_sublayers(
    parameters: EncoderLayerParameters,
    n_heads: int,
    mask: np.ndarray | None,
    activation_vjp: ActivationTwin,
) -> tuple[SublayerTwin, SublayerTwin]:
    """What an encoder layer does to its tokens: they attend to each other, then each is transformed by itself."""
    p = parameters
    return (
        lambda Z: self_attention_vjp(Z, p.attention, n_heads, mask),
        lambda Z: feed_forward_vjp(Z, p.feed_forward, activation_vjp),
    )


def decoder_sublayers(
    memory: np.ndarray,
    parameters: DecoderLayerParameters,
    n_heads: int,
    mask: np.ndarray | None,
    memory_mask: np.ndarray | None,
    activation_vjp: ActivationTwin,
) -> tuple[SublayerTwin, SublayerTwin, SublayerTwin]:
    """What a decoder layer does to its tokens: they attend to each other, then to the memory, then each is transformed."""
    p = parameters
    return (
        lambda Z: self_attention_vjp(Z, p.self_attention, n_heads, mask),
        lambda Z: multi_head_attention_vjp(
            Z, memory, p.cross_attention, n_heads, memory_mask
        ),
        lambda Z: feed_forward_vjp(Z, p.feed_forward, activation_vjp),
    )


def decoder_only_sublayers(
    parameters: DecoderOnlyLayerParameters, n_heads: int
) -> tuple[SublayerTwin, SublayerTwin]:
    """What a layer does to its tokens: they look back, then each is transformed by itself."""
    p = parameters
    return (
        lambda U: rotary_attention_vjp(U, p.rotary_attention, n_heads),
        lambda U: feed_forward_vjp(U, p.feed_forward),
    )
