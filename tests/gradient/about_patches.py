"""What the tests of all ideas ask of `gradient/patches`."""

import numpy as np
from answer_helpers import changing, value_alone

from transformer_math.gradient import vit_input_vjp
from transformer_math.modalities import patchify, unpatchify, vit_input


def given(**changed):
    """A picture of two by two pixels in one patch, but for what is changed."""
    fitting = {
        "X": np.ones((2, 2, 1)),
        "patch_size": 2,
        "E": np.ones((4, 5)),
        "x_class": np.ones(5),
        "P": np.ones((2, 5)),
    }
    return fitting | changed


REFUSED = [
    (vit_input_vjp, "do not divide", given(X=np.ones((2, 3, 1)))),
    (vit_input_vjp, "E has 3 rows", given(E=np.ones((3, 5)))),
    (vit_input_vjp, "P has 1 rows", given(P=np.ones((1, 5)))),
]


def token_by_token(X, patch_size, E, x_class, P):
    def pullback(dZ):
        T, dE, dT = patchify(X, patch_size), np.zeros(E.shape), []
        for place in np.ndindex(T.shape[:-1]):
            arrived = dZ[(*place[:-1], place[-1] + 1)]
            dE += np.outer(T[place], arrived)
            dT.append(E @ arrived)
        dX = unpatchify(np.reshape(dT, T.shape), patch_size, *X.shape[-3:-1])
        dP = sum(dZ[place] for place in np.ndindex(X.shape[:-3]))
        return dX, dE, dP[0], dP

    return vit_input(X, patch_size, E, x_class, P), pullback


def by_tensordot(X, patch_size, E, x_class, P):
    def pullback(dZ):
        T, arrived = patchify(X, patch_size), dZ[..., 1:, :]
        places = range(T.ndim - 1)
        dP = np.add.reduce(dZ, axis=tuple(range(dZ.ndim - 2)))
        dX = unpatchify(np.tensordot(arrived, E, (-1, -1)), patch_size, *X.shape[-3:-1])
        return dX, np.tensordot(T, arrived, (places, places)), dP[0], dP

    return vit_input(X, patch_size, E, x_class, P), pullback


RIGHT = [
    (vit_input_vjp, token_by_token),
    (vit_input_vjp, by_tensordot),
]

WRONG = [
    (vit_input_vjp, value_alone(vit_input_vjp), "value, pullback"),
    (
        vit_input_vjp,
        changing(vit_input_vjp, lambda dX, dE, dx, dP: (dX, dE, 2 * dx, dP)),
        "`x_class`",
    ),
    (
        vit_input_vjp,
        changing(vit_input_vjp, lambda dX, dE, dx, dP: (-dX, dE, dx, dP)),
        "`X`",
    ),
    (
        vit_input_vjp,
        changing(vit_input_vjp, lambda dX, dE, dx, dP: (dX, dE, dx, dP[::-1])),
        "`P`",
    ),
    (
        vit_input_vjp,
        changing(vit_input_vjp, lambda dX, dE, dx, dP: (dX, dE[::-1], dx, dP)),
        "`E`",
    ),
]
