"""Checks of the stack of encoder layers."""

import torch

from transformer_math.checks import torch_layers
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import size
from transformer_math.model.encoder import encoder


@check(
    encoder,
    equation="eq-encoder",
    oracle="torch.nn.TransformerEncoder with the same weights",
    cases=20,
)
def encoder_equals_torch(encoder, rng):
    n, n_heads, n_layers = size(rng), size(rng), int(rng.integers(1, 5))
    d_model = n_heads * size(rng, at_least=2)
    stack = torch.nn.TransformerEncoder(
        torch_layers.encoder_layer(rng, d_model, n_heads, size(rng)),
        n_layers,
        enable_nested_tensor=False,
    )
    stack = torch_layers.shaken(stack, rng)
    Z = rng.normal(size=(2, n, d_model))
    layers = [torch_layers.encoder_layer_parameters(layer) for layer in stack.layers]
    return difference(
        encoder(Z, layers, n_heads), torch_layers.array(stack(torch.from_numpy(Z)))
    )


@encoder_equals_torch.rejects(
    "Your layers run in the wrong order: the first one comes first."
)
def last_layer_first(Z, layers, n_heads, mask=None):
    return encoder(Z, layers[::-1], n_heads, mask)


@encoder_equals_torch.rejects(
    "Every layer of yours has the first one's parameters; each has its own."
)
def one_layer_shared(Z, layers, n_heads, mask=None):
    return encoder(Z, [layers[0]] * len(layers), n_heads, mask)


@encoder_equals_torch.rejects("You leave out the last layer.")
def one_layer_short(Z, layers, n_heads, mask=None):
    return encoder(Z, layers[:-1], n_heads, mask)
