"""Checks of the pullback of rotary attention."""

from transformer_math.attention.masks import causal_mask
from transformer_math.checks.block.decoder_only_layer import rotary_case, torch_rotary
from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.gradient.multi_head import self_attention_vjp
from transformer_math.gradient.rotary_attention import rotary_attention_vjp

rotary_as_autograd, rotary_as_differences = check_gradient(
    rotary_attention_vjp,
    equation="eq-rotary-attention-vjp",
    symbols={"return": "O'"},
    function=torch_rotary,
    draw=rotary_case,
    wrt=("Z", "parameters"),
    cases=16,
)
rotary_as_autograd.excuses("dimensions turn in pairs", "Hd_k = 1")
reject_careless_inputs(rotary_as_autograd, ("Z", "parameters"))


@rejects_pullback(
    rotary_as_autograd,
    "Nothing is turned in your version, neither on the way there nor on the way back.",
)
def nothing_turned(gradient, Z, parameters, n_heads):
    mask = causal_mask(Z.shape[-2])
    return self_attention_vjp(Z, parameters, n_heads, mask)[1](gradient)
