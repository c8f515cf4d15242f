"""What the tests of all ideas ask of `block/encoder_layer`."""

from transformer_math.attention import multi_head_attention
from transformer_math.block import (
    add_norm,
    encoder_layer,
    encoder_layer_pre_norm,
    gelu,
    pre_norm,
    relu,
)
from transformer_math.checks.wrong import ignoring

RIGHT = [
    (
        encoder_layer,
        lambda Z, p, n_heads, mask, activation: encoder_layer(
            Z, p, n_heads, mask, activation
        ),
    ),
    (
        encoder_layer,
        lambda Z, p, H, mask=None, activation=relu: encoder_layer(
            Z, p, H, mask, activation
        ).tolist(),
    ),
    (
        encoder_layer_pre_norm,
        lambda Z, p, n_heads, mask, activation: encoder_layer_pre_norm(
            Z, p, n_heads, mask, activation
        ),
    ),
    (
        encoder_layer_pre_norm,
        lambda Z, p, H, mask=None, activation=relu: encoder_layer_pre_norm(
            Z, p, H, mask, activation
        ).tolist(),
    ),
]

WRONG = [
    (
        encoder_layer,
        lambda Z, p, H, mask=None, activation=relu: encoder_layer(
            Z, p, H, None, activation
        ),
        "You ignore the mask",
    ),
    (
        encoder_layer,
        lambda Z, p, H, mask=None, activation=relu: encoder_layer(Z, p, H, mask),
        "You always use ReLU",
    ),
    (
        encoder_layer,
        lambda Z, p, H, mask=None, activation=relu: add_norm(
            Z, multi_head_attention(Z, Z, p.attention, H, mask)[0], p.norm_1
        ),
        "it gave",
    ),
    (
        encoder_layer,
        lambda Z, p, H, mask=None, activation=relu: encoder_layer(
            Z, p, 1, mask if mask is None or mask.ndim < 3 else None, activation
        ),
        "it gave",
    ),
    (
        encoder_layer,
        lambda Z, p, H, mask=None, activation=gelu: encoder_layer(
            Z, p, H, mask, activation
        ),
        "Your function is right where `activation` is given",
    ),
    (
        encoder_layer_pre_norm,
        ignoring(encoder_layer_pre_norm, "mask"),
        "You ignore the mask",
    ),
    (
        encoder_layer_pre_norm,
        ignoring(encoder_layer_pre_norm, "activation"),
        "You always use ReLU",
    ),
    (
        encoder_layer_pre_norm,
        lambda Z, p, H, mask=None, activation=relu: pre_norm(
            Z,
            lambda x: multi_head_attention(x, x, p.attention, H, mask)[0],
            p.norm_1,
        ),
        "it gave",
    ),
    (
        encoder_layer_pre_norm,
        lambda Z, p, H, mask=None, activation=relu: pre_norm(
            Z,
            lambda x: multi_head_attention(Z, x, p.attention, H, mask)[0],
            p.norm_1,
        ),
        "it gave",
    ),
    (
        encoder_layer_pre_norm,
        lambda Z, p, n_heads, mask=None: encoder_layer_pre_norm(Z, p, n_heads, mask),
        "takes 4 of 5 arguments",
    ),
]
