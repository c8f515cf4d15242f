"""What the tests of all ideas ask of `model/decoder`."""

from functools import reduce

import numpy as np
from example_values import Z, allowed, norm, normal, translator

from transformer_math.attention import causal_mask
from transformer_math.block import decoder_layer, gelu, relu
from transformer_math.checks.wrong import ignoring
from transformer_math.model import decoder, decoder_pre_norm

EXAMPLES = {
    decoder: {
        "Z": Z,
        "memory": normal(5, 4),
        "layers": translator.decoder,
        "n_heads": 2,
        "mask": causal_mask(3),
        "memory_mask": allowed,
        "activation": relu,
    },
    decoder_pre_norm: {
        "Z": Z,
        "memory": normal(5, 4),
        "layers": translator.decoder,
        "norm": norm,
        "n_heads": 2,
        "mask": causal_mask(3),
        "memory_mask": allowed,
        "activation": gelu,
    },
}

RIGHT = [
    (
        decoder,
        lambda Z, Y, layers, H, mask=None, memory_mask=None, f=relu: reduce(
            lambda Z, p: decoder_layer(Z, Y, p, H, mask, memory_mask, f), layers, Z
        ),
    ),
    (
        decoder,
        lambda Z, Y, layers, H, mask=None, memory_mask=None, f=relu: decoder(
            Z, Y, tuple(layers), H, mask, memory_mask, f
        ).tolist(),
    ),
]

WRONG = [
    (
        decoder,
        ignoring(decoder, "mask"),
        "You ignore the mask",
    ),
    (
        decoder,
        ignoring(decoder, "memory_mask"),
        "You ignore the memory_mask",
    ),
    (
        decoder,
        lambda Z, Y, layers, H, mask=None, memory_mask=None, f=relu: decoder_layer(
            Z, Y, layers[0], H, mask, memory_mask, f
        ),
        "it gave",
    ),
    (
        decoder,
        lambda Z, Y, layers, H, mask=None, memory_mask=None, f=relu: decoder(
            Z, Y, layers, H, mask, memory_mask, f
        ).astype(np.float32),
        "The formula is right, the precision is not",
    ),
    (
        decoder,
        lambda Z, Y, layers, H, mask=None, memory_mask=None, f=relu: (
            Z + decoder(Z, Y, layers, H, mask, memory_mask, f)
        ),
        "it gave",
    ),
]
