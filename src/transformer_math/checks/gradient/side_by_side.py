"""Checks of the pullback of CLIP's loss."""

import numpy as np

from transformer_math.attention.softmax import softmax
from transformer_math.checks.gradients import check_gradient, rejects_pullback
from transformer_math.checks.modalities.side_by_side import (
    pictures_and_texts,
    torch_clip,
)
from transformer_math.checks.wrong import ignoring
from transformer_math.gradient.side_by_side import clip_loss_vjp


def draw(rng):
    U, V, given, _ = pictures_and_texts(rng)
    return U, V, *given


loss_as_autograd, loss_as_differences = check_gradient(
    clip_loss_vjp,
    equation="eq-clip-loss-vjp",
    symbols={"temperature": "tau", "return": "mathcal:L"},
    function=torch_clip,
    draw=draw,
    wrt=("U", "V"),
)
loss_as_autograd.rejects("You ignore the temperature.")(
    ignoring(clip_loss_vjp, "temperature")
)


def _pulled(g, U, V, temperature, of_scores):
    S = U @ V.T / temperature
    dS = g / (2 * len(S)) * of_scores(S) / temperature
    return dS @ V, dS.T @ U


@rejects_pullback(
    loss_as_autograd,
    "You pull along the rows alone: each text looks for its picture too, along the columns.",
)
def rows_alone(g, U, V, temperature):
    return _pulled(g, U, V, temperature, lambda S: 2 * (softmax(S) - np.eye(len(S))))


@rejects_pullback(
    loss_as_autograd,
    "The softmax of the transposed scores has to be transposed back before you add it.",
)
def not_turned_back(g, U, V, temperature):
    own = lambda S: 2 * np.eye(len(S))  # noqa: E731
    return _pulled(g, U, V, temperature, lambda S: softmax(S) + softmax(S.T) - own(S))


@rejects_pullback(
    loss_as_autograd, "You forget to divide by the temperature on the way back."
)
def temperature_forgotten(g, U, V, temperature):
    dU, dV = clip_loss_vjp(U, V, temperature)[1](g)
    return dU * temperature, dV * temperature


@rejects_pullback(
    loss_as_autograd, "You exchange the two: U is pulled by V, and V by U."
)
def pulled_by_itself(g, U, V, temperature):
    S = U @ V.T / temperature
    pulls = softmax(S) + softmax(S.T).T - 2 * np.eye(len(S))
    dS = g / (2 * len(S)) * pulls / temperature
    return dS @ U, dS.T @ V
