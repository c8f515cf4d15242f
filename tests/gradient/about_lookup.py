"""What the tests of all ideas ask of `gradient/lookup`."""

import numpy as np
from answer_helpers import bare_gradient, changing, pulling, value_alone

from transformer_math.embedding import embed, one_hot
from transformer_math.gradient import embed_vjp


def embed_by_loop(ids, E):
    def pullback(dX):
        dE = np.zeros(E.shape)
        for place, token in np.ndenumerate(ids):
            dE[token] += dX[place]
        return (dE,)

    return E[ids], pullback


def embed_by_one_hot(ids, E):
    rows = one_hot(ids.ravel(), len(E))
    return embed(ids, E), lambda dX: (rows.T @ dX.reshape(-1, E.shape[-1]),)


def scattered(dX, ids, E):
    dE = np.zeros_like(E)
    dE[ids] = dX
    return (dE,)


def scattered_once(dX, ids, E):
    dE = np.zeros_like(E)
    dE[ids] += dX
    return (dE,)


def collecting(ids, E):
    """The gradients of all calls in one array."""
    dE = np.zeros_like(E)

    def pullback(dX):
        np.add.at(dE, ids, dX)
        return (dE,)

    return E[ids], pullback


REFUSED = [
    (embed_vjp, "ids hold", {"ids": np.array([0, -1, 10])}),
    (embed_vjp, "ids hold", {"ids": np.array([0, 11, 10])}),
]

RIGHT = [
    (embed_vjp, embed_by_loop),
    (embed_vjp, embed_by_one_hot),
]

WRONG = [
    (embed_vjp, bare_gradient(embed_vjp), "`return (dx,)`, with its comma"),
    (embed_vjp, collecting, "when it is called a second time"),
    (
        embed_vjp,
        changing(embed_vjp, lambda dE: (None,)),
        "Your gradient of `E` is None",
    ),
    (embed_vjp, value_alone(embed_vjp), "value, pullback"),
    (embed_vjp, pulling(embed_vjp, scattered), "Where a token stands twice"),
    (embed_vjp, pulling(embed_vjp, scattered_once), "so does `dE[ids] += dX`"),
    (embed_vjp, changing(embed_vjp, lambda dE: (2 * dE,)), "twice the one wanted"),
    (embed_vjp, changing(embed_vjp, lambda dE: (-dE,)), "wrong sign"),
]

EQUIVALENT = {
    "embed_vjp": {
        "np.argsort(short, axis=None, kind='stable') → np.argsort(short, axis=None)": "The rows of one token are added up in another order, which changes a sum by no more than rounding.",
        "np.add.reduceat(sorted_rows, starts, axis=0) → np.add.reduceat(sorted_rows, starts)": "The default axis of reduceat is the first one.",
    },
    "embed_at_positions_vjp": {
        "sinusoidal(*X.shape[-2:]).astype(X.dtype, copy=False) → sinusoidal(*X.shape[-2:]).astype(X.dtype)": "A copy of an array that nobody else holds has the same numbers.",
        "copy=False → copy=True": "A copy of an array that nobody else holds has the same numbers.",
    },
}
