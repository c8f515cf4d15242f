"""Checks of the gradient of the whole model, against autograd through PyTorch's modules."""

from dataclasses import replace

import numpy as np

from transformer_math.checks.gradient.encoder_layer import random_layer, torch_stack
from transformer_math.checks.gradient.lookup import torch_input
from transformer_math.checks.gradients import (
    change_pullback,
    check_gradient,
    reject_careless_inputs,
)
from transformer_math.checks.sampling import (
    few,
    mask_for_heads,
    size,
    small_batch,
    sometimes,
)
from transformer_math.checks.wrong import reject_careless_masks
from transformer_math.gradient.model import transformer_logits_vjp
from transformer_math.model.transformer import TransformerParameters


def sizes(rng):
    """Leading axes, tokens, heads, width, vocabulary."""
    n_heads, half = few(rng), few(rng)
    V = size(rng, mostly=2)
    return small_batch(rng), size(rng), n_heads, 2 * n_heads * half, V


def model_case(rng):
    lead, n, n_heads, d_model, V = sizes(rng)
    parameters = TransformerParameters(
        E=rng.normal(size=(V, d_model)),
        layers=tuple(random_layer(rng, d_model, few(rng)) for _ in range(few(rng))),
        W_out=rng.normal(size=(d_model, V)),
    )
    ids = rng.integers(V, size=(*lead, n))
    given, _ = sometimes(rng, mask_for_heads(rng, lead, n_heads, n, n), None)
    return (ids, parameters, n_heads, *given)


def torch_logits(ids, p, n_heads, mask=None):
    return torch_stack(torch_input(ids, p.E), p.layers, n_heads, mask) @ p.W_out


model_as_autograd, model_as_differences = check_gradient(
    transformer_logits_vjp,
    equation="eq-transformer-vjp",
    symbols={"return": "logits"},
    function=torch_logits,
    draw=model_case,
    wrt=("parameters",),
    cases=16,
)
model_as_autograd.excuses(
    "its position has a sine and a cosine, so dimensions come in pairs",
    "d_model = 1",
)
reject_careless_inputs(model_as_autograd, ("parameters",))
reject_careless_masks(model_as_autograd, "the encoder")


def rejects_change(check, message, change):
    def changed(gradients):
        return (change(gradients[0]),)

    changed.__name__ = change.__name__
    check.rejects(message)(change_pullback(check.target, changed))


def embeddings_forgotten(dp):
    return replace(dp, E=np.zeros_like(dp.E))


def embeddings_unscaled(dp):
    return replace(dp, E=dp.E / np.sqrt(dp.E.shape[1]))


def layers_reversed(dp):
    return replace(dp, layers=dp.layers[::-1])


rejects_change(
    model_as_autograd,
    "The gradient ends at the first layer in your version: it goes on to the embeddings.",
    embeddings_forgotten,
)
rejects_change(
    model_as_autograd,
    "The factor √d_model of the embeddings is lost on the way back.",
    embeddings_unscaled,
)
rejects_change(
    model_as_differences,
    "The gradients of your layers come in the wrong order: the last layer's is computed first, and stands last.",
    layers_reversed,
)
