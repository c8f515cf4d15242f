"""What the tests of all ideas ask of `block/decoder_only_layer`."""

import numpy as np
from example_values import Z, today

from transformer_math.attention import (
    attention,
    causal_mask,
    concat_heads,
    multi_head_attention,
    project,
    split_heads,
)
from transformer_math.block import (
    add_norm,
    decoder_only_layer,
    feed_forward,
    layer_norm,
    pre_norm,
    rotary_attention,
)
from transformer_math.position import rope

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


def by_parts(Z, p, n_heads, turn=rope, look=causal_mask):
    places = np.arange(Z.shape[-2], dtype=float)
    Q, K, V = (
        split_heads(project(Z, W, b), n_heads)
        for W, b in ((p.W_Q, p.b_Q), (p.W_K, p.b_K), (p.W_V, p.b_V))
    )
    mask = look(Z.shape[-2])
    O, A = attention(turn(Q, places), turn(K, places), V, mask)
    return project(concat_heads(O), p.W_O, p.b_O), A


def by_differences(Z, p, n_heads):
    """Positions that begin elsewhere: only differences count."""
    return by_parts(Z, p, n_heads, turn=lambda x, places: rope(x, places + 17))


def everywhere(n):
    return np.ones((n, n), dtype=bool)


RIGHT = [
    (decoder_only_layer, by_hand),
    (decoder_only_layer, in_two_steps),
    (rotary_attention, by_parts),
    (rotary_attention, by_differences),
]

WRONG = [
    (decoder_only_layer, after_the_sum, "You normalise after adding"),
    (decoder_only_layer, plain_attention, "does not know positions"),
    (decoder_only_layer, both_from_the_start, "Attention and network both read Z"),
    (decoder_only_layer, whole_tuple, ""),
    (decoder_only_layer, network_alone, "it gave"),
    (
        rotary_attention,
        lambda Z, p, H: by_parts(Z, p, H, look=everywhere),
        "You let tokens look ahead",
    ),
    (
        rotary_attention,
        lambda Z, p, H: by_parts(Z, p, H, turn=lambda x, _: x),
        "are not turned",
    ),
    (rotary_attention, lambda Z, p, H: by_parts(Z, p, H)[0], "only the first of two"),
    (rotary_attention, lambda Z, p, H: by_parts(Z, p, H)[::-1], "changed places"),
    (
        rotary_attention,
        lambda Z, p, H: by_parts(Z, p, H, turn=lambda x, at: rope(x, at[::-1])),
        "it gave",
    ),
]

EQUIVALENT = {
    "rotary_attention": {
        "np.arange(Z.shape[-2], dtype=float) → np.arange(Z.shape[-2])": "Positions that are whole numbers give the same angles.",
    },
}
