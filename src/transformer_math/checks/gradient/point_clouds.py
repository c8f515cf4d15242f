"""Checks of the pullbacks of PointNet, the chamfer distance and the Gumbel-softmax."""

import numpy as np
import torch

from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.modalities.point_clouds import (
    convolved,
    groups_and_network,
    scores_and_noise,
    size,
    small_batch,
)
from transformer_math.checks.sampling import few
from transformer_math.gradient.point_clouds import (
    chamfer_distance_vjp,
    gumbel_softmax_vjp,
    point_net_vjp,
)
from transformer_math.modalities.point_clouds import PointNetParameters

net_as_autograd, net_as_differences = check_gradient(
    point_net_vjp,
    equation="eq-point-net-vjp",
    symbols={"return": "h"},
    function=convolved,
    draw=groups_and_network,
)


def pooled_back(dh, X, parameters, share):
    """The pullback of PointNet, where `share(H, dh)` says what each point gets."""
    p = parameters
    hidden = np.maximum(X @ p.W_1 + p.b_1, 0)
    dH = share(hidden @ p.W_2 + p.b_2, dh)
    dwide = (dH @ p.W_2.T) * (hidden > 0)
    flat = [a.reshape(-1, a.shape[-1]) for a in (X, dwide, hidden, dH)]
    X_, dwide_, hidden_, dH_ = flat
    gradients = X_.T @ dwide_, dwide_.sum(0), hidden_.T @ dH_, dH_.sum(0)
    return dwide @ p.W_1.T, PointNetParameters(*gradients)


@rejects_pullback(
    net_as_autograd,
    "Every point gets the gradient in your version; only the one that had the maximum of an entry gets it.",
)
def to_every_point(dh, X, parameters):
    return pooled_back(
        dh, X, parameters, lambda H, dh: np.broadcast_to(dh[..., None, :], H.shape)
    )


@rejects_pullback(
    net_as_autograd,
    "You share the gradient equally, as a mean would; the maximum gives all of it to one point.",
)
def shared_equally(dh, X, parameters):
    return pooled_back(
        dh, X, parameters, lambda H, dh: 0 * H + dh[..., None, :] / H.shape[-2]
    )


@rejects_pullback(
    net_as_autograd,
    "One point gets the gradient of all entries; each entry has a winner of its own.",
)
def one_winner_for_all(dh, X, parameters):
    def share(H, dh):
        best = H.sum(axis=-1).argmax(axis=-1)[..., None, None]
        return (np.arange(H.shape[-2])[:, None] == best) * dh[..., None, :]

    return pooled_back(dh, X, parameters, share)


def apart(rng):
    """Two clouds whose points do not lie on a grid: where two are as near, there is no slope."""
    lead, d = small_batch(rng), few(rng)
    X, Y = (rng.normal(size=(*lead, size(rng), d)) for _ in range(2))
    return X, Y


def chamfer_in_torch(X, Y):
    """From PyTorch's matrix of distances."""
    D = (X.unsqueeze(-2) - Y.unsqueeze(-3)).square().sum(-1)
    return D.amin(-1).mean(-1) + D.amin(-2).mean(-1)


chamfer_as_autograd, chamfer_as_differences = check_gradient(
    chamfer_distance_vjp,
    equation="eq-chamfer-vjp",
    symbols={"return": "c"},
    function=chamfer_in_torch,
    draw=apart,
)
reject_careless_inputs(chamfer_as_autograd, ("X", "Y"))


def nearest_alone(dc, X, Y, there, back):
    """The pullback with the terms of one direction, or of both."""
    D = ((X[..., :, None, :] - Y[..., None, :, :]) ** 2).sum(axis=-1)
    n, m = D.shape[-2:]
    of_X, of_Y = D.argmin(axis=-1)[..., None], D.argmin(axis=-2)[..., None, :]
    A = there * (np.arange(m) == of_X) / n + back * (np.arange(n)[:, None] == of_Y) / m
    scale = 2 * np.asarray(dc)[..., None, None]
    dX = scale * (A.sum(axis=-1, keepdims=True) * X - A @ Y)
    return dX, scale * (A.sum(axis=-2)[..., None] * Y - A.swapaxes(-1, -2) @ X)


@rejects_pullback(
    chamfer_as_autograd,
    "A point is drawn to its own nearest one only; those of the other cloud whose nearest it is pull at it, too.",
)
def pulled_by_its_own(dc, X, Y):
    return nearest_alone(dc, X, Y, 1, 0)[0], nearest_alone(dc, X, Y, 0, 1)[1]


@rejects_pullback(
    chamfer_as_autograd,
    "The 2 is missing that a square leaves behind.",
)
def half_as_strong(dc, X, Y):
    return tuple(g / 2 for g in nearest_alone(dc, X, Y, 1, 1))


@rejects_pullback(
    chamfer_as_autograd,
    "You forget the means: each term is divided by the number of points of its cloud.",
)
def without_means(dc, X, Y):
    return nearest_alone(dc, X, Y, X.shape[-2], Y.shape[-2])


gumbel_as_autograd, gumbel_as_differences = check_gradient(
    gumbel_softmax_vjp,
    equation="eq-gumbel-softmax-vjp",
    symbols={"logits": "z", "noise": "g", "temperature": "tau", "return": "y"},
    function=lambda z, g, temperature: torch.softmax(
        (z + torch.as_tensor(g)) / temperature, -1
    ),
    draw=scores_and_noise,
    wrt=("logits",),
)


@rejects_pullback(
    gumbel_as_autograd,
    "The temperature is missing: the logits were divided by it, and so is their gradient.",
)
def temperature_missing(dy, logits, noise, temperature):
    (dz,) = gumbel_softmax_vjp(logits, noise, temperature)[1](dy)
    return (dz * temperature,)


@rejects_pullback(
    gumbel_as_autograd,
    "You let everything pass, as a straight-through estimator does: this function has a gradient of its own.",
)
def passed_through(dy, logits, noise, temperature):
    return (np.array(dy),)


@rejects_pullback(
    gumbel_as_autograd,
    "You multiply by the shares and forget to take their mean away: the gradients of a softmax add up to 0.",
)
def mean_forgotten(dy, logits, noise, temperature):
    y, _ = gumbel_softmax_vjp(logits, noise, temperature)
    return (y * dy / temperature,)
