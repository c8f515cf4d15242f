"""What the tests of all ideas ask of `gradient/layer_norm`."""

from dataclasses import replace

import numpy as np
from answer_helpers import changing, pulling, same_value, value_alone

from transformer_math.block import NormParameters
from transformer_math.gradient import add_norm_vjp, layer_norm_vjp
from transformer_math.trees import map_leaves


def norm_by_projection(x, p, eps=1e-5):
    """The Jacobian of one token as a matrix."""
    d = x.shape[-1]
    c = x - x.mean(-1, keepdims=True)
    s = np.sqrt((c * c).mean(-1, keepdims=True) + eps)
    z = c / s

    def pullback(dy):
        inner = np.eye(d) - 1 / d - z[..., :, None] * z[..., None, :] / d
        dx = ((dy * p.gamma)[..., None, :] @ inner)[..., 0, :] / s
        rows = (-1, d)
        return dx, NormParameters(
            (dy * z).reshape(rows).sum(0), dy.reshape(rows).sum(0)
        )

    return z * p.gamma + p.beta, pullback


def add_norm_of_the_sum(x, update, p, eps=1e-5):
    y, norm = norm_by_projection(update + x, p, eps)

    def pullback(dy):
        dx, *rest = norm(dy)
        return [dx, dx, *rest]

    return y, pullback


def rows_of_each_token(g, x, p, eps):
    dx, *_ = layer_norm_vjp(x, p, eps)[1](g)
    z = (layer_norm_vjp(x, p, eps)[0] - p.beta) / p.gamma
    return dx, NormParameters(g * z, g)


RIGHT = [
    (layer_norm_vjp, norm_by_projection),
    (add_norm_vjp, add_norm_of_the_sum),
    (layer_norm_vjp, same_value(layer_norm_vjp)),
    (add_norm_vjp, same_value(add_norm_vjp)),
]

WRONG = [
    (
        layer_norm_vjp,
        pulling(layer_norm_vjp, rows_of_each_token),
        "gamma has shape",
    ),
    (
        layer_norm_vjp,
        changing(layer_norm_vjp, lambda dx, dp: (dx, replace(dp, beta=dp.gamma))),
        "Right are the value and the gradient of `x`, `parameters.gamma`; wrong is that of `parameters.beta`",
    ),
    (
        add_norm_vjp,
        changing(add_norm_vjp, lambda dx, du, *rest: (dx / 2, du / 2, *rest)),
        "a sum hands each of them the whole of it",
    ),
    (layer_norm_vjp, value_alone(layer_norm_vjp), "value, pullback"),
    (
        layer_norm_vjp,
        changing(layer_norm_vjp, lambda dx, dp: (dx, replace(dp, gamma=0 * dp.gamma))),
        "γ is missing",
    ),
    (
        layer_norm_vjp,
        changing(layer_norm_vjp, lambda dx, dp: (dx, replace(dp, beta=0 * dp.beta))),
        "β is missing",
    ),
    (
        layer_norm_vjp,
        pulling(
            layer_norm_vjp,
            lambda g, x, p, eps: (
                p.gamma * g / np.sqrt(x.var(-1, keepdims=True) + eps),
                *layer_norm_vjp(x, p, eps)[1](g)[1:],
            ),
        ),
        "the gradient of `",
    ),
    (
        layer_norm_vjp,
        changing(layer_norm_vjp, lambda *both: map_leaves(np.negative, both)),
        "wrong sign",
    ),
    (add_norm_vjp, value_alone(add_norm_vjp), "value, pullback"),
    (
        add_norm_vjp,
        pulling(
            add_norm_vjp,
            lambda g, x, u, p, eps: (lambda dx, *rest: (g + dx, dx, *rest))(
                *layer_norm_vjp(x + u, p, eps)[1](g)
            ),
        ),
        "goes around the normalisation",
    ),
    (
        add_norm_vjp,
        changing(add_norm_vjp, lambda dx, du, *rest: (dx, 0 * du, *rest)),
        "update is missing",
    ),
    (
        add_norm_vjp,
        changing(add_norm_vjp, lambda dx, du, *rest: (0 * dx, du, *rest)),
        "x is missing",
    ),
    (
        add_norm_vjp,
        lambda x, update, p, eps=1e-5: add_norm_vjp(x, update, p),
        "ignore ε",
    ),
]


EQUIVALENT_FORMULAS = {
    "book/gradient/block": {
        "\\Bigl( x_j + \\frac{1}{d}": "the other bracket sums to zero, so any constant may be added here",
        "\\Bigl( x_j - \\frac{d}{1}": "the other bracket sums to zero, so any constant may be added here",
        "\\Bigl( \\Delta_j + \\frac{1}{d}": "the other bracket sums to zero, so any constant may be added here",
        "\\Bigl( \\Delta_j - \\frac{d}{1}": "the other bracket sums to zero, so any constant may be added here",
    },
}
