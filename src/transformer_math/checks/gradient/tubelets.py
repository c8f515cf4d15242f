"""Checks of the pullback of a film's input."""

import numpy as np

from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.modalities.tubelets import (
    convolved,
    films_and_parameters,
)
from transformer_math.gradient.tubelets import video_input_vjp

NAMES = ("X", "E", "x_class", "P_space", "P_time")

input_as_autograd, input_as_differences = check_gradient(
    video_input_vjp,
    equation="eq-video-input-vjp",
    symbols={"return": "Z"},
    function=convolved,
    draw=films_and_parameters,
    wrt=NAMES,
)
for checked in (input_as_autograd, input_as_differences):
    checked.excuses("there is a class token and at least one tubelet", "places = 1")
reject_careless_inputs(input_as_autograd, NAMES, matrices=("E",))


def gradients(dZ, *arguments):
    """What the pullback gives."""
    return video_input_vjp(*arguments)[1](dZ)


@rejects_pullback(
    input_as_autograd,
    "Your positions in space get the gradient of the first time alone: each served every time, so they add up.",
)
def first_time_alone(dZ, X, length, patch_size, E, x_class, P_space, P_time):
    dX, dE, dx, _, dU = gradients(
        dZ, X, length, patch_size, E, x_class, P_space, P_time
    )
    first = dZ[..., : len(P_space), :].reshape(-1, *P_space.shape).sum(axis=0)
    return dX, dE, dx, first, dU


@rejects_pullback(
    input_as_autograd,
    "Your positions in time get the gradient of the first place alone: each served every place, so they add up.",
)
def first_place_alone(dZ, X, length, patch_size, E, x_class, P_space, P_time):
    dX, dE, dx, dP, _ = gradients(
        dZ, X, length, patch_size, E, x_class, P_space, P_time
    )
    starts = dZ[..., 1 :: len(P_space) - 1, :]
    return dX, dE, dx, dP, starts.reshape(-1, *P_time.shape).sum(axis=0)


@rejects_pullback(
    input_as_autograd,
    "The class token’s place gets no gradient in your version: row 0 of P_space was added to it.",
)
def no_place_for_the_class(dZ, *arguments):
    dX, dE, dx, dP, dU = gradients(dZ, *arguments)
    return dX, dE, dx, np.concatenate([0 * dP[:1], dP[1:]]), dU


@rejects_pullback(
    input_as_autograd,
    "Your class token gets the sum over all tokens; it stands in the first place alone.",
)
def class_of_all_tokens(dZ, *arguments):
    dX, dE, dx, dP, dU = gradients(dZ, *arguments)
    return dX, dE, dx + dU.sum(axis=0), dP, dU


@rejects_pullback(
    input_as_autograd,
    "You take the mean over the times: a position in space served every time, so its gradients add up.",
)
def mean_of_the_times(dZ, X, length, patch_size, E, x_class, P_space, P_time):
    dX, dE, dx, dP, dU = gradients(
        dZ, X, length, patch_size, E, x_class, P_space, P_time
    )
    return dX, dE, dx, np.concatenate([dP[:1], dP[1:] / len(P_time)]), dU
