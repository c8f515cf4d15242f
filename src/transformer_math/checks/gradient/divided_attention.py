"""Checks of the pullback of a layer of divided attention."""

from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.modalities.divided_attention import (
    layer_and_tokens,
    torch_layer,
)
from transformer_math.gradient.divided_attention import divided_layer_vjp
from transformer_math.gradient.feed_forward import feed_forward_vjp
from transformer_math.gradient.layer_norm import layer_norm_vjp
from transformer_math.gradient.multi_head import self_attention_vjp
from transformer_math.modalities.divided_attention import (
    DividedLayerParameters,
    space_mask,
    time_mask,
)

layer_as_autograd, layer_as_differences = check_gradient(
    divided_layer_vjp,
    equation="eq-divided-layer-vjp",
    symbols={"return": "Z_out"},
    function=torch_layer,
    draw=layer_and_tokens,
    wrt=("Z", "parameters"),
    cases=12,
)
for checked in (layer_as_autograd, layer_as_differences):
    checked.excuses("a class token and at least one patch", "n = 1")
reject_careless_inputs(layer_as_autograd, ("Z", "parameters"))


def pulled(dZ, Z, p, n_heads, frames, own=(1, 1, 1), order=("space", "time")):
    """The layer pulled back, with residuals' own paths switched off, or through the attentions in another order."""
    places = (Z.shape[-2] - 1) // frames
    U_1, norm_1 = layer_norm_vjp(Z, p.norm_1)
    O, time = self_attention_vjp(U_1, p.time, n_heads, time_mask(frames, places))
    U_2, norm_2 = layer_norm_vjp(Z + O, p.norm_2)
    S, space = self_attention_vjp(U_2, p.space, n_heads, space_mask(frames, places))
    U_3, norm_3 = layer_norm_vjp(Z + O + S, p.norm_3)
    _, transform = feed_forward_vjp(U_3, p.feed_forward)
    through, dfeed_forward = transform(dZ)
    through, dnorm_3 = norm_3(through)
    dZ = own[2] * dZ + through
    parts = {"time": (time, norm_1, own[0]), "space": (space, norm_2, own[1])}
    found = {}
    for name in order:
        attend, norm, path = parts[name]
        through, learned = attend(dZ)
        through, dnorm = norm(through)
        dZ = path * dZ + through
        found[name] = learned, dnorm
    (dtime, dnorm_1), (dspace, dnorm_2) = found["time"], found["space"]
    return dZ, DividedLayerParameters(
        dtime, dspace, dfeed_forward, dnorm_1, dnorm_2, dnorm_3
    )


@rejects_pullback(
    layer_as_autograd,
    "You pull back through time first: it came first on the way there, so it comes last on the way back.",
)
def time_pulled_back_first(*arguments):
    return pulled(*arguments, order=("time", "space"))


@rejects_pullback(
    layer_as_autograd,
    "The residual’s own path around the attention in time is lost.",
)
def path_around_time_lost(*arguments):
    return pulled(*arguments, own=(0, 1, 1))


@rejects_pullback(
    layer_as_autograd,
    "The residual’s own path around the attention in space is lost.",
)
def path_around_space_lost(*arguments):
    return pulled(*arguments, own=(1, 0, 1))


@rejects_pullback(
    layer_as_differences,
    "The residual’s own path around the feed-forward network is lost.",
)
def path_around_the_network_lost(*arguments):
    return pulled(*arguments, own=(1, 1, 0))


@rejects_pullback(
    layer_as_autograd,
    "The gradients of your two attentions are exchanged: time’s come first.",
)
def attentions_exchanged(*arguments):
    dZ, p = pulled(*arguments)
    exchanged = p.space, p.time, p.feed_forward, p.norm_1, p.norm_2, p.norm_3
    return dZ, DividedLayerParameters(*exchanged)
