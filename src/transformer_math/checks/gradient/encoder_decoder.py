"""Checks of the gradient of encoder and decoder together, against autograd through PyTorch's modules."""

from dataclasses import replace

import numpy as np

from transformer_math.checks.gradient import decoder_layer, encoder_layer
from transformer_math.checks.gradient.lookup import torch_input
from transformer_math.checks.gradient.model import rejects_change, sizes
from transformer_math.checks.gradients import check_gradient, reject_careless_inputs
from transformer_math.checks.sampling import few, mask_for_heads, size
from transformer_math.checks.wrong import changing, ignoring, inverted
from transformer_math.gradient.encoder_decoder import encoder_decoder_logits_vjp
from transformer_math.model.encoder_decoder import EncoderDecoderParameters
from transformer_math.trees import map_leaves


def model_case(rng):
    lead, n, n_heads, d_model, V = sizes(rng)
    m, V_source = size(rng), size(rng, mostly=2)
    parameters = EncoderDecoderParameters(
        rng.normal(size=(V_source, d_model)),
        rng.normal(size=(V, d_model)),
        tuple(
            encoder_layer.random_layer(rng, d_model, few(rng)) for _ in range(few(rng))
        ),
        tuple(
            decoder_layer.random_layer(rng, d_model, few(rng)) for _ in range(few(rng))
        ),
        rng.normal(size=(d_model, V)),
    )
    source_ids, target_ids = (
        rng.integers(size_of, size=(*lead, length))
        for size_of, length in ((V_source, m), (V, n))
    )
    source_mask = mask_for_heads(rng, lead, n_heads, 1, m)
    target_mask = mask_for_heads(rng, lead, n_heads, n, n)
    given = [(), (source_mask,), (None, target_mask), (source_mask, target_mask)]
    return (source_ids, target_ids, parameters, n_heads, *given[rng.integers(4)])


def torch_logits(source, target, p, n_heads, source_mask=None, target_mask=None):
    if target_mask is None:
        target_mask = np.tri(target.shape[-1], dtype=bool)
    Y = torch_input(source, p.E_source)
    memory = encoder_layer.torch_stack(Y, p.encoder, n_heads, source_mask)
    Z = torch_input(target, p.E_target)
    masks = (target_mask, source_mask)
    return decoder_layer.torch_stack(Z, memory, p.decoder, n_heads, *masks) @ p.W_out


model_as_autograd, model_as_differences = check_gradient(
    encoder_decoder_logits_vjp,
    equation="eq-encoder-decoder-vjp",
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
for name, ignored, turned in (
    (
        "source_mask",
        "You ignore the source's mask: it goes to the encoder and to the decoder's second attention.",
        "The source's mask is upside down: True means that attention is allowed.",
    ),
    (
        "target_mask",
        "You ignore the target's mask: causal is the default, another one may be given.",
        "The target's mask is upside down: True means that attention is allowed.",
    ),
):
    model_as_autograd.rejects(ignored)(ignoring(encoder_decoder_logits_vjp, name))
    model_as_autograd.rejects(turned)(
        changing(encoder_decoder_logits_vjp, name, inverted)
    )


def encoder_forgotten(dp):
    return replace(dp, encoder=map_leaves(np.zeros_like, dp.encoder))


def source_forgotten(dp):
    return replace(dp, E_source=np.zeros_like(dp.E_source))


def halves_of_the_encoder(dp):
    return replace(dp, encoder=map_leaves(lambda x: x / 2, dp.encoder))


rejects_change(
    model_as_autograd,
    "The encoder learns nothing in your version: the decoder's gradient of the memory goes on into it.",
    encoder_forgotten,
)
rejects_change(
    model_as_autograd,
    "The gradient ends at the encoder's first layer: it goes on to the embeddings of the source.",
    source_forgotten,
)
rejects_change(
    model_as_differences,
    "The memory gets the mean over the decoder's layers in your version; it gets the sum.",
    halves_of_the_encoder,
)
