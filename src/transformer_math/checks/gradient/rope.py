"""Checks of the pullbacks of rotations."""

import numpy as np
import torch

from transformer_math.checks.gradients import check_gradient, rejects_pullback
from transformer_math.checks.position.rope import random_positions, rope_angles
from transformer_math.checks.position.sinusoidal import random_base
from transformer_math.checks.sampling import even, size, smallest, tokens
from transformer_math.checks.wrong import ignoring
from transformer_math.gradient.rope import (
    rope_half_split_vjp,
    rope_vjp,
    rotate_pairs_vjp,
)
from transformer_math.position.rope import rope, rope_half_split, rotate_pairs


def torch_rotation(x, angles):
    """Pairs of neighbours as complex numbers, times e^(i angle)."""
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
    angles = torch.from_numpy(angles)
    turn = torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(pairs * turn).flatten(-2)


def torch_rope(x, positions, base=10000.0):
    return torch_rotation(x, rope_angles(positions, x.shape[-1], base))


def torch_half_split(x, positions, base=10000.0):
    neighbours = torch.stack(x.chunk(2, dim=-1), dim=-1).flatten(-2)
    turned = torch_rope(neighbours, positions, base)
    return torch.cat([turned[..., 0::2], turned[..., 1::2]], dim=-1)


def pairs_and_angles(rng):
    """An angle for each row and pair, or the same angles for every row."""
    n, half = size(rng), size(rng)
    rows = (n, 1)[rng.integers(2)]
    x, angles = tokens(rng, n, 2 * half), rng.uniform(-7, 7, size=(rows, half))
    return (x[0], angles[0]) if smallest() else (x, angles)


def vectors_at_positions(rng):
    n = size(rng)
    given, _ = random_base(rng)
    return (tokens(rng, n, even(rng)), random_positions(rng, n), *given)


rotation_as_autograd, rotation_as_differences = check_gradient(
    rotate_pairs_vjp,
    equation="eq-rotation-vjp",
    axes={"x": "d_k", "angles": "half", "return": "d_k"},
    symbols={"return": "x'"},
    function=torch_rotation,
    draw=pairs_and_angles,
    wrt=("x",),
    cases=12,
)
rotation_as_autograd.excuses(
    "a turn takes two numbers, so they come in pairs", "d_k = 1"
)
rope_as_autograd, rope_as_differences = check_gradient(
    rope_vjp,
    equation="eq-rope-vjp",
    function=torch_rope,
    draw=vectors_at_positions,
    wrt=("x",),
    cases=12,
)
rope_as_autograd.excuses("a turn takes two numbers, so they come in pairs", "d_k = 1")
halves_as_autograd, halves_as_differences = check_gradient(
    rope_half_split_vjp,
    equation="eq-rope-half-split-vjp",
    function=torch_half_split,
    draw=vectors_at_positions,
    wrt=("x",),
    cases=12,
)
halves_as_autograd.excuses("a turn takes two numbers, so they come in pairs", "d_k = 1")
for autograd, differences, function in (
    (rotation_as_autograd, rotation_as_differences, rotate_pairs),
    (rope_as_autograd, rope_as_differences, rope),
    (halves_as_autograd, halves_as_differences, rope_half_split),
):

    @rejects_pullback(
        autograd,
        "You turn the gradient on, as the vector was turned; wanted back, by the negative angle.",
    )
    def turned_on(dy, *arguments, function=function):
        return (function(dy, *arguments[1:]),)

    @rejects_pullback(
        differences,
        "You pass the gradient on as it comes: it is turned back by the angle of its place.",
    )
    def not_turned(dy, *arguments):
        return (np.array(dy),)


for made in (rope_as_autograd, halves_as_autograd):
    made.rejects("You ignore the base: the frequencies are powers of it.")(
        ignoring(made.target, "base")
    )


@rejects_pullback(
    rope_as_differences,
    "Your pairs are (i, i + d_k/2) on the way back; they were neighbours on the way there.",
)
def other_layout_on_the_way_back(dy, x, positions, base):
    return (rope_half_split(dy, -positions, base),)


@rejects_pullback(
    halves_as_differences,
    "Your pairs are neighbours on the way back; they stood d_k/2 apart on the way there.",
)
def neighbours_on_the_way_back(dy, x, positions, base):
    return (rope(dy, -positions, base),)
