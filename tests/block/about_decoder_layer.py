"""What the tests of all ideas ask of `block/decoder_layer`."""

from example_values import Z, allowed, normal, translator

from transformer_math.attention import causal_mask, multi_head_attention
from transformer_math.block import (
    decoder_layer,
    decoder_layer_pre_norm,
    feed_forward,
    layer_norm,
    relu,
)
from transformer_math.checks.wrong import ignoring


def sublayers(Z, Y, p, H, mask, memory_mask, activation):
    """The three sublayers of a decoder layer, each a function of its tokens."""
    return (
        lambda x: multi_head_attention(x, x, p.self_attention, H, mask)[0],
        lambda x: multi_head_attention(x, Y, p.cross_attention, H, memory_mask)[0],
        lambda x: feed_forward(x, p.feed_forward, activation),
    )


def layer_by_loop(Z, Y, p, H, mask=None, memory_mask=None, activation=relu):
    norms = p.norm_1, p.norm_2, p.norm_3
    for f, norm in zip(sublayers(Z, Y, p, H, mask, memory_mask, activation), norms):
        Z = layer_norm(Z + f(Z), norm)
    return Z


def pre_norm_by_loop(Z, Y, p, H, mask=None, memory_mask=None, activation=relu):
    norms = p.norm_1, p.norm_2, p.norm_3
    for f, norm in zip(sublayers(Z, Y, p, H, mask, memory_mask, activation), norms):
        Z = Z + f(layer_norm(Z, norm))
    return Z


def first_sublayer_only(Z, Y, p, H, mask=None, memory_mask=None, activation=relu):
    f, *_ = sublayers(Z, Y, p, H, mask, memory_mask, activation)
    return layer_norm(Z + f(Z), p.norm_1)


reader = translator.decoder[0]


EXAMPLES = {
    decoder_layer: {
        "Z": Z,
        "memory": normal(5, 4),
        "parameters": reader,
        "n_heads": 2,
        "mask": causal_mask(3),
        "memory_mask": allowed,
        "activation": relu,
    },
}

RIGHT = [
    (decoder_layer, layer_by_loop),
    (
        decoder_layer,
        lambda Z, Y, p, H, mask=None, memory_mask=None, activation=relu: layer_by_loop(
            Z, Y, p, H, mask, memory_mask, activation
        ).tolist(),
    ),
    (decoder_layer_pre_norm, pre_norm_by_loop),
    (
        decoder_layer_pre_norm,
        lambda Z, Y, p, H, mask=None, memory_mask=None, f=relu: pre_norm_by_loop(
            Z, Y, p, H, mask, memory_mask, f
        ).tolist(),
    ),
]

WRONG = [
    (
        decoder_layer,
        ignoring(layer_by_loop, "mask"),
        "You ignore the mask",
    ),
    (
        decoder_layer,
        ignoring(layer_by_loop, "memory_mask"),
        "You ignore the memory_mask",
    ),
    (
        decoder_layer,
        ignoring(layer_by_loop, "activation"),
        "You always use ReLU",
    ),
    (decoder_layer, first_sublayer_only, "it gave"),
    (
        decoder_layer,
        lambda Z, Y, p, H: layer_by_loop(Z, Y, p, H),
        "Your function takes 4 of 7 arguments",
    ),
    (
        decoder_layer,
        lambda Z, Y, p, H, mask=None, memory_mask=None, f=relu: layer_by_loop(
            Z, layer_norm(Y, p.norm_2), p, H, mask, memory_mask, f
        ),
        "it gave",
    ),
    (decoder_layer_pre_norm, layer_by_loop, "You normalise after each sum"),
    (
        decoder_layer_pre_norm,
        ignoring(pre_norm_by_loop, "mask"),
        "You ignore the mask",
    ),
    (
        decoder_layer_pre_norm,
        ignoring(pre_norm_by_loop, "memory_mask"),
        "You ignore the memory_mask",
    ),
    (
        decoder_layer_pre_norm,
        lambda Z, Y, p, H, mask=None, memory_mask=None, f=relu: (
            pre_norm_by_loop(Z, Y, p, H, mask, memory_mask, f) - Z
        ),
        "it gave",
    ),
    (
        decoder_layer_pre_norm,
        lambda Z, Y, p, H, mask=None: pre_norm_by_loop(Z, Y, p, H, mask),
        "Your function takes 5 of 7 arguments",
    ),
]
