"""How the formulas of the gradients of rotary positions are read."""

from transformer_math.formulas.cases import pulled_back
from transformer_math.formulas.reading import reading
from transformer_math.gradient.rope import rope_half_split_vjp, rope_vjp


def at_each_position(function, a, arguments, goes_in, comes_out):
    """The formula speaks of one position and its vector."""
    _, gradient, (dx,) = pulled_back(function, arguments)
    for position, arriving, found in zip(a["positions"], gradient, dx):
        given = {"pos": position, "d_k": len(found), "b": a["b"]}
        yield given | {goes_in: arriving}, {comes_out: found}


@reading("eq-rope-vjp")
def turned_back(a, outputs, arguments):
    """The vector is that of the position."""
    yield from at_each_position(rope_vjp, a, arguments, "dx'_pos", "dx_pos")


@reading("eq-rope-half-split-vjp")
def halves_turned_back(a, outputs, arguments):
    """The vector is x, whichever the position."""
    yield from at_each_position(rope_half_split_vjp, a, arguments, "dx'", "dx[]")
