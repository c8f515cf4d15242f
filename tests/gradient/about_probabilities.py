"""What the tests of all ideas ask of `gradient/probabilities`."""

import numpy as np
from answer_helpers import bare_gradient, changing, pulling, value_alone

from transformer_math.attention import softmax
from transformer_math.gradient import (
    log_softmax_vjp,
    logits_vjp,
    probabilities_vjp,
)
from transformer_math.output import log_softmax


def log_softmax_by_jacobian(x):
    p = softmax(x)
    slopes = np.eye(x.shape[-1]) - p[..., None, :]
    return np.log(p), lambda g: ((g[..., None, :] @ slopes)[..., 0, :],)


def log_softmax_by_shares(x):
    log_p = log_softmax(x)
    p = np.exp(log_p)
    return log_p, lambda g: (np.subtract(g, p * np.sum(g, axis=-1)[..., None]),)


def logits_by_einsum(Z, W_out, b_out=0.0):
    def pullback(g):
        rows, gradients = Z.reshape(-1, Z.shape[-1]), g.reshape(-1, g.shape[-1])
        db = gradients.sum(axis=0) if np.ndim(b_out) else gradients.sum()
        dW = np.einsum("nd,nv->dv", rows, gradients)
        return np.einsum("...v,dv->...d", g, W_out), dW, db

    return np.einsum("...d,dv->...v", Z, W_out) + b_out, pullback


def logits_by_tensordot(Z, W_out, b_out=0.0):
    axes = tuple(range(Z.ndim - 1))

    def pullback(g):
        db = g.sum(axis=axes) if np.ndim(b_out) else g.sum()
        return g @ W_out.T, np.tensordot(Z, g, axes=(axes, axes)), db

    return Z @ W_out + b_out, pullback


REFUSED = [
    (log_softmax_vjp, "a row holds", {"x": np.array([[0.0], [-np.inf]])}),
    (probabilities_vjp, "a row holds", {"logits": np.array([[0.0], [-np.inf]])}),
    (
        probabilities_vjp,
        "the temperature is",
        {"logits": np.array([1e300, 0.0]), "temperature": 1e-300},
    ),
]

RIGHT = [
    (log_softmax_vjp, log_softmax_by_jacobian),
    (log_softmax_vjp, log_softmax_by_shares),
    (logits_vjp, logits_by_einsum),
    (logits_vjp, logits_by_tensordot),
]

WRONG = [
    (log_softmax_vjp, bare_gradient(log_softmax_vjp), "with its comma"),
    (log_softmax_vjp, value_alone(log_softmax_vjp), "value, pullback"),
    (
        log_softmax_vjp,
        changing(log_softmax_vjp, lambda dx: (-dx,)),
        "wrong sign",
    ),
    (
        log_softmax_vjp,
        pulling(log_softmax_vjp, lambda g, x: (g + softmax(x),)),
        "the gradient of `",
    ),
    (logits_vjp, value_alone(logits_vjp), "value, pullback"),
    (
        logits_vjp,
        changing(logits_vjp, lambda dZ, dW, db: (dZ, 2 * dW, db)),
        "`W_out`",
    ),
    (
        logits_vjp,
        changing(logits_vjp, lambda dZ, dW, db: (dZ, dW, 0 * db)),
        "`b_out`",
    ),
    (
        logits_vjp,
        changing(logits_vjp, lambda dZ, dW, db: (-dZ, dW, db)),
        "`Z`",
    ),
    (
        logits_vjp,
        changing(logits_vjp, lambda dZ, dW, db: (dZ, dW.T, db)),
        "`W_out`",
    ),
    (
        log_softmax_vjp,
        pulling(log_softmax_vjp, lambda g, x: (g - softmax(x) * g,)),
        "the gradient of `",
    ),
    (
        probabilities_vjp,
        changing(probabilities_vjp, lambda dlogits: (dlogits / 2,)),
        "the gradient of `",
    ),
]
