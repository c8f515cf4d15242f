"""Checks of the pullbacks of decoder layers and of their stack."""

from transformer_math.block.decoder_layer import DecoderLayerParameters
from transformer_math.checks import torch_gradients
from transformer_math.checks.block.layer_norm import random_parameters
from transformer_math.checks.gradient.encoder_layer import (
    random_activation,
    random_stack,
    tokens_of_heads,
)
from transformer_math.checks.gradient.feed_forward import random_network
from transformer_math.checks.gradient.layer_norm import torch_norm
from transformer_math.checks.gradient.multi_head import random_attention
from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.sampling import few, mask_for_heads
from transformer_math.checks.wrong import (
    changing,
    ignoring,
    inverted,
    reject_careless_masks,
    reject_deafness_to_activation,
)
from transformer_math.gradient.decoder_layer import (
    decoder_layer_pre_norm_vjp,
    decoder_layer_vjp,
    decoder_pre_norm_vjp,
    decoder_vjp,
)


def random_layer(rng, d_model, d_ff):
    return DecoderLayerParameters(
        *(random_attention(rng, d_model, d_model, d_model) for _ in range(2)),
        random_network(rng, d_model, d_ff),
        *(random_parameters(rng, d_model) for _ in range(3)),
    )


def tokens_and_memory(rng):
    Z, n_heads, given = tokens_of_heads(rng)
    *lead, n, d_model = Z.shape
    m = few(rng)
    memory = rng.normal(size=(*lead, m, d_model))
    if rng.random() < 0.25:
        return Z, memory, n_heads, ()
    if rng.random() < 0.6:
        memory_mask = mask_for_heads(rng, tuple(lead), n_heads, n, m)
        given = (*(given or (None,)), memory_mask)
    given = random_activation(rng, given, others=2)
    return Z, memory, n_heads, given


def layer_case(rng):
    Z, memory, n_heads, given = tokens_and_memory(rng)
    return (Z, memory, random_layer(rng, Z.shape[-1], few(rng)), n_heads, *given)


def stack_case(rng):
    Z, memory, n_heads, given = tokens_and_memory(rng)
    layers = random_stack(rng, lambda: random_layer(rng, Z.shape[-1], few(rng)))
    return (Z, memory, layers, n_heads, *given)


def pre_norm_stack_case(rng):
    Z, memory, layers, n_heads, *given = stack_case(rng)
    return (Z, memory, layers, random_parameters(rng, Z.shape[-1]), n_heads, *given)


def torch_stack(Z, memory, layers, *rest):
    for parameters in layers:
        Z = torch_gradients.decoder_layer(Z, memory, parameters, *rest)
    return Z


def torch_pre_norm(Z, memory, p, n_heads, mask=None, memory_mask=None, *activation):
    return torch_gradients.decoder_layer(
        Z, memory, p, n_heads, mask, memory_mask, *activation, norm_first=True
    )


def torch_pre_norm_stack(Z, memory, layers, norm, *rest):
    for parameters in layers:
        Z = torch_pre_norm(Z, memory, parameters, *rest)
    return torch_norm(Z, norm)


layer_as_autograd, layer_as_differences = check_gradient(
    decoder_layer_vjp,
    equation="eq-decoder-layer-vjp",
    symbols={"return": "Z_out"},
    function=torch_gradients.decoder_layer,
    draw=layer_case,
    wrt=("Z", "memory", "parameters"),
    cases=12,
)
pre_norm_as_autograd, pre_norm_as_differences = check_gradient(
    decoder_layer_pre_norm_vjp,
    equation="eq-decoder-layer-pre-norm-vjp",
    symbols={"return": "Z_out"},
    function=torch_pre_norm,
    draw=layer_case,
    wrt=("Z", "memory", "parameters"),
    cases=12,
)
stack_as_autograd, stack_as_differences = check_gradient(
    decoder_vjp,
    equation="eq-decoder-vjp",
    symbols={"Z": "Z^(0)", "return": "Z^(N)"},
    function=torch_stack,
    draw=stack_case,
    wrt=("Z", "memory", "layers"),
    cases=16,
)
pre_norm_stack_as_autograd, pre_norm_stack_as_differences = check_gradient(
    decoder_pre_norm_vjp,
    equation="eq-decoder-pre-norm-vjp",
    symbols={"Z": "Z^(0)", "layers": "PreNormDecoderLayer", "return": "Z_out"},
    function=torch_pre_norm_stack,
    draw=pre_norm_stack_case,
    wrt=("Z", "memory", "layers", "norm"),
    cases=16,
)
for made, names in (
    (layer_as_autograd, ("Z", "memory", "parameters")),
    (pre_norm_as_autograd, ("Z", "memory", "parameters")),
    (stack_as_autograd, ("Z", "memory", "layers")),
    (pre_norm_stack_as_autograd, ("Z", "memory", "layers", "norm")),
):
    reject_careless_inputs(made, names)
    reject_careless_masks(made, "the attention of the tokens to themselves")
    reject_deafness_to_activation(made, "activation_vjp")
    made.rejects("You ignore the memory's mask: pass it on to the second attention.")(
        ignoring(made.target, "memory_mask")
    )
    made.rejects(
        "The memory's mask is upside down: True means that attention is allowed."
    )(changing(made.target, "memory_mask", inverted))


@rejects_pullback(
    stack_as_autograd,
    "The memory hears of the last layer alone: all layers read it, so it gets the sum of what they say.",
)
def memory_of_the_last_layer(gradient, Z, memory, layers, *rest):
    if len(layers) == 1:
        return decoder_vjp(Z, memory, layers, *rest)[1](gradient)
    before, below = decoder_vjp(Z, memory, layers[:-1], *rest)
    _, last = decoder_layer_vjp(before, memory, layers[-1], *rest)
    dZ, dmemory, dlayer = last(gradient)
    dZ, _, dlayers = below(dZ)
    return dZ, dmemory, type(layers)((*dlayers, dlayer))


@rejects_pullback(
    stack_as_differences,
    "The gradients of your layers come in the wrong order: the last layer's is computed first, and stands last.",
)
def layers_reversed(gradient, Z, memory, layers, *rest):
    dZ, dmemory, dlayers = decoder_vjp(Z, memory, layers, *rest)[1](gradient)
    return dZ, dmemory, dlayers[::-1]


@rejects_pullback(
    pre_norm_stack_as_autograd,
    "The memory hears of the mean over the layers in your version: all layers read it, so it gets the sum.",
)
def memory_of_the_mean_layer(gradient, Z, memory, layers, *rest):
    dZ, dmemory, *others = decoder_pre_norm_vjp(Z, memory, layers, *rest)[1](gradient)
    return dZ, dmemory / len(layers), *others


@rejects_pullback(
    pre_norm_stack_as_differences,
    "The gradients of your layers come in the wrong order: the last layer's is computed first, and stands last.",
)
def pre_norm_layers_reversed(gradient, *arguments):
    dZ, dmemory, dlayers, dnorm = decoder_pre_norm_vjp(*arguments)[1](gradient)
    return dZ, dmemory, dlayers[::-1], dnorm
