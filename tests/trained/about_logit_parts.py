"""What the tests of all ideas ask of `trained/logit_parts`."""

import numpy as np

from transformer_math.block import NormParameters, layer_norm
from transformer_math.trained.logit_parts import logit_parts


def by_hand(parts, p, E, eps=1e-5):
    x = parts.sum(0)
    sigma = np.sqrt(np.mean((x - x.mean()) ** 2) + eps)
    rows = [p.gamma * (part - part.mean()) / sigma for part in parts]
    return np.array([[np.dot(row, e) for e in E] for row in rows])


def with_a_matrix(parts, p, E, eps=1e-5):
    d = parts.shape[1]
    centring = np.eye(d) - 1 / d
    x = parts.sum(0) @ centring
    return parts @ centring @ np.diag(p.gamma) @ E.T / np.sqrt(x @ x / d + eps)


def each_normed(parts, p, E, eps=1e-5):
    return layer_norm(parts, NormParameters(p.gamma, 0 * p.beta), eps) @ E.T


def differences(parts, p, E, eps=1e-5):
    """What the logits lose where a part is left out, the divisor with it: another question."""
    x = parts.sum(0)
    return (
        np.array([layer_norm(x, p, eps) - layer_norm(x - r, p, eps) for r in parts])
        @ E.T
    )


RIGHT = [(logit_parts, by_hand), (logit_parts, with_a_matrix)]

WRONG = [
    (logit_parts, each_normed, "the norm has one divisor, that of the sum"),
    (logit_parts, differences, "it gave"),
    (
        logit_parts,
        lambda R, p, E, eps=1e-5: by_hand(R, p, E, eps) + E @ p.beta / len(R),
        "it gave",
    ),
    (
        logit_parts,
        lambda R, p, E, eps=1e-5: R @ E.T,
        "it gave",
    ),
    (
        logit_parts,
        lambda R, p, E, eps=1e-5: by_hand(R, p, E, eps).sum(axis=0, keepdims=True),
        "it gave",
    ),
]  # fmt: skip
