"""Checks of the pullback of a vision transformer's input."""

import numpy as np

from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.modalities.patches import (
    convolved,
    pictures_and_parameters,
)
from transformer_math.gradient.patches import vit_input_vjp
from transformer_math.modalities.patches import patchify

NAMES = ("X", "E", "x_class", "P")

input_as_autograd, input_as_differences = check_gradient(
    vit_input_vjp,
    equation="eq-vit-input-vjp",
    symbols={"x_class": "x^class", "return": "Z"},
    function=convolved,
    draw=pictures_and_parameters,
    wrt=NAMES,
)
for checked in (input_as_autograd, input_as_differences):
    checked.excuses("there is a class token and at least one patch", "tokens = 1")
reject_careless_inputs(input_as_autograd, NAMES, matrices=("E",))


def gradients(dZ, X, patch_size, E, x_class, P):
    """What the pullback gives."""
    return vit_input_vjp(X, patch_size, E, x_class, P)[1](dZ)


@rejects_pullback(
    input_as_autograd,
    "Your positions get the gradient of the patches alone: row 0 was added to the class token, and gets its gradient.",
)
def no_place_for_the_class(dZ, X, patch_size, E, x_class, P):
    dX, dE, dx, dP = gradients(dZ, X, patch_size, E, x_class, P)
    return dX, dE, dx, np.concatenate([0 * dP[:1], dP[1:]])


@rejects_pullback(
    input_as_autograd,
    "Your class token gets the sum over all tokens; it stands in the first place alone.",
)
def class_of_all_tokens(dZ, X, patch_size, E, x_class, P):
    dX, dE, _, dP = gradients(dZ, X, patch_size, E, x_class, P)
    return dX, dE, dP.sum(axis=0), dP


@rejects_pullback(
    input_as_autograd,
    "You are one place off: the gradient of patch i is in row i + 1, after the class token’s.",
)
def one_place_off(dZ, X, patch_size, E, x_class, P):
    dX, _, dx, dP = gradients(dZ, X, patch_size, E, x_class, P)
    T, early = patchify(X, patch_size), dZ[..., :-1, :]
    dE = T.reshape(-1, len(E)).T @ early.reshape(-1, E.shape[1])
    return dX, dE, dx, dP


@rejects_pullback(
    input_as_autograd,
    "You take the mean over the pictures: E, the class token and the positions served every one, so their gradients add up.",
)
def mean_of_the_pictures(dZ, X, patch_size, E, x_class, P):
    dX, dE, dx, dP = gradients(dZ, X, patch_size, E, x_class, P)
    count = max(1, dZ[..., 0, 0].size)
    return dX, dE / count, dx / count, dP / count
