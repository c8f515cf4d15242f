"""What the tests of all ideas ask of `block/decoder_only_layer`."""

import numpy as np
from example_values import Z, today

from transformer_math.attention import causal_mask, multi_head_attention
from transformer_math.block import (
    add_norm,
    decoder_only_layer,
    feed_forward,
    layer_norm,
    pre_norm,
    rotary_attention,
)

EXAMPLES = {
    rotary_attention: {
        "Z": Z,
        "parameters": today.layers[0].rotary_attention,
        "n_heads": 2,
    },
    decoder_only_layer: {"Z": Z, "parameters": today.layers[0], "n_heads": 2},
}


def attend(p, n_heads):
    return lambda U: rotary_attention(U, p.rotary_attention, n_heads)[0]


def by_hand(Z, p, n_heads):
    Z = Z + attend(p, n_heads)(layer_norm(Z, p.norm_1))
    return Z + feed_forward(layer_norm(Z, p.norm_2), p.feed_forward)


def in_two_steps(Z, p, n_heads):
    Z = pre_norm(Z, attend(p, n_heads), p.norm_1)
    return pre_norm(Z, lambda U: feed_forward(U, p.feed_forward), p.norm_2)


def after_the_sum(Z, p, n_heads):
    Z = add_norm(Z, attend(p, n_heads)(Z), p.norm_1)
    return add_norm(Z, feed_forward(Z, p.feed_forward), p.norm_2)


def plain_attention(Z, p, n_heads):
    mask = causal_mask(Z.shape[-2])
    U = layer_norm(Z, p.norm_1)
    Z = Z + multi_head_attention(U, U, p.rotary_attention, n_heads, mask)[0]
    return Z + feed_forward(layer_norm(Z, p.norm_2), p.feed_forward)


def both_from_the_start(Z, p, n_heads):
    attended = attend(p, n_heads)(layer_norm(Z, p.norm_1))
    return Z + attended + feed_forward(layer_norm(Z, p.norm_2), p.feed_forward)


def whole_tuple(Z, p, n_heads):
    U = layer_norm(Z, p.norm_1)
    return Z + np.asarray(rotary_attention(U, p.rotary_attention, n_heads)[1])[0] @ Z


def network_alone(Z, p, n_heads):
    return pre_norm(Z, lambda U: feed_forward(U, p.feed_forward), p.norm_2)


RIGHT = [(decoder_only_layer, by_hand), (decoder_only_layer, in_two_steps)]

WRONG = [
    (decoder_only_layer, after_the_sum, "You normalise after adding"),
    (decoder_only_layer, plain_attention, "does not know positions"),
    (decoder_only_layer, both_from_the_start, "Attention and network both read Z"),
    (decoder_only_layer, whole_tuple, ""),
    (decoder_only_layer, network_alone, "it gave"),
]
