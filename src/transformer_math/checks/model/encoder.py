"""Checks of the stack of encoder layers."""

from transformer_math.block.feed_forward import relu
from transformer_math.checks import torch_layers
from transformer_math.checks.block.encoder_layer import random_settings
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import batch, few, size
from transformer_math.checks.wrong import (
    reject_careless_masks,
    reject_deafness_to_activation,
)
from transformer_math.model.encoder import encoder


@check(
    encoder,
    equation="eq-encoder",
    symbols={"Z": "Z^(0)"},
    oracle="torch.nn.TransformerEncoder with the same weights",
    cases=20,
)
def encoder_equals_torch(encoder, rng):
    lead, n, n_heads, n_layers = (
        batch(rng),
        size(rng),
        size(rng),
        few(rng),
    )
    d_model = n_heads * size(rng, mostly=2)
    given, mask, name = random_settings(rng, lead, n_heads, n)
    stack = torch_layers.encoder(
        rng, n_layers, d_model, n_heads, size(rng), activation=name
    )
    Z = rng.normal(size=(*lead, n, d_model))
    layers = [torch_layers.encoder_layer_parameters(layer) for layer in stack.layers]
    wanted = stack(
        torch_layers.one_batch(Z), torch_layers.torch_mask(mask, *lead, n_heads, n, n)
    )
    return difference(encoder(Z, layers, n_heads, *given), wanted.reshape(Z.shape))


reject_careless_masks(encoder_equals_torch, "every layer")
reject_deafness_to_activation(encoder_equals_torch)


@encoder_equals_torch.rejects(
    "Only your first layer gets the mask; every layer attends, so every layer needs it."
)
def masked_once(Z, layers, n_heads, mask=None, activation=relu):
    Z = encoder(Z, layers[:1], n_heads, mask, activation)
    return encoder(Z, layers[1:], n_heads, None, activation)


@encoder_equals_torch.rejects(
    "Your layers run in the wrong order: the first one comes first."
)
def last_layer_first(Z, layers, n_heads, mask=None, activation=relu):
    return encoder(Z, layers[::-1], n_heads, mask, activation)


@encoder_equals_torch.rejects(
    "Every layer of yours has the first one's parameters; each has its own."
)
def one_layer_shared(Z, layers, n_heads, mask=None, activation=relu):
    return encoder(Z, [layers[0]] * len(layers), n_heads, mask, activation)


@encoder_equals_torch.rejects("You leave out the last layer.")
def one_layer_short(Z, layers, n_heads, mask=None, activation=relu):
    return encoder(Z, layers[:-1], n_heads, mask, activation)
