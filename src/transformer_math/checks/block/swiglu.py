"""Checks of swish and of the gated network."""

from dataclasses import replace

import numpy as np
import torch

from transformer_math.block.feed_forward import gelu
from transformer_math.block.swiglu import SwiGLUParameters, swiglu, swish
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import size, tokens
from transformer_math.checks.torch_layers import array, shaken


@check(swish, equation="eq-swish", oracle="torch.nn.functional.silu")
def swish_equals_torch(swish, rng):
    x = 10 ** rng.uniform(0, 3) * tokens(rng, size(rng), size(rng))
    return difference(swish(x), torch.nn.functional.silu(torch.from_numpy(x)))


@swish_equals_torch.rejects("That is the logistic function alone: multiply by x.")
def logistic_alone(x):
    return (1 + np.tanh(x / 2)) / 2


@swish_equals_torch.rejects("That is GELU; swish weighs with the logistic function.")
def gelu_instead(x):
    return gelu(x)


@swish_equals_torch.rejects(
    "Your exponent has the wrong sign: the logistic function is 1 / (1 + exp(−x))."
)
def exponent_of_wrong_sign(x):
    return x - swish(x)


@swish_equals_torch.rejects(
    "Your result is NaN for large x: eˣ overflows, and ∞ / ∞ is no number. Divide by 1 + e⁻ˣ."
)
def overflowing(x):
    return x * np.exp(x) / (1 + np.exp(x))


@swish_equals_torch.rejects(
    "You compute tanh(x) where tanh(x/2) is wanted: the logistic function is (1 + tanh(x/2)) / 2."
)
def half_forgotten(x):
    return x / 2 * (1 + np.tanh(x))


@check(
    swiglu,
    equation="eq-swiglu",
    axes={"x": "d_model", "return": "d_model"},
    oracle="torch.nn.Linear three times, torch.nn.functional.silu between",
)
def swiglu_equals_torch(swiglu, rng):
    d_model, width = size(rng), size(rng)
    gate, up = (torch.nn.Linear(d_model, width, bias=False) for _ in range(2))
    down = torch.nn.Linear(width, d_model, bias=False)
    for module in (gate, up, down):
        shaken(module, rng)
    x = tokens(rng, d_model)
    row = torch.from_numpy(x)
    wanted = down(torch.nn.functional.silu(gate(row)) * up(row))
    own = SwiGLUParameters(*(array(m.weight).T for m in (gate, up, down)))
    return difference(swiglu(x, own), wanted)


@swiglu_equals_torch.rejects(
    "You exchange gate and content: swish acts on x W_g alone."
)
def gate_exchanged(x, p):
    return swiglu(x, replace(p, W_g=p.W_1, W_1=p.W_g))


@swiglu_equals_torch.rejects(
    "You add gate and content; the gate multiplies, entry by entry."
)
def gate_added(x, p):
    return (swish(x @ p.W_g) + x @ p.W_1) @ p.W_2


@swiglu_equals_torch.rejects(
    "You apply swish to both halves; only the gate passes through it."
)
def both_bent(x, p):
    return (swish(x @ p.W_g) * swish(x @ p.W_1)) @ p.W_2


@swiglu_equals_torch.rejects(
    "Your gate is the logistic function: that is GLU. SwiGLU's gate is swish, x times it."
)
def plain_glu(x, p):
    return (1 / (1 + np.exp(-(x @ p.W_g))) * (x @ p.W_1)) @ p.W_2


@swiglu_equals_torch.rejects("Your gate is GELU: that is GEGLU. Wanted swish.")
def geglu(x, p):
    return (gelu(x @ p.W_g) * (x @ p.W_1)) @ p.W_2


@swiglu_equals_torch.rejects("There is no activation in your gate: swish(x W_g).")
def bilinear(x, p):
    return ((x @ p.W_g) * (x @ p.W_1)) @ p.W_2


@swiglu_equals_torch.rejects(
    "There is no gate in your version: swish(x W_g) multiplies x W_1."
)
def without_gate(x, p):
    return swish(x @ p.W_g) @ p.W_2


@swiglu_equals_torch.rejects(
    "You apply swish after the multiplication; it bends the gate alone: swish(x W_g) times x W_1."
)
def bent_too_late(x, p):
    return swish((x @ p.W_g) * (x @ p.W_1)) @ p.W_2


@swiglu_equals_torch.rejects(
    "You apply swish to the token; it bends the gate, swish(x W_g)."
)
def token_bent(x, p):
    return ((swish(x) @ p.W_g) * (x @ p.W_1)) @ p.W_2


@swiglu_equals_torch.rejects("Your gate is ReLU: that is ReGLU. Wanted swish.")
def reglu(x, p):
    return (np.maximum(x @ p.W_g, 0) * (x @ p.W_1)) @ p.W_2


@swiglu_equals_torch.rejects("The way back is missing: multiply by W_2.")
def without_the_way_back(x, p):
    return swish(x @ p.W_g) * (x @ p.W_1)


@swish_equals_torch.rejects(
    "Your swish is steeper, x σ(1.702 x), which stands for GELU; wanted x σ(x)."
)
def quick_gelu(x):
    return x * (1 + np.tanh(0.851 * x)) / 2
