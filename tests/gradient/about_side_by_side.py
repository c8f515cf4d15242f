"""What the tests of all ideas ask of `gradient/side_by_side`."""

import numpy as np
from answer_helpers import changing, value_alone

from transformer_math.gradient import clip_loss_vjp
from transformer_math.modalities import clip_loss

REFUSED = [(clip_loss_vjp, "divided by it overflow", {"temperature": 1e-310})]


def by_powers(U, V, temperature=0.07):
    S = U @ V.T / temperature

    def pullback(g):
        rows = np.exp(S - S.max(axis=1, keepdims=True))
        columns = np.exp(S - S.max(axis=0))
        p = rows / rows.sum(axis=1, keepdims=True) + columns / columns.sum(axis=0)
        p[np.diag_indices(len(S))] -= 2
        p *= g / (2 * len(S) * temperature)
        return p @ V, p.T @ U

    return clip_loss(U, V, temperature), pullback


def term_by_term(U, V, temperature=0.07):
    def pullback(g):
        _, one = clip_loss_vjp(U, V, temperature)
        return tuple(g * part for part in one(1.0))

    return clip_loss(U, V, temperature), pullback


RIGHT = [(clip_loss_vjp, by_powers), (clip_loss_vjp, term_by_term)]

WRONG = [
    (clip_loss_vjp, value_alone(clip_loss_vjp), "value, pullback"),
    (clip_loss_vjp, changing(clip_loss_vjp, lambda dU, dV: (dU, -dV)), "`V`"),
    (clip_loss_vjp, changing(clip_loss_vjp, lambda dU, dV: (2 * dU, dV)), "`U`"),
    (clip_loss_vjp, changing(clip_loss_vjp, lambda dU, dV: (dV, dU)), ""),
    (clip_loss_vjp, changing(clip_loss_vjp, lambda dU, dV: (dU, dV[::-1])), ""),
]
