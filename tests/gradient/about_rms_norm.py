"""What the tests of all ideas ask of `gradient/rms_norm`."""

import numpy as np
from answer_helpers import changing, pulling, same_value, value_alone

from transformer_math.gradient import rms_norm_vjp


def rms_norm_as_a_product(x, gamma, eps=1e-5):
    d = x.shape[-1]
    r = ((x * x).mean(-1, keepdims=True) + eps) ** -0.5

    def pullback(dy):
        g = gamma * dy
        dr = (g * x).sum(-1, keepdims=True)
        dx = g * r - dr * r**3 * x / d
        return dx, (dy * x * r).reshape(-1, d).sum(0)

    return gamma * x * r, pullback


def exchanged_terms(g, x, gamma, eps):
    """The power of r forgotten: r for r³."""
    r = ((x * x).mean(-1, keepdims=True) + eps) ** -0.5
    g_x = (gamma * g * x).mean(-1, keepdims=True)
    return gamma * g * r - g_x * r * x, rms_norm_vjp(x, gamma, eps)[1](g)[1]


RIGHT = [
    (rms_norm_vjp, rms_norm_as_a_product),
    (rms_norm_vjp, same_value(rms_norm_vjp)),
]

WRONG = [
    (rms_norm_vjp, pulling(rms_norm_vjp, exchanged_terms), "The power of r is wrong"),
    (rms_norm_vjp, value_alone(rms_norm_vjp), "value, pullback"),
    (
        rms_norm_vjp,
        pulling(
            rms_norm_vjp,
            lambda g, x, gamma, eps: (
                gamma * g / np.sqrt((x**2).mean(-1, keepdims=True) + eps),
                rms_norm_vjp(x, gamma, eps)[1](g)[1],
            ),
        ),
        "treat the root as a constant",
    ),
    (
        rms_norm_vjp,
        changing(rms_norm_vjp, lambda dx, dgamma: (dx, 0 * dgamma)),
        "gamma is missing",
    ),
    (
        rms_norm_vjp,
        changing(rms_norm_vjp, lambda dx, dgamma: (0 * dx, dgamma)),
        "with respect to x is missing",
    ),
    (
        rms_norm_vjp,
        lambda x, gamma, eps=1e-5: rms_norm_vjp(x, gamma),
        "ignore ε",
    ),
    (
        rms_norm_vjp,
        changing(rms_norm_vjp, lambda dx, dgamma: (-dx, -dgamma)),
        "wrong sign",
    ),
]
