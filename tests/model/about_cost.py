"""What the tests of all ideas ask of `model/cost`."""

import numpy as np

from transformer_math.model import (
    encoder_layer_flops,
    encoder_layer_parameters,
    logits_flops,
)

RIGHT = [
    (
        encoder_layer_parameters,
        lambda d, f: 4 * (d * d + d) + d * f + f + f * d + d + 2 * 2 * d,
    ),
    (encoder_layer_parameters, lambda d, f: 4 * d * (d + 1) + (2 * d + 1) * f + 5 * d),
    (
        encoder_layer_flops,
        lambda n, d, f: 2 * (4 * n * d * d + 2 * n * n * d + 2 * n * d * f),
    ),
    (encoder_layer_flops, lambda n, d, f: np.int64(4 * n * d * (2 * d + n + f))),
    (logits_flops, lambda n, d, V: n * d * V * 2),
    (logits_flops, lambda n, d, V: sum(2 * d for _ in range(n * V))),
]

WRONG = [
    (
        encoder_layer_parameters,
        lambda d, f: float(encoder_layer_parameters(d, f)),
        "wanted whole ones (int)",
    ),
    (
        encoder_layer_parameters,
        lambda d, f: encoder_layer_parameters(d, f) - f,
        "it gave",
    ),
    (
        encoder_layer_parameters,
        lambda d, f: encoder_layer_parameters(d, 4 * d),
        "it gave",
    ),
    (encoder_layer_parameters, lambda d, f: 12 * d * d, "it gave"),
    (encoder_layer_parameters, lambda d, f: 4 * d * d + 2 * d * f + 4 * d, "it gave"),
    (encoder_layer_flops, lambda n, d, f: encoder_layer_flops(1, d, f) * n, "it gave"),
    (encoder_layer_flops, lambda n, d, f: encoder_layer_flops(n, d, 4 * d), "it gave"),
    (
        encoder_layer_flops,
        lambda n, d, f: 2 * encoder_layer_flops(n, d, f),
        "Your numbers are the ones wanted, times 2 throughout",
    ),
    (
        encoder_layer_flops,
        lambda n, d, f: encoder_layer_flops(n, d, f) - 4 * n * d * f,
        "it gave",
    ),
    (
        encoder_layer_flops,
        lambda n, d, f: str(encoder_layer_flops(n, d, f)),
        "Your function returns a text",
    ),
    (logits_flops, lambda n, d, V: 2 * n * V, "it gave"),
    (logits_flops, lambda n, d, V: 2 * n * d * V + n * V, "it gave"),
    (
        logits_flops,
        lambda n, d, V: 4 * n * d * V,
        "Your numbers are the ones wanted, times 2 throughout",
    ),
    (logits_flops, lambda n, d, V: 2 * n * n * d * V, "it gave"),
    (logits_flops, lambda n, d, V: 2 * d * V * 2, "it gave"),
    (
        encoder_layer_parameters,
        lambda d, f: encoder_layer_parameters(d, f) - 4 * d,
        "it gave",
    ),
]
