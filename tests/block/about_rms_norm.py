"""What the tests of all ideas ask of `block/rms_norm`."""

import numpy as np

from transformer_math.block import rms_norm

RIGHT = [
    (
        rms_norm,
        lambda x, gamma, eps=1e-5: (
            gamma * x / np.sqrt(np.mean(np.square(x), -1)[..., None] + eps)
        ),
    ),
    (
        rms_norm,
        lambda x, gamma, eps=1e-5: (
            x * ((x * x).sum(-1, keepdims=True) / x.shape[-1] + eps) ** -0.5 * gamma
        ),
    ),
]

WRONG = [
    (
        rms_norm,
        lambda x, gamma, eps=1e-5: gamma * x / np.linalg.norm(x, axis=-1)[..., None],
        "You divide by the length",
    ),
    (
        rms_norm,
        lambda x, gamma, eps=1e-5: gamma * x / x.std(axis=-1, keepdims=True),
        "it gave",
    ),
    (
        rms_norm,
        lambda x, gamma: gamma * x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-5),
        "Your function takes 2 of 3 arguments",
    ),
    (
        rms_norm,
        lambda x, gamma, eps=1e-5: gamma * x / np.sqrt((x**2).mean() + eps),
        "it gave",
    ),
    (
        rms_norm,
        lambda x, gamma, eps=1e-6: rms_norm(x, gamma, eps),
        "Your function is right where `eps` is given",
    ),
]

EQUIVALENT = {
    "rms_norm": {
        "1e-05 → 2e-05": "The default is read once, when the function is made, and cannot be exchanged while it runs; written into the source, it is refused by the first case of the check.",
    },
}
