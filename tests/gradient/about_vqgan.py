"""What the tests of all ideas ask of `gradient/vqgan`."""

import numpy as np
from answer_helpers import changing, value_alone

from transformer_math.gradient import (
    convolve_vjp,
    discriminator_loss_vjp,
    energies_vjp,
    generator_loss_vjp,
    perceptual_loss_vjp,
)
from transformer_math.modalities import (
    convolve,
    discriminator_loss,
    energies,
    generator_loss,
    perceptual_loss,
)

ANY = {"longer", "no axis"}  # scores come from as many patches as there are
ACCEPTED = {
    discriminator_loss_vjp: {"S": ANY, "S_hat": ANY},
    generator_loss_vjp: {"S_hat": ANY},
}

REFUSED = [
    (
        energies_vjp,
        "do not divide",
        {"Y": np.ones((2, 3, 1)), "patch_size": 2, "eps": 0.1},
    )
]


def cell_by_cell(X, K, b):
    def pullback(dY):
        dX, dK = np.zeros(X.shape), np.zeros(K.shape)
        h, w = X.shape[-3:-1]
        for r, s, u, v in np.ndindex(h, w, 3, 3):
            y, x = r + u - 1, s + v - 1
            if 0 <= y < h and 0 <= x < w:
                dX[..., y, x, :] += dY[..., r, s, :] @ K[u, v].T
                read, told = X[..., y, x, :], dY[..., r, s, :]
                dK[u, v] += np.tensordot(read, told, [range(read.ndim - 1)] * 2)
        return dX, dK, dY.reshape(-1, len(b)).sum(axis=0)

    return convolve(X, K, b), pullback


def spread_out(Y, patch_size, eps=1e-4):
    def pullback(dE):
        *lead, H, W, k = Y.shape
        p = patch_size
        grid = (dE / energies(Y, p, eps)).reshape(*lead, H // p, W // p, k)
        wide = grid.repeat(p, axis=-3).repeat(p, axis=-2)
        return (wide * Y / p**2,)

    return energies(Y, patch_size, eps), pullback


RIGHT = [
    (convolve_vjp, cell_by_cell),
    (energies_vjp, spread_out),
    (
        perceptual_loss_vjp,
        lambda E, E_hat: (
            perceptual_loss(E, E_hat),
            lambda dL: (
                dL * (E - E_hat) / (E.size / 2),
                dL * (E_hat - E) / (E.size / 2),
            ),
        ),
    ),
    (
        discriminator_loss_vjp,
        lambda S, S_hat: (
            discriminator_loss(S, S_hat),
            lambda dL: (
                dL * (S < 1) / (-2 * S.size),
                dL * (S_hat > -1) / (2 * S_hat.size),
            ),
        ),
    ),
    (
        discriminator_loss_vjp,
        lambda S, S_hat: (
            discriminator_loss(S, S_hat),
            lambda dL: (
                -dL * np.heaviside(1 - S, 0) / 2 / S.size,
                dL * np.heaviside(1 + S_hat, 0) / 2 / S_hat.size,
            ),
        ),
    ),
    (
        generator_loss_vjp,
        lambda S_hat: (
            generator_loss(S_hat),
            lambda dL: (0 * S_hat - dL / S_hat.size,),
        ),
    ),
]

WRONG = [
    (convolve_vjp, value_alone(convolve_vjp), "value, pullback"),
    (
        convolve_vjp,
        changing(convolve_vjp, lambda dX, dK, db: (dX, dK, 2 * db)),
        "`b`",
    ),
    (
        convolve_vjp,
        changing(convolve_vjp, lambda dX, dK, db: (-dX, dK, db)),
        "`X`",
    ),
    (
        convolve_vjp,
        changing(convolve_vjp, lambda dX, dK, db: (dX, dK.swapaxes(0, 1), db)),
        "`K`",
    ),
    (energies_vjp, value_alone(energies_vjp), "value, pullback"),
    (energies_vjp, changing(energies_vjp, lambda dY: (dY**2,)), "it gave"),
    (perceptual_loss_vjp, value_alone(perceptual_loss_vjp), "value, pullback"),
    (
        perceptual_loss_vjp,
        changing(perceptual_loss_vjp, lambda dE, dE_hat: (dE_hat, dE_hat)),
        "`E`",
    ),
    (discriminator_loss_vjp, value_alone(discriminator_loss_vjp), "value, pullback"),
    (
        discriminator_loss_vjp,
        changing(discriminator_loss_vjp, lambda dS, dS_hat: (-dS, dS_hat)),
        "`S`",
    ),
    (
        discriminator_loss_vjp,
        changing(discriminator_loss_vjp, lambda dS, dS_hat: (dS, -dS_hat)),
        "`S_hat`",
    ),
    (
        discriminator_loss_vjp,
        changing(discriminator_loss_vjp, lambda dS, dS_hat: (3 * dS, dS_hat)),
        "`S`",
    ),
    (
        discriminator_loss_vjp,
        changing(discriminator_loss_vjp, lambda dS, dS_hat: (dS, dS_hat**2)),
        "`S_hat`",
    ),
    (generator_loss_vjp, value_alone(generator_loss_vjp), "value, pullback"),
    (
        generator_loss_vjp,
        changing(generator_loss_vjp, lambda dS_hat: (dS_hat**2,)),
        "it gave",
    ),
]
