"""Checks of the pullback of a vision transformer, against autograd through PyTorch's modules."""

from dataclasses import replace

import numpy as np
import torch

from transformer_math.checks.block.layer_norm import random_parameters
from transformer_math.checks.gradient.encoder_layer import (
    random_layer,
    torch_pre_norm_stack,
)
from transformer_math.checks.gradients import (
    change_pullback,
    check_gradient,
    reject_careless_inputs,
)
from transformer_math.checks.modalities.patches import convolved, random_picture
from transformer_math.checks.sampling import few, mask_for_heads, size, sometimes
from transformer_math.checks.wrong import reject_careless_masks
from transformer_math.gradient.vit import vit_logits_vjp
from transformer_math.modalities.vit import ViTParameters


def reader_case(rng):
    X, patch_size = random_picture(rng)
    *lead, H, W, C = X.shape
    n_heads, classes, n = few(rng), size(rng), H * W // patch_size**2 + 1
    d_model = n_heads * few(rng, mostly=2)
    parameters = ViTParameters(
        E=rng.normal(size=(patch_size**2 * C, d_model)),
        x_class=rng.normal(size=d_model),
        P=rng.normal(size=(n, d_model)),
        layers=tuple(random_layer(rng, d_model, few(rng)) for _ in range(few(rng))),
        norm=random_parameters(rng, d_model),
        W_out=rng.normal(size=(d_model, classes)),
        b_out=rng.normal(size=classes),
    )
    given, _ = sometimes(rng, mask_for_heads(rng, tuple(lead), n_heads, n, n), None)
    return (X, patch_size, parameters, n_heads, *given)


def torch_scores(X, patch_size, p, n_heads, mask=None):
    Z = convolved(torch.from_numpy(X), patch_size, p.E, p.x_class, p.P)
    Y = torch_pre_norm_stack(Z, p.layers, p.norm, n_heads, mask)
    return Y[..., 0, :] @ p.W_out + p.b_out


reader_as_autograd, reader_as_differences = check_gradient(
    vit_logits_vjp,
    equation="eq-vit-logits-vjp",
    symbols={"return": "logits"},
    function=torch_scores,
    draw=reader_case,
    wrt=("parameters",),
    cases=16,
)
for checked in (reader_as_autograd, reader_as_differences):
    for edge in ("tokens = 1", "n = 1"):
        checked.excuses("there is a class token and at least one patch", edge)
reject_careless_inputs(reader_as_autograd, ("parameters",))
reject_careless_masks(reader_as_autograd, "the encoder")


def rejects_change(check, message, change):
    def changed(gradients):
        return (change(gradients[0]),)

    changed.__name__ = change.__name__
    check.rejects(message)(change_pullback(check.target, changed))


def embedding_forgotten(dp):
    return replace(dp, E=np.zeros_like(dp.E))


def positions_forgotten(dp):
    return replace(dp, P=np.zeros_like(dp.P))


def class_of_all_positions(dp):
    return replace(dp, x_class=dp.P.sum(axis=0))


def layers_reversed(dp):
    return replace(dp, layers=dp.layers[::-1])


rejects_change(
    reader_as_autograd,
    "The gradient ends at the first layer in your version: it goes on to the patch embedding.",
    embedding_forgotten,
)
rejects_change(
    reader_as_autograd,
    "Your positions get no gradient: every token has its own, and they learn.",
    positions_forgotten,
)
rejects_change(
    reader_as_autograd,
    "Your class token gets the gradients of all tokens; it stands in row 0 alone.",
    class_of_all_positions,
)
rejects_change(
    reader_as_differences,
    "The gradients of your layers come in the wrong order: the last layer's is computed first, and stands last.",
    layers_reversed,
)
