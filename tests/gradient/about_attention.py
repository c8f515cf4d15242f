"""What the tests of all ideas ask of `gradient/attention`."""

import numpy as np
from answer_helpers import (
    changing,
    in_place,
    pulling,
    pulling_nothing,
    same_value,
    value_alone,
)

from transformer_math.attention import attention, softmax_jacobian
from transformer_math.gradient import attention_vjp, scores_vjp, softmax_vjp


def scores_by_loops(Q, K):
    scale = Q.shape[-1] ** -0.5
    columns = np.moveaxis(K, -2, 0)
    S = np.stack([(Q * k[..., None, :]).sum(-1) for k in columns], axis=-1) * scale

    def pullback(dS):
        dQ = sum(dS[..., [j]] * k[..., None, :] for j, k in enumerate(columns))
        dK = [(dS[..., [j]] * Q).sum(-2) for j in range(len(columns))]
        return dQ * scale, np.stack(dK, axis=-2) * scale

    return S, pullback


def attention_with_a_jacobian(Q, K, V, mask=None):
    O, A = attention(Q, K, V, mask)

    def pullback(dO):
        dS = ((dO @ V.mT)[..., None, :] @ softmax_jacobian(A))[..., 0, :]
        dS = dS / np.sqrt(Q.shape[-1])
        return dS @ K, dS.mT @ Q, A.mT @ dO

    return O, pullback


def filled_with_minus_a_billion(Q, K, V, mask=None):
    S = Q @ K.mT / np.sqrt(Q.shape[-1])
    A, through = softmax_vjp(S if mask is None else np.where(mask, S, -1e9))

    def pullback(dO):
        (dS,) = through(dO @ V.mT)
        return (
            dS @ K / np.sqrt(Q.shape[-1]),
            dS.mT @ Q / np.sqrt(Q.shape[-1]),
            A.mT @ dO,
        )

    return A @ V, pullback


def truth_of_a_mask(Q, K, V, mask=None):
    return attention_vjp(Q, K, V, mask if mask else None)


RIGHT = [
    (scores_vjp, scores_by_loops),
    (attention_vjp, attention_with_a_jacobian),
    (scores_vjp, same_value(scores_vjp)),
    (attention_vjp, same_value(attention_vjp)),
]

WRONG = [
    (scores_vjp, changing(scores_vjp, lambda dQ, dK: (dK, dQ)), "in another order"),
    (scores_vjp, changing(scores_vjp, lambda dQ, dK: (dQ,)), "returns 1 gradient;"),
    (
        scores_vjp,
        changing(scores_vjp, lambda dQ, dK: (dQ, dK.mT)),
        "Your gradient of `K` has shape",
    ),
    (
        scores_vjp,
        lambda Q, K: (Q @ K.mT, lambda g: (g @ K, g.mT @ Q)),
        "The value, your first result, is not right yet",
    ),
    (attention_vjp, filled_with_minus_a_billion, "a large negative number"),
    (attention_vjp, truth_of_a_mask, "write `if mask is not None:`"),
    (scores_vjp, value_alone(scores_vjp), "value, pullback"),
    (
        scores_vjp,
        pulling(scores_vjp, lambda g, Q, K: (g @ K, g.mT @ Q)),
        "scale is lost",
    ),
    (
        scores_vjp,
        changing(scores_vjp, lambda dQ, dK: (dQ, 0 * dK)),
        "with respect to K is missing",
    ),
    (
        scores_vjp,
        changing(scores_vjp, lambda dQ, dK: (0 * dQ, dK)),
        "with respect to Q is missing",
    ),
    (scores_vjp, changing(scores_vjp, lambda dQ, dK: (2 * dQ, 2 * dK)), "twice"),
    (attention_vjp, value_alone(attention_vjp), "value, pullback"),
    (
        attention_vjp,
        changing(attention_vjp, lambda dQ, dK, dV: (dQ, dK, 0 * dV)),
        "with respect to V is missing",
    ),
    (
        attention_vjp,
        pulling(
            attention_vjp,
            lambda g, Q, K, V, mask: attention_vjp(
                Q * np.sqrt(np.sqrt(Q.shape[-1])), K, V, mask
            )[1](g),
        ),
        "it gave",
    ),
    (
        attention_vjp,
        pulling_nothing(
            lambda Q, K, V, mask=None: attention_vjp(Q, K, V), lambda *twin: twin
        ),
        "mask",
    ),
    (attention_vjp, in_place(attention_vjp), "changes the gradient"),
]


EQUIVALENT_FORMULAS = {
    "book/gradient/attention": {
        "\\delta_{ji}": "δ is symmetric",
    },
}
