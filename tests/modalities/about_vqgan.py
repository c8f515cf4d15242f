"""What the tests of all ideas ask of `modalities/vqgan`; `tests/abouts.py` explains the names."""

import numpy as np
from scipy.ndimage import correlate

from transformer_math.modalities import (
    adaptive_weight,
    convolve,
    discriminator_loss,
    energies,
    generator_loss,
    perceptual_loss,
)

ANY = {"longer", "no axis"}  # scores come from as many patches as there are
ACCEPTED = {
    energies: {"Y": {"longer"}},  # another picture, which squares divide
    discriminator_loss: {"S": ANY, "S_hat": ANY},
    generator_loss: {"S_hat": ANY},
    adaptive_weight: {"delta": {"1.5"}},
}

NO_TWIN = {
    adaptive_weight: "it is a weight and held fixed: no gradient passes through it",
}


def by_correlation(X, K, b):
    """SciPy's correlation, channel by channel."""
    flat = X.reshape(-1, *X.shape[-3:])
    found = [
        [
            sum(
                correlate(grid[..., k], K[:, :, k, j], mode="constant")
                for k in range(K.shape[2])
            )
            + b[j]
            for j in range(K.shape[3])
        ]
        for grid in flat
    ]
    Y = np.moveaxis(np.array(found), 1, -1)
    return Y.reshape(*X.shape[:-1], K.shape[3])


def square_by_square(Y, patch_size, eps=1e-4):
    H, W = Y.shape[-3:-1]
    p = patch_size
    found = [
        np.sqrt(eps + np.mean(Y[..., y : y + p, x : x + p, :] ** 2, axis=(-3, -2)))
        for y in range(0, H, p)
        for x in range(0, W, p)
    ]
    return np.stack(found, axis=-2)


def hinge(S, S_hat):
    sides = ((S < 1) * (1 - S)).mean(), ((S_hat > -1) * (1 + S_hat)).mean()
    return sum(sides) / 2


def by_roots(g_rec, g_gan, delta=1e-6):
    return (g_rec**2).sum() ** 0.5 / ((g_gan**2).sum() ** 0.5 + delta)


RIGHT = [
    (convolve, by_correlation),
    (convolve, lambda X, K, b: by_correlation(X, K, b).tolist()),
    (energies, square_by_square),
    (energies, lambda Y, p, eps=1e-4: square_by_square(Y, p, eps).tolist()),
    (perceptual_loss, lambda E, E_hat: np.var(E - E_hat) + np.mean(E - E_hat) ** 2),
    (perceptual_loss, lambda E, E_hat: ((E_hat - E) ** 2).sum() / E.size),
    (discriminator_loss, hinge),
    (discriminator_loss, lambda S, S_hat: float(hinge(S, S_hat))),
    (generator_loss, lambda S_hat: np.mean(-S_hat)),
    (generator_loss, lambda S_hat: -S_hat.sum() / S_hat.size),
    (adaptive_weight, by_roots),
    (adaptive_weight, lambda a, g, delta=1e-6: float(by_roots(a, g, delta))),
]

WRONG = [
    (convolve, lambda X, K, b: by_correlation(X, K, b) - 2 * b, "it gave"),
    (convolve, lambda X, K, b: by_correlation(X, K, b)[..., ::-1, :, :], "it gave"),
    (convolve, lambda X, K, b: by_correlation(X, K, b).clip(0), "it gave"),
    (convolve, lambda X, K, b: by_correlation(X, K / 9, b), "it gave"),
    (convolve, lambda X, K, b: by_correlation(X, K, 0 * b), "bias"),
    (energies, lambda Y, p, eps=1e-4: square_by_square(Y, p, 0.0), "it gave"),
    (energies, lambda Y, p, eps=1e-4: square_by_square(Y, p, eps) ** 2, "root"),
    (energies, lambda Y, p, eps=1e-4: square_by_square(Y, 1, eps), "it gave"),
    (
        energies,
        lambda Y, p, eps=1e-4: square_by_square(Y, p, eps)[..., ::-1, :],
        "it gave",
    ),
    (energies, lambda Y, p, eps=1e-4: p * square_by_square(Y, p, eps / p**2), "p²"),
    (perceptual_loss, lambda E, E_hat: np.sqrt(np.square(E - E_hat).mean()), "it gave"),
    (perceptual_loss, lambda E, E_hat: np.square(E - E_hat).mean() / 2, "it gave"),
    (perceptual_loss, lambda E, E_hat: np.square(E + E_hat).mean(), "it gave"),
    (perceptual_loss, lambda E, E_hat: np.abs(E - E_hat).mean(), "absolute"),
    (perceptual_loss, lambda E, E_hat: np.square(E - E_hat).sum(), "mean"),
    (discriminator_loss, lambda S, S_hat: hinge(S_hat, S), "exchanged"),
    (discriminator_loss, lambda S, S_hat: 2 * hinge(S, S_hat), "half"),
    (discriminator_loss, lambda S, S_hat: hinge(S, -S_hat), "it gave"),
    (discriminator_loss, lambda S, S_hat: -hinge(S, S_hat), "it gave"),
    (discriminator_loss, lambda S, S_hat: hinge(np.tanh(S), np.tanh(S_hat)), "it gave"),
    (generator_loss, lambda S_hat: S_hat.mean(), "sign"),
    (generator_loss, lambda S_hat: -S_hat.sum(), "mean"),
    (generator_loss, lambda S_hat: -np.median(S_hat), "it gave"),
    (generator_loss, lambda S_hat: np.logaddexp(0, -S_hat).mean(), "it gave"),
    (generator_loss, lambda S_hat: np.maximum(0, 1 - S_hat).mean(), "it gave"),
    (adaptive_weight, lambda a, g, delta=1e-6: by_roots(g, a, delta), "upside down"),
    (adaptive_weight, lambda a, g, delta=1e-6: by_roots(a, g, 0.5), "it gave"),
    (adaptive_weight, lambda a, g, delta=1e-6: by_roots(a, g, -delta), "it gave"),
    (adaptive_weight, lambda a, g, delta=1e-6: by_roots(a, g, delta) ** 2, "it gave"),
    (adaptive_weight, lambda a, g, delta=1e-6: by_roots(a, a, delta), "it gave"),
]

EQUIVALENT_FORMULAS = {
    "eq-adaptive-weight": {
        "G^{\\text{rec}}_{ji}": "the sum goes over all entries, in whatever order",
        "G^{\\text{gan}}_{ji}": "the sum goes over all entries, in whatever order",
    },
    "eq-discriminator-loss-vjp": {
        "S_i \\le 1": "at its corner the hinge has either slope, and no random score lies there",
    },
    "eq-generator-loss-vjp": {
        "S'_j &=": "every entry is the same, whatever its index is called",
    },
}
