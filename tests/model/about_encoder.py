"""What the tests of all ideas ask of `model/encoder`."""

from functools import reduce

import numpy as np
from example_values import Z, model, norm

from transformer_math.attention import causal_mask
from transformer_math.block import encoder_layer, gelu, relu
from transformer_math.model import encoder, encoder_pre_norm

EXAMPLES = {
    encoder: {
        "Z": Z,
        "layers": model.layers,
        "n_heads": 2,
        "mask": causal_mask(3),
        "activation": relu,
    },
    encoder_pre_norm: {
        "Z": Z,
        "layers": model.layers,
        "norm": norm,
        "n_heads": 2,
        "mask": causal_mask(3),
        "activation": gelu,
    },
}

RIGHT = [
    (
        encoder,
        lambda Z, layers, n_heads, mask=None, activation=relu: reduce(
            lambda Z, p: encoder_layer(Z, p, n_heads, mask, activation), layers, Z
        ),
    ),
    (
        encoder,
        lambda Z, layers, n_heads, mask, activation: encoder(
            Z, tuple(layers), n_heads, mask, activation
        ),
    ),
]

WRONG = [
    (
        encoder,
        lambda Z, l, H, mask=None, activation=relu: encoder(Z, l, H, None, activation),
        "You ignore the mask",
    ),
    (
        encoder,
        lambda Z, l, H, mask=None, activation=relu: encoder(Z, l, H, mask),
        "You always use ReLU",
    ),
    (
        encoder,
        lambda Z, l, H, mask=None: encoder(Z, l, H, mask),
        "Your function takes 4 of 5 arguments",
    ),
    (
        encoder,
        lambda Z, l, H, mask=None, activation=relu: encoder_layer(
            Z, l[0], H, mask, activation
        ),
        "it gave",
    ),
    (
        encoder,
        lambda Z, l, H, mask=None, activation=relu: encoder(
            Z, list(l) * 2, H, mask, activation
        ),
        "it gave",
    ),
    (
        encoder,
        lambda Z, l, H, mask=None, activation=relu: (
            Z + encoder(Z, l, H, mask, activation)
        ),
        "it gave",
    ),
    (
        encoder,
        lambda Z, l, H, mask=None, activation=relu: encoder(
            Z, l, H, mask, activation
        ).astype(np.float32),
        "The formula is right, the precision is not",
    ),
]
