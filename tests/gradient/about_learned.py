"""What the tests of all ideas ask of `gradient/learned`."""

import numpy as np
from answer_helpers import changing, pulling, value_alone

from transformer_math.gradient import add_learned_position_vjp
from transformer_math.position import add_learned_position


def by_scattering(X, P):
    def pullback(dZ):
        dP = np.zeros(P.shape)
        places = np.broadcast_to(np.arange(X.shape[-2]), X.shape[:-1])
        np.add.at(dP, places, dZ)
        return dZ, dP

    return add_learned_position(X, P), pullback


def rows_alone(dZ, X, P):
    return dZ, dZ.reshape(-1, *dZ.shape[-2:]).sum(axis=0)


REFUSED = [
    (
        add_learned_position_vjp,
        "row for every token",
        {"P": np.ones((1, 4)), "X": np.ones((2, 4))},
    ),
]


def by_loop(X, P):
    def pullback(dZ):
        dP = np.zeros(P.shape)
        for place in np.ndindex(X.shape[:-1]):
            dP[place[-1]] += dZ[place]
        return dZ, dP

    return X + P[: X.shape[-2]], pullback


RIGHT = [
    (add_learned_position_vjp, by_scattering),
    (add_learned_position_vjp, by_loop),
]

WRONG = [
    (
        add_learned_position_vjp,
        value_alone(add_learned_position_vjp),
        "value, pullback",
    ),
    (
        add_learned_position_vjp,
        changing(add_learned_position_vjp, lambda dX, dP: (2 * dX, dP)),
        "`X`",
    ),
    (
        add_learned_position_vjp,
        changing(add_learned_position_vjp, lambda dX, dP: (dX, 2 * dP)),
        "`P`",
    ),
    (
        add_learned_position_vjp,
        changing(add_learned_position_vjp, lambda dX, dP: (dX, -dP)),
        "`P`",
    ),
    (add_learned_position_vjp, pulling(add_learned_position_vjp, rows_alone), "P"),
]
