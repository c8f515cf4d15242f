"""What the tests of all ideas ask of `gradient/vit`."""

from dataclasses import replace

import numpy as np
from answer_helpers import changing, value_alone

from transformer_math.gradient import (
    encoder_layer_pre_norm_vjp,
    layer_norm_vjp,
    vit_logits_vjp,
)
from transformer_math.modalities import ViTParameters, patchify, vit_input

ACCEPTED = {vit_logits_vjp: {"X": {"longer"}}}


def layer_by_layer(X, patch_size, p, n_heads, mask=None):
    Z, back = vit_input(X, patch_size, p.E, p.x_class, p.P), []
    for layer in p.layers:
        Z, pullback = encoder_layer_pre_norm_vjp(Z, layer, n_heads, mask)
        back.append(pullback)
    Y, norm = layer_norm_vjp(Z, p.norm)

    def pull(dlogits):
        first, flat = (
            Y[..., 0, :].reshape(-1, Y.shape[-1]),
            dlogits.reshape(-1, len(p.b_out)),
        )
        dY = np.zeros(Y.shape)
        dY[..., 0, :] = dlogits @ p.W_out.T
        dZ, dnorm = norm(dY)
        layers = []
        for pullback in reversed(back):
            dZ, dlayer = pullback(dZ)
            layers.insert(0, dlayer)
        T = patchify(X, patch_size).reshape(-1, len(p.E))
        dP = dZ.reshape(-1, *p.P.shape).sum(axis=0)
        dE = T.T @ dZ[..., 1:, :].reshape(-1, p.E.shape[1])
        return (
            ViTParameters(
                dE, dP[0], dP, tuple(layers), dnorm, first.T @ flat, flat.sum(axis=0)
            ),
        )

    return Y[..., 0, :] @ p.W_out + p.b_out, pull


def in_a_list(*arguments):
    value, pullback = layer_by_layer(*arguments)
    return value, lambda d: list(pullback(d))


RIGHT = [(vit_logits_vjp, layer_by_layer), (vit_logits_vjp, in_a_list)]

WRONG = [
    (vit_logits_vjp, value_alone(vit_logits_vjp), "value, pullback"),
    (
        vit_logits_vjp,
        changing(vit_logits_vjp, lambda dp: (replace(dp, b_out=2 * dp.b_out),)),
        "b_out",
    ),
    (
        vit_logits_vjp,
        changing(vit_logits_vjp, lambda dp: (replace(dp, W_out=-dp.W_out),)),
        "W_out",
    ),
    (
        vit_logits_vjp,
        changing(vit_logits_vjp, lambda dp: (replace(dp, P=dp.P[::-1]),)),
        "P",
    ),
    (
        vit_logits_vjp,
        changing(vit_logits_vjp, lambda dp: (replace(dp, E=dp.E[::-1]),)),
        "E",
    ),
]
