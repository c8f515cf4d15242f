"""Checks of the pullbacks of encoder layers and of their stack."""

from transformer_math.block.encoder_layer import EncoderLayerParameters
from transformer_math.checks import torch_gradients
from transformer_math.checks.block.layer_norm import random_parameters
from transformer_math.checks.gradient.feed_forward import ACTIVATIONS, random_network
from transformer_math.checks.gradient.layer_norm import torch_norm
from transformer_math.checks.gradient.multi_head import random_attention
from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.sampling import few, mask_for_heads, small_batch, sometimes
from transformer_math.checks.wrong import (
    reject_careless_masks,
    reject_deafness_to_activation,
)
from transformer_math.gradient._stack import through_layers
from transformer_math.gradient.encoder_layer import (
    encoder_layer_pre_norm_vjp,
    encoder_layer_vjp,
    encoder_pre_norm_vjp,
    encoder_vjp,
)
from transformer_math.gradient.feed_forward import feed_forward_vjp, relu_vjp
from transformer_math.gradient.layer_norm import add_norm_vjp, layer_norm_vjp
from transformer_math.gradient.multi_head import self_attention_vjp


def random_layer(rng, d_model, d_ff):
    return EncoderLayerParameters(
        random_attention(rng, d_model, d_model, d_model),
        random_network(rng, d_model, d_ff),
        *(random_parameters(rng, d_model) for _ in range(2)),
    )


def tokens_of_heads(rng):
    """Tokens, the number of heads, and a mask or none."""
    lead, n, n_heads = small_batch(rng), few(rng), few(rng)
    Z = rng.normal(size=(*lead, n, n_heads * few(rng, mostly=2)))
    given, _ = sometimes(rng, mask_for_heads(rng, lead, n_heads, n, n), None)
    return Z, n_heads, given


def random_activation(rng, given, others=1):
    """With a mask or without: an activation in half of the cases."""
    if rng.random() < 0.5:
        return given
    masks = (*given, *[None] * others)[:others]
    return (*masks, list(ACTIVATIONS)[rng.integers(len(ACTIVATIONS))])


def layer_case(rng):
    Z, n_heads, given = tokens_of_heads(rng)
    parameters = random_layer(rng, Z.shape[-1], few(rng))
    return (Z, parameters, n_heads, *random_activation(rng, given))


def random_stack(rng, layer):
    """One to three layers, in a tuple or in a list."""
    return (tuple, list)[rng.integers(2)](layer() for _ in range(few(rng)))


def stack_case(rng):
    Z, n_heads, given = tokens_of_heads(rng)
    layers = random_stack(rng, lambda: random_layer(rng, Z.shape[-1], few(rng)))
    return (Z, layers, n_heads, *random_activation(rng, given))


def stack_case_or_none(rng):
    """A stack of layers; now and then one of none, which hands on what it is given."""
    Z, layers, *rest = stack_case(rng)
    return (Z, layers if rng.random() < 0.8 else layers[:0], *rest)


def pre_norm_stack_case(rng):
    Z, layers, n_heads, *given = stack_case(rng)
    return (Z, layers, random_parameters(rng, Z.shape[-1]), n_heads, *given)


def torch_stack(Z, layers, *rest):
    for parameters in layers:
        Z = torch_gradients.encoder_layer(Z, parameters, *rest)
    return Z


def torch_pre_norm_stack(Z, layers, norm, n_heads, mask=None, *activation):
    for p in layers:
        Z = torch_pre_norm(Z, p, n_heads, mask, *activation)
    return torch_norm(Z, norm)


def torch_pre_norm(Z, p, n_heads, mask=None, *activation):
    return torch_gradients.encoder_layer(
        Z, p, n_heads, mask, *activation, norm_first=True
    )


layer_as_autograd, layer_as_differences = check_gradient(
    encoder_layer_vjp,
    equation="eq-encoder-layer-vjp",
    symbols={"return": "Z_out"},
    function=torch_gradients.encoder_layer,
    draw=layer_case,
    wrt=("Z", "parameters"),
    cases=12,
)
pre_norm_as_autograd, pre_norm_as_differences = check_gradient(
    encoder_layer_pre_norm_vjp,
    equation="eq-encoder-layer-pre-norm-vjp",
    symbols={"return": "Z_out"},
    function=torch_pre_norm,
    draw=layer_case,
    wrt=("Z", "parameters"),
    cases=12,
)
stack_as_autograd, stack_as_differences = check_gradient(
    encoder_vjp,
    equation="eq-encoder-vjp",
    symbols={"Z": "Z^(0)", "return": "Z^(N)"},
    function=torch_stack,
    draw=stack_case_or_none,
    wrt=("Z", "layers"),
    cases=16,
)
pre_norm_stack_as_autograd, pre_norm_stack_as_differences = check_gradient(
    encoder_pre_norm_vjp,
    equation="eq-encoder-pre-norm-vjp",
    symbols={"Z": "Z^(0)", "layers": "PreNormEncoderLayer", "return": "Z_out"},
    function=torch_pre_norm_stack,
    draw=pre_norm_stack_case,
    wrt=("Z", "layers", "norm"),
    cases=16,
)
for made, names in (
    (layer_as_autograd, ("Z", "parameters")),
    (pre_norm_as_autograd, ("Z", "parameters")),
    (stack_as_autograd, ("Z", "layers")),
    (pre_norm_stack_as_autograd, ("Z", "layers", "norm")),
):
    reject_careless_masks(made)
    reject_deafness_to_activation(made, "activation_vjp")
    reject_careless_inputs(made, names)


