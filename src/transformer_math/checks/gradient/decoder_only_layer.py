"""Checks of the pullback of the decoder-only layer."""

from transformer_math.checks.block.decoder_only_layer import layer_case, torch_layer
from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.gradient._sublayers import (
    decoder_only_sublayers,
    two_sublayers_vjp,
)
from transformer_math.gradient.decoder_only_layer import decoder_only_layer_vjp
from transformer_math.gradient.layer_norm import pre_norm_vjp

layer_as_autograd, layer_as_differences = check_gradient(
    decoder_only_layer_vjp,
    equation="eq-decoder-only-layer-vjp",
    symbols={"return": "Z_out"},
    function=torch_layer,
    draw=layer_case,
    wrt=("Z", "parameters"),
    cases=16,
)
layer_as_autograd.excuses("dimensions turn in pairs", "Hd_k = 1")
reject_careless_inputs(layer_as_autograd, ("Z", "parameters"))


@rejects_pullback(
    layer_as_autograd,
    "The path around your sublayers is lost: what arrives goes through them and past them.",
)
def residuals_lost(gradient, Z, parameters, n_heads):
    sublayers = decoder_only_sublayers(parameters, n_heads)
    _, pullback = two_sublayers_vjp(Z, parameters, pre_norm_vjp, *sublayers)
    dZ, dparameters = pullback(gradient)
    return dZ - gradient, dparameters
