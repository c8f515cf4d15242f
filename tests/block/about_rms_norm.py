"""What the tests of all ideas ask of `block/rms_norm`."""

import numpy as np

from transformer_math.block import rms_norm


def by_the_largest(x, gamma, eps=1e-5):
    s = np.abs(x).max(-1, keepdims=True)
    return gamma * (x / s) / np.sqrt(np.mean((x / s) ** 2, -1)[..., None] + eps / s / s)


def by_hypotenuses(x, gamma, eps=1e-5):
    d = x.shape[-1]
    length = np.hypot.reduce(x, axis=-1, keepdims=True)
    return gamma * x / np.hypot(length / d**0.5, eps**0.5)


RIGHT = [(rms_norm, by_the_largest), (rms_norm, by_hypotenuses)]

WRONG = [
    (
        rms_norm,
        lambda x, gamma, eps=1e-5: (
            gamma * x / np.sqrt(np.mean(np.square(x), -1)[..., None] + eps)
        ),
        "Your squares overflow for numbers such as 1e200",
    ),
    (
        rms_norm,
        lambda x, gamma, eps=1e-5: (
            x * ((x * x).sum(-1, keepdims=True) / x.shape[-1] + eps) ** -0.5
        ),
        "You forget γ",
    ),
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