def post_norm(gradient, Z, p, n_heads, mask, activation_vjp, own=(1, 1), parts=(1, 1)):
    """A post-norm layer pulled back, with the residuals' own paths, or those through the sublayers, switched off."""
    O, attention = self_attention_vjp(Z, p.attention, n_heads, mask)
    Z_1, norm_1 = add_norm_vjp(Z, O, p.norm_1)
    F, feed_forward = feed_forward_vjp(Z_1, p.feed_forward, activation_vjp)
    _, norm_2 = add_norm_vjp(Z_1, F, p.norm_2)
    dZ_1, dF, dnorm_2 = norm_2(gradient)
    through, dfeed_forward = feed_forward(dF)
    dZ, dO, dnorm_1 = norm_1(own[1] * dZ_1 + parts[1] * through)
    through, dattention = attention(dO)
    return own[0] * dZ + parts[0] * through, EncoderLayerParameters(
        dattention, dfeed_forward, dnorm_1, dnorm_2
    )


@rejects_pullback(
    layer_as_autograd,
    "The first residual's own path is lost: Z went into the attention and around it.",
)
def first_path_lost(*arguments):
    return post_norm(*arguments, own=(0, 1))


@rejects_pullback(
    layer_as_autograd,
    "The second residual's own path is lost: Z' went into the network and around it.",
)
def second_path_lost(*arguments):
    return post_norm(*arguments, own=(1, 0))


@rejects_pullback(
    layer_as_differences,
    "The gradient goes around the attention, and not through it.",
)
def attention_passed_by(*arguments):
    return post_norm(*arguments, parts=(0, 1))


@rejects_pullback(
    layer_as_differences,
    "The gradient goes around the feed-forward network, and not through it.",
)
def network_passed_by(*arguments):
    return post_norm(*arguments, parts=(1, 0))


def pre_norm(gradient, Z, p, n_heads, mask, activation_vjp, own=(1, 1), normed=True):
    """A pre-norm layer pulled back, with the residuals' own paths or the normalisations switched off."""
    X_1, norm_1 = layer_norm_vjp(Z, p.norm_1)
    O, attention = self_attention_vjp(X_1, p.attention, n_heads, mask)
    X_2, norm_2 = layer_norm_vjp(Z + O, p.norm_2)
    _, feed_forward = feed_forward_vjp(X_2, p.feed_forward, activation_vjp)
    dX_2, dfeed_forward = feed_forward(gradient)
    dthrough, dnorm_2 = norm_2(dX_2)
    dZ_1 = own[1] * gradient + (dthrough if normed else dX_2)
    dX_1, dattention = attention(dZ_1)
    dthrough, dnorm_1 = norm_1(dX_1)
    return own[0] * dZ_1 + (dthrough if normed else dX_1), EncoderLayerParameters(
        dattention, dfeed_forward, dnorm_1, dnorm_2
    )


@rejects_pullback(
    pre_norm_as_autograd,
    "The residual's own path around the attention is lost: there the gradient passes untouched.",
)
def pre_norm_first_path_lost(*arguments):
    return pre_norm(*arguments, own=(0, 1))


@rejects_pullback(
    pre_norm_as_autograd,
    "The residual's own path around the network is lost: there the gradient passes untouched.",
)
def pre_norm_second_path_lost(*arguments):
    return pre_norm(*arguments, own=(1, 0))


@rejects_pullback(
    pre_norm_as_differences,
    "Your gradient leaves the sublayers without passing the normalisations before them.",
)
def norms_passed_by(*arguments):
    return pre_norm(*arguments, normed=False)


@rejects_pullback(
    stack_as_autograd,
    "The gradients of your layers come in the wrong order: the last layer's is computed first, and stands last.",
)
def layers_reversed(gradient, Z, layers, n_heads, mask, activation_vjp):
    _, pullback = encoder_vjp(Z, layers, n_heads, mask, activation_vjp)
    dZ, dlayers = pullback(gradient)
    same_form = dlayers[::-1]
    return dZ, same_form


