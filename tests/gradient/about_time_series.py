"""What the tests of all ideas ask of `gradient/time_series`."""

import numpy as np
import torch
from answer_helpers import changing, value_alone

from transformer_math.gradient import dilated_convolution_vjp, masked_projection_vjp
from transformer_math.modalities import dilated_convolution, masked_projection

REFUSED = [
    (
        dilated_convolution_vjp,
        "none of them is in the middle",
        {"X": np.ones((3, 1)), "W": np.ones((2, 1, 1)), "b": np.ones(1), "dilation": 1},
    ),
]


def moment_by_moment(X, W, b, keep):
    def pullback(dH):
        dX, dW, db = np.zeros(X.shape), np.zeros(W.shape), np.zeros(b.shape)
        for place in zip(*np.nonzero(keep)):
            dX[place] = W @ dH[place]
            dW += np.outer(X[place], dH[place])
            db += dH[place]
        return dX, dW, db

    return masked_projection(X, W, b, keep), pullback


def by_autograd_of_projection(X, W, b, keep):
    leaves = [torch.tensor(x, requires_grad=True) for x in (X, W, b)]
    H = (leaves[0] @ leaves[1] + leaves[2]) * torch.from_numpy(keep[..., None])

    def pullback(dH):
        found = torch.autograd.grad(H, leaves, torch.from_numpy(dH), retain_graph=True)
        return tuple(one.numpy() for one in found)

    return H.detach().numpy(), pullback


def tap_by_tap(X, W, b, dilation):
    n, half = X.shape[-2], len(W) // 2

    def pullback(dY):
        dX, dW = np.zeros(X.shape), np.zeros(W.shape)
        for t in range(n):
            for k in range(len(W)):
                u = t + (k - half) * dilation
                if 0 <= u < n:
                    dX[..., u, :] += dY[..., t, :] @ W[k].T
                    rows = dY[..., t, :].reshape(-1, len(b))
                    dW[k] += X[..., u, :].reshape(-1, W.shape[1]).T @ rows
        return dX, dW, dY.reshape(-1, len(b)).sum(axis=0)

    return dilated_convolution(X, W, b, dilation), pullback


def in_lists(X, W, b, dilation):
    value, pullback = tap_by_tap(X, W, b, dilation)
    return value, lambda dY: [one.tolist() for one in pullback(dY)]


RIGHT = [
    (masked_projection_vjp, moment_by_moment),
    (masked_projection_vjp, by_autograd_of_projection),
    (dilated_convolution_vjp, tap_by_tap),
    (dilated_convolution_vjp, in_lists),
]

WRONG = [
    (masked_projection_vjp, value_alone(masked_projection_vjp), "value, pullback"),
    (
        masked_projection_vjp,
        changing(masked_projection_vjp, lambda dX, dW, db: (2 * dX, dW, db)),
        "`X`",
    ),
    (
        masked_projection_vjp,
        changing(masked_projection_vjp, lambda dX, dW, db: (dX, -dW, db)),
        "`W`",
    ),
    (
        masked_projection_vjp,
        changing(masked_projection_vjp, lambda dX, dW, db: (dX, dW, db + 1)),
        "`b`",
    ),
    (
        masked_projection_vjp,
        changing(masked_projection_vjp, lambda dX, dW, db: (dX, dW, 3 * db)),
        "`b`",
    ),
    (dilated_convolution_vjp, value_alone(dilated_convolution_vjp), "value, pullback"),
    (
        dilated_convolution_vjp,
        changing(dilated_convolution_vjp, lambda dX, dW, db: (2 * dX, dW, db)),
        "`X`",
    ),
    (
        dilated_convolution_vjp,
        changing(dilated_convolution_vjp, lambda dX, dW, db: (dX, dW[::-1], db)),
        "turned over",
    ),
    (
        dilated_convolution_vjp,
        changing(dilated_convolution_vjp, lambda dX, dW, db: (dX, -dW, db)),
        "`W`",
    ),
    (
        dilated_convolution_vjp,
        changing(dilated_convolution_vjp, lambda dX, dW, db: (dX, dW, 2 * db)),
        "`b`",
    ),
]
