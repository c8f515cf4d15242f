"""What the tests of all ideas ask of `training/cost`."""

from transformer_math.model import encoder_layer_flops, logits_flops
from transformer_math.training import training_flops

RIGHT = [
    (
        training_flops,
        lambda n, d, f, N, V: (
            3 * (N * encoder_layer_flops(n, d, f) + logits_flops(n, d, V))
        ),
    ),
    (
        training_flops,
        lambda n, d, f, N, V: 6 * n * d * (N * (4 * d + 2 * n + 2 * f) + V),
    ),
]

WRONG = [
    (
        training_flops,
        lambda *sizes: training_flops(*sizes) // 3,
        "You count the forward pass alone",
    ),
    (
        training_flops,
        lambda n, d, f, N, V: training_flops(1, d, f, N, V) * n,
        "it gave",
    ),
    (
        training_flops,
        lambda n, d, f, N, V: training_flops(n, d, 4 * d, N, V),
        "it gave",
    ),
    (
        training_flops,
        lambda n, d, f, N, V: training_flops(n, d, f, 1, V),
        "You count a single layer",
    ),
    (training_flops, lambda *sizes: training_flops(*sizes) // 2, "it gave"),
]

EQUIVALENT = {
    "training_flops": {
        "logits_flops(n, d_model, vocab_size) → logits_flops(d_model, n, vocab_size)": "A product does not know its order: both are 2 n d V.",
    },
}
