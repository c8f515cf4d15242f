"""What the tests of all ideas ask of `gradient/vq_vae`."""

from dataclasses import replace

import numpy as np
from answer_helpers import changing, value_alone

from transformer_math.gradient import vq_vae_loss_vjp
from transformer_math.modalities import encode, nearest_codes, vq_vae_loss
from transformer_math.modalities.vq_vae import VqVae

ACCEPTED = {vq_vae_loss_vjp: {"beta": {"0", "1.5"}}}

REFUSED = [
    (
        vq_vae_loss_vjp,
        "do not divide",
        {
            "X": np.ones((2, 3)),
            "parameters": VqVae(
                *(np.ones((3, 5)), np.ones(5), np.ones((4, 2))),
                *(np.ones((5, 3)), np.ones(3)),
            ),
        },
    ),
]


def by_sums(X, p, beta=0.25):
    def pullback(dL):
        n, Z = len(X), encode(X, p)
        ids = nearest_codes(Z, p.C)
        Y, Q = Z.reshape(n, -1), p.C[ids].reshape(n, -1)
        dF = 2 * dL / n * (Q @ p.W_d + p.b_d - X)
        dY = dF @ p.W_d.T + 2 * beta * dL / ids.size * (Y - Q)
        dC = [
            2 * dL / ids.size * (c - Z[ids == j]).sum(axis=0) for j, c in enumerate(p.C)
        ]
        dW_e = np.einsum("nv,ny->vy", X, dY)
        return (
            VqVae(
                dW_e, dY.sum(0), np.array(dC), np.einsum("ny,nv->yv", Q, dF), dF.sum(0)
            ),
        )

    return vq_vae_loss(X, p, beta), pullback


def frame_by_frame(X, p, beta=0.25):
    def pullback(dL):
        parts = [by_sums(x[None], p, beta)[1](dL / len(X))[0] for x in X]
        return (VqVae(*(sum(vars(part)[name] for part in parts) for name in vars(p))),)

    return vq_vae_loss(X, p, beta), pullback


RIGHT = [(vq_vae_loss_vjp, by_sums), (vq_vae_loss_vjp, frame_by_frame)]


def changed(name, change):
    return changing(
        vq_vae_loss_vjp, lambda g: (replace(g, **{name: change(vars(g)[name])}),)
    )


WRONG = [
    (vq_vae_loss_vjp, value_alone(vq_vae_loss_vjp), "value, pullback"),
    (vq_vae_loss_vjp, changed("W_e", lambda x: -x), "W_e"),
    (vq_vae_loss_vjp, changed("b_d", lambda x: x / 3), "b_d"),
    (vq_vae_loss_vjp, changed("C", lambda x: x + 1), "C"),
    (vq_vae_loss_vjp, changed("W_d", lambda x: 2 * x), "W_d"),
]
