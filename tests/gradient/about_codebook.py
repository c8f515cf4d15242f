"""What the tests of all ideas ask of `gradient/codebook`."""

import numpy as np
from answer_helpers import changing, value_alone

from transformer_math.gradient import (
    codebook_loss_vjp,
    commitment_loss_vjp,
    quantise_vjp,
    stop_gradient_vjp,
)
from transformer_math.modalities import (
    codebook_loss,
    commitment_loss,
    nearest_codes,
    quantise,
)

ACCEPTED = {stop_gradient_vjp: {"x": {"longer", "no axis"}}}


def code_by_code(Z, C):
    def pullback(dL):
        ids, rows = nearest_codes(Z, C).ravel(), Z.reshape(-1, Z.shape[-1])
        moved = [2 * dL * (c - rows[ids == j]).sum(axis=0) for j, c in enumerate(C)]
        return 0 * Z, np.array(moved) / len(rows)

    return codebook_loss(Z, C), pullback


def by_one_hot(Z, C):
    def pullback(dL):
        rows = Z.reshape(-1, Z.shape[-1])
        chosen = np.eye(len(C))[nearest_codes(rows, C)]
        dC = 2 / len(rows) * dL * chosen.T @ (quantise(rows, C) - rows)
        return np.zeros(Z.shape), dC

    return codebook_loss(Z, C), pullback


def vector_by_vector(Z, C):
    def pullback(dL):
        dZ, count = np.empty_like(Z), np.prod(Z.shape[:-1])
        for place in np.ndindex(Z.shape[:-1]):
            dZ[place] = 2 * dL / count * (Z[place] - quantise(Z, C)[place])
        return dZ, 0 * C

    return commitment_loss(Z, C), pullback


def in_one_line(Z, C):
    factor = 2 / (Z.size / Z.shape[-1])
    return commitment_loss(Z, C), lambda dL: (
        -dL * factor * (quantise(Z, C) - Z),
        np.zeros(C.shape),
    )


RIGHT = [
    (stop_gradient_vjp, lambda x: (x, lambda dy: (0 * x,))),
    (stop_gradient_vjp, lambda x: (1 * x, lambda dy: (np.zeros(dy.shape),))),
    (
        quantise_vjp,
        lambda Z, C: (C[nearest_codes(Z, C)], lambda dQ: (1 * dQ, 0 * C)),
    ),
    (
        quantise_vjp,
        lambda Z, C: (Z + (quantise(Z, C) - Z), lambda dQ: (dQ, np.zeros(C.shape))),
    ),
    (codebook_loss_vjp, code_by_code),
    (codebook_loss_vjp, by_one_hot),
    (commitment_loss_vjp, vector_by_vector),
    (commitment_loss_vjp, in_one_line),
]

WRONG = [
    (stop_gradient_vjp, value_alone(stop_gradient_vjp), "value, pullback"),
    (
        stop_gradient_vjp,
        changing(stop_gradient_vjp, lambda dx: (dx + 1,)),
        "`x`",
    ),
    (stop_gradient_vjp, lambda x: (0 * x, lambda dy: (0 * dy,)), "value"),
    (quantise_vjp, value_alone(quantise_vjp), "value, pullback"),
    (quantise_vjp, changing(quantise_vjp, lambda dZ, dC: (dZ / 2, dC)), "`Z`"),
    (quantise_vjp, changing(quantise_vjp, lambda dZ, dC: (dZ, dC + 1)), "`C`"),
    (quantise_vjp, changing(quantise_vjp, lambda dZ, dC: (dZ[..., ::-1], dC)), "`Z`"),
    (quantise_vjp, lambda Z, C: (Z, quantise_vjp(Z, C)[1]), "value"),
    (codebook_loss_vjp, value_alone(codebook_loss_vjp), "value, pullback"),
    (
        codebook_loss_vjp,
        changing(codebook_loss_vjp, lambda dZ, dC: (dZ, dC / 3)),
        "`C`",
    ),
    (
        codebook_loss_vjp,
        changing(codebook_loss_vjp, lambda dZ, dC: (dZ + 1, dC)),
        "`Z`",
    ),
    (
        codebook_loss_vjp,
        changing(codebook_loss_vjp, lambda dZ, dC: (dZ, dC[::-1])),
        "`C`",
    ),
    (
        codebook_loss_vjp,
        lambda Z, C: (2 * codebook_loss(Z, C), codebook_loss_vjp(Z, C)[1]),
        "value",
    ),
    (commitment_loss_vjp, value_alone(commitment_loss_vjp), "value, pullback"),
    (
        commitment_loss_vjp,
        changing(commitment_loss_vjp, lambda dZ, dC: (dZ / 4, dC)),
        "`Z`",
    ),
    (
        commitment_loss_vjp,
        changing(commitment_loss_vjp, lambda dZ, dC: (dZ, dC - 1)),
        "`C`",
    ),
    (
        commitment_loss_vjp,
        changing(commitment_loss_vjp, lambda dZ, dC: (np.abs(dZ), dC)),
        "`Z`",
    ),
    (
        commitment_loss_vjp,
        lambda Z, C: (0.25 * commitment_loss(Z, C), commitment_loss_vjp(Z, C)[1]),
        "value",
    ),
]
