"""Checks of the gradient of the decoder-only model, against autograd."""

from dataclasses import replace

import numpy as np

from transformer_math.checks.gradient.model import rejects_change
from transformer_math.checks.gradients import check_gradient, reject_careless_inputs
from transformer_math.checks.model.decoder_only import random_model, torch_logits
from transformer_math.gradient.decoder_only import decoder_only_logits_vjp

decoder_only_as_autograd, decoder_only_as_differences = check_gradient(
    decoder_only_logits_vjp,
    equation="eq-decoder-only-vjp",
    symbols={"return": "x"},
    function=torch_logits,
    draw=random_model,
    wrt=("parameters",),
    cases=16,
)
reject_careless_inputs(decoder_only_as_autograd, ("parameters",))


def last_norm_forgotten(dp):
    return replace(
        dp,
        norm=replace(
            dp.norm,
            gamma=np.zeros_like(dp.norm.gamma),
            beta=np.zeros_like(dp.norm.beta),
        ),
    )


def layers_reversed(dp):
    return replace(dp, layers=dp.layers[::-1])


def embeddings_forgotten(dp):
    return replace(dp, E=np.zeros_like(dp.E))


rejects_change(
    decoder_only_as_autograd,
    "The norm after the last layer learns too: its γ and β have gradients.",
    last_norm_forgotten,
)
rejects_change(
    decoder_only_as_autograd,
    "E has no gradient in your version; it is used twice, for the lookup and for the last projection, and gets the sum.",
    embeddings_forgotten,
)
rejects_change(
    decoder_only_as_differences,
    "The gradients of your layers come in the wrong order: the last layer's is computed first, and stands last.",
    layers_reversed,
)
