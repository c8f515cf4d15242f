"""What the tests of all ideas ask of `gradient/point_clouds`."""

import numpy as np
from answer_helpers import changing, value_alone

from transformer_math.gradient import (
    chamfer_distance_vjp,
    gumbel_softmax_vjp,
    point_net_vjp,
)
from transformer_math.modalities import (
    PointNetParameters,
    chamfer_distance,
    gumbel_softmax,
    point_net,
)

REFUSED = [
    (gumbel_softmax_vjp, "divided by it overflow", {"temperature": 1e-310}),
]


def group_by_group(X, p):
    """PointNet's pullback with a loop over all sets and all entries."""

    def pullback(dh):
        dX = np.zeros(X.shape)
        d = PointNetParameters(*(np.zeros_like(w) for w in vars(p).values()))
        for place in np.ndindex(X.shape[:-2]):
            wide = X[place] @ p.W_1 + p.b_1
            hidden = np.maximum(wide, 0)
            H = hidden @ p.W_2 + p.b_2
            for j, i in enumerate(H.argmax(axis=0)):
                g = dh[place][j]
                d.W_2[:, j] += g * hidden[i]
                d.b_2[j] += g
                dwide = g * p.W_2[:, j] * (wide[i] > 0)
                d.W_1[...] += np.outer(X[place][i], dwide)
                d.b_1[...] += dwide
                dX[place][i] += p.W_1 @ dwide
        return dX, d

    return point_net(X, p), pullback


def by_tensordot(X, p):
    """The same with one mask for all winners."""

    def pullback(dh):
        wide = X @ p.W_1 + p.b_1
        hidden = np.maximum(wide, 0)
        H = hidden @ p.W_2 + p.b_2
        won = np.arange(H.shape[-2])[:, None] == H.argmax(axis=-2)[..., None, :]
        dH = won * dh[..., None, :]
        dwide = np.einsum("...nm,fm->...nf", dH, p.W_2) * (wide > 0)
        points = tuple(range(X.ndim - 1))
        parts = (
            np.tensordot(X, dwide, (points, points)),
            dwide.sum(axis=points),
            np.tensordot(hidden, dH, (points, points)),
            dH.sum(axis=points),
        )
        return np.einsum("...nf,df->...nd", dwide, p.W_1), PointNetParameters(*parts)

    return point_net(X, p), pullback


def point_by_point(X, Y):
    """The chamfer distance's pullback, one point after the other."""

    def pullback(dc):
        dX, dY = np.zeros(X.shape), np.zeros(Y.shape)
        n, m = X.shape[-2], Y.shape[-2]
        for place in np.ndindex(X.shape[:-2]):
            g, x, y = 2 * np.asarray(dc)[place], X[place], Y[place]
            D = np.square(x[:, None] - y).sum(axis=-1)
            for i, j in enumerate(D.argmin(axis=1)):
                dX[place][i] += g / n * (x[i] - y[j])
                dY[place][j] -= g / n * (x[i] - y[j])
            for j, i in enumerate(D.argmin(axis=0)):
                dX[place][i] += g / m * (x[i] - y[j])
                dY[place][j] -= g / m * (x[i] - y[j])
        return dX, dY

    return chamfer_distance(X, Y), pullback


def by_arrows(X, Y):
    """The same from all arrows between the clouds, weighted."""

    def pullback(dc):
        arrows = X[..., :, None, :] - Y[..., None, :, :]
        D = np.square(arrows).sum(axis=-1)
        n, m = D.shape[-2:]
        there = np.eye(m)[D.argmin(axis=-1)] / n
        back = np.swapaxes(np.eye(n)[D.argmin(axis=-2)], -1, -2) / m
        pulled = 2 * np.asarray(dc)[..., None, None, None] * arrows
        pulled = pulled * (there + back)[..., None]
        return pulled.sum(axis=-2), -pulled.sum(axis=-3)

    return chamfer_distance(X, Y), pullback


def by_jacobian(logits, noise, temperature):
    y = gumbel_softmax(logits, noise, temperature)

    def pullback(dy):
        J = y[..., :, None] * (np.eye(y.shape[-1]) - y[..., None, :])
        return (np.einsum("...j,...jk->...k", dy, J) / temperature,)

    return y, pullback


def in_two_lines(logits, noise, temperature):
    y = gumbel_softmax(logits, noise, temperature)

    def pullback(dy):
        mean = (y * dy).sum(axis=-1, keepdims=True)
        return ((dy - mean) * y / temperature,)

    return y, pullback


RIGHT = [
    (point_net_vjp, group_by_group),
    (point_net_vjp, by_tensordot),
    (chamfer_distance_vjp, point_by_point),
    (chamfer_distance_vjp, by_arrows),
    (gumbel_softmax_vjp, by_jacobian),
    (gumbel_softmax_vjp, in_two_lines),
]


def other_bias(dX, d):
    return dX, PointNetParameters(d.W_1, 2 * d.b_1, d.W_2, d.b_2)


def other_matrix(dX, d):
    return dX, PointNetParameters(d.W_1, d.b_1, -d.W_2, d.b_2)


WRONG = [
    (point_net_vjp, value_alone(point_net_vjp), "value, pullback"),
    (point_net_vjp, changing(point_net_vjp, lambda dX, d: (-dX, d)), "`X`"),
    (
        point_net_vjp,
        changing(point_net_vjp, lambda dX, d: (dX[..., ::-1, :], d)),
        "`X`",
    ),
    (point_net_vjp, changing(point_net_vjp, other_bias), "b_1"),
    (point_net_vjp, changing(point_net_vjp, other_matrix), "W_2"),
    (chamfer_distance_vjp, value_alone(chamfer_distance_vjp), "value, pullback"),
    (
        chamfer_distance_vjp,
        changing(chamfer_distance_vjp, lambda dX, dY: (dX, -dY)),
        "`Y`",
    ),
    (
        chamfer_distance_vjp,
        changing(chamfer_distance_vjp, lambda dX, dY: (3 * dX, dY)),
        "`X`",
    ),
    (
        chamfer_distance_vjp,
        changing(chamfer_distance_vjp, lambda dX, dY: (dX, 0 * dY)),
        "Y",
    ),
    (
        chamfer_distance_vjp,
        changing(chamfer_distance_vjp, lambda dX, dY: (dX - dX.mean(), dY)),
        "`X`",
    ),
    (gumbel_softmax_vjp, value_alone(gumbel_softmax_vjp), "value, pullback"),
    (
        gumbel_softmax_vjp,
        changing(gumbel_softmax_vjp, lambda dz: (dz[..., ::-1],)),
        "gave",
    ),
    (
        gumbel_softmax_vjp,
        changing(gumbel_softmax_vjp, lambda dz: (dz + 1,)),
        "gave",
    ),
    (
        gumbel_softmax_vjp,
        changing(gumbel_softmax_vjp, lambda dz: (np.abs(dz),)),
        "gave",
    ),
    (
        gumbel_softmax_vjp,
        changing(gumbel_softmax_vjp, lambda dz: (dz**2,)),
        "gave",
    ),
]

EQUIVALENT = {
    "chamfer_distance_vjp": {
        "((X[..., :, None, :] - Y[..., None, :, :]) ** 2).sum → ((X[..., :, None, :] - Y[..., None, :, :]) ** 2).mean": "The nearest is the same by the mean of the squares.",
    },
}