@rejects_pullback(
    stack_as_differences,
    "Every layer gets the gradient of the last one's output: each is to get what the layer above sends down.",
)
def one_gradient_for_all(gradient, Z, layers, n_heads, mask, activation_vjp):
    dlayers, last = [], gradient
    for parameters in layers:
        Z, pullback = encoder_layer_vjp(Z, parameters, n_heads, mask, activation_vjp)
        last, dlayer = pullback(gradient)
        dlayers.append(dlayer)
    return last, type(layers)(dlayers)


def pulled_back(gradient, Z, layers, n_heads, mask, activation_vjp, through):
    """The stack's gradients, where `through` goes back through a list of the layers' pullbacks."""
    pullbacks = []
    for parameters in layers:
        Z, pullback = encoder_layer_vjp(Z, parameters, n_heads, mask, activation_vjp)
        pullbacks.append(pullback)
    dZ, dlayers = through(gradient, pullbacks)
    return dZ, type(layers)(dlayers)


@rejects_pullback(
    stack_as_autograd,
    "You pull back through the first layer first: the gradient arrives at the last one.",
)
def first_layer_first(*arguments):
    def through(gradient, pullbacks):
        dlayers = []
        for pullback in pullbacks:
            gradient, dlayer = pullback(gradient)
            dlayers.append(dlayer)
        return gradient, dlayers

    return pulled_back(*arguments, through)


@rejects_pullback(
    stack_as_autograd,
    "Every layer gets the gradient that arrives at the last one: each is to get what the layer above it leaves.",
)
def same_gradient_for_all(*arguments):
    def through(gradient, pullbacks):
        found = [pullback(gradient) for pullback in pullbacks]
        return (found[0][0] if found else gradient), [dlayer for _, dlayer in found]

    return pulled_back(*arguments, through)


@rejects_pullback(
    stack_as_autograd,
    "You go back through the last layer again and again. A `lambda` in a loop looks up its variables when it is called: keep the pullbacks themselves in a list.",
)
def last_layer_every_time(*arguments):
    def through(gradient, pullbacks):
        dlayers = []
        for _ in pullbacks:
            gradient, dlayer = pullbacks[-1](gradient)
            dlayers.insert(0, dlayer)
        return gradient, dlayers

    return pulled_back(*arguments, through)


@rejects_pullback(
    stack_as_autograd,
    "You add the gradient to what a layer's pullback gives: the residuals are inside the layer, and their paths are counted there.",
)
def residuals_twice(*arguments):
    def through(gradient, pullbacks):
        dlayers = []
        for pullback in reversed(pullbacks):
            below, dlayer = pullback(gradient)
            gradient = gradient + below
            dlayers.insert(0, dlayer)
        return gradient, dlayers

    return pulled_back(*arguments, through)


def in_two_parts(Z, layers, n_heads, masks, activations):
    """The first layer and all others, each part with its own mask and activation."""
    parts = zip((layers[:1], layers[1:]), masks, activations)
    twins = (
        lambda x, part=part: encoder_vjp(x, part[0], n_heads, *part[1:])
        for part in parts
    )
    Z, stack = through_layers(Z, twins)

    def pullback(gradient):
        dZ, ((first,), (others,)) = stack(gradient)
        return dZ, first + others

    return Z, pullback


@stack_as_autograd.rejects(
    "Only your first layer gets the mask; every layer attends, so every layer needs it."
)
def masked_once(Z, layers, n_heads, mask=None, activation_vjp=relu_vjp):
    return in_two_parts(Z, layers, n_heads, (mask, None), [activation_vjp] * 2)


@stack_as_differences.rejects(
    "Only your first layer gets the activation that is given: hand it on to every layer."
)
def activated_once(Z, layers, n_heads, mask=None, activation_vjp=relu_vjp):
    return in_two_parts(Z, layers, n_heads, (mask, mask), (activation_vjp, relu_vjp))


@rejects_pullback(
    pre_norm_stack_as_autograd,
    "The normalisation at the end of the stack is skipped on the way back: the gradient goes through it first.",
)
def last_norm_skipped(gradient, Z, layers, norm, n_heads, mask, activation_vjp):
    Z_N, stack = through_layers(
        Z,
        (
            lambda x, p=p: encoder_layer_pre_norm_vjp(
                x, p, n_heads, mask, activation_vjp
            )
            for p in layers
        ),
    )
    _, dnorm = layer_norm_vjp(Z_N, norm)[1](gradient)
    dZ, dlayers = stack(gradient)
    return dZ, type(layers)(dlayer for (dlayer,) in dlayers), dnorm


@rejects_pullback(
    pre_norm_stack_as_differences,
    "The gradients of your layers come in the wrong order: the last layer's is computed first, and stands last.",
)
def pre_norm_layers_reversed(gradient, *arguments):
    dZ, dlayers, dnorm = encoder_pre_norm_vjp(*arguments)[1](gradient)
    return dZ, dlayers[::-1], dnorm
