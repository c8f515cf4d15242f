"""Checks of the stack of decoder layers."""

from transformer_math.block.feed_forward import relu
from transformer_math.checks import torch_layers
from transformer_math.checks.block.decoder_layer import random_settings, random_sizes
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import few, size
from transformer_math.checks.wrong import (
    reject_careless_masks,
    reject_deafness_to_activation,
)
from transformer_math.model.decoder import decoder


@check(
    decoder,
    equation="eq-decoder",
    symbols={"Z": "Z^(0)"},
    oracle="torch.nn.TransformerDecoder with the same weights",
    cases=20,
)
def decoder_equals_torch(decoder, rng):
    lead, n, m, n_heads, d_model = random_sizes(rng, most_heads=3)
    given, masks, name = random_settings(rng, lead, n_heads, n, m)
    stack = torch_layers.decoder(
        rng, few(rng), d_model, n_heads, size(rng), activation=name
    )
    Z, memory = (rng.normal(size=(*lead, rows, d_model)) for rows in (n, m))
    layers = [torch_layers.decoder_layer_parameters(layer) for layer in stack.layers]
    wanted = stack(*map(torch_layers.one_batch, (Z, memory)), *masks)
    got = decoder(Z, memory, layers, n_heads, *given)
    return difference(got, wanted.reshape(Z.shape))


reject_careless_masks(decoder_equals_torch, "every layer")
reject_careless_masks(decoder_equals_torch, "every layer", "memory_mask")
reject_deafness_to_activation(decoder_equals_torch)


@decoder_equals_torch.rejects(
    "Only your first layer reads the memory as it is; the memory stays the same for all layers."
)
def memory_replaced(
    Z, memory, layers, n_heads, mask=None, memory_mask=None, activation=relu
):
    Z = decoder(Z, memory, layers[:1], n_heads, mask, memory_mask, activation)
    return decoder(Z, Z, layers[1:], n_heads, mask, None, activation)


@decoder_equals_torch.rejects(
    "Only your first layer gets the masks; every layer attends, so every layer needs them."
)
def masked_once(
    Z, memory, layers, n_heads, mask=None, memory_mask=None, activation=relu
):
    Z = decoder(Z, memory, layers[:1], n_heads, mask, memory_mask, activation)
    return decoder(Z, memory, layers[1:], n_heads, None, None, activation)


@decoder_equals_torch.rejects(
    "Your layers run in the wrong order: the first one comes first."
)
def last_layer_first(
    Z, memory, layers, n_heads, mask=None, memory_mask=None, activation=relu
):
    return decoder(Z, memory, layers[::-1], n_heads, mask, memory_mask, activation)


@decoder_equals_torch.rejects(
    "Every layer of yours has the first one's parameters; each has its own."
)
def one_layer_shared(
    Z, memory, layers, n_heads, mask=None, memory_mask=None, activation=relu
):
    layers = [layers[0]] * len(layers)
    return decoder(Z, memory, layers, n_heads, mask, memory_mask, activation)


@decoder_equals_torch.rejects("You leave out the last layer.")
def one_layer_short(
    Z, memory, layers, n_heads, mask=None, memory_mask=None, activation=relu
):
    return decoder(Z, memory, layers[:-1], n_heads, mask, memory_mask, activation)


@decoder_equals_torch.rejects(
    "You return after the first layer: is the `return` inside the loop?"
)
def first_layer_alone(
    Z, memory, layers, n_heads, mask=None, memory_mask=None, activation=relu
):
    return decoder(Z, memory, layers[:1], n_heads, mask, memory_mask, activation)


@decoder_equals_torch.rejects(
    "Your layers all read the same tokens, and their results are added; each reads what the one before it wrote."
)
def side_by_side(
    Z, memory, layers, n_heads, mask=None, memory_mask=None, activation=relu
):
    return sum(
        decoder(Z, memory, [one], n_heads, mask, memory_mask, activation)
        for one in layers
    )
