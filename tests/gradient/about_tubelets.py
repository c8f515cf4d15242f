"""What the tests of all ideas ask of `gradient/tubelets`."""

import numpy as np
from answer_helpers import changing, value_alone

from transformer_math.gradient import video_input_vjp
from transformer_math.modalities import tubelets, untubelets, video_input


def well(**changed):
    """A valid call, some of its arguments changed."""
    return {
        "X": np.ones((2, 2, 2, 1)),
        "length": 2,
        "patch_size": 2,
        "E": np.ones((8, 5)),
        "x_class": np.ones(5),
        "P_space": np.ones((2, 5)),
        "P_time": np.ones((1, 5)),
        **changed,
    }


REFUSED = [
    (video_input_vjp, "do not divide", well(X=np.ones((3, 2, 2, 1)))),
    (video_input_vjp, "E has 3 rows", well(E=np.ones((3, 5)))),
    (video_input_vjp, "P_space has 3 rows", well(P_space=np.ones((3, 5)))),
    (video_input_vjp, "P_time has 2 rows", well(P_time=np.ones((2, 5)))),
]


def token_by_token(X, length, patch_size, E, x_class, P_space, P_time):
    def pullback(dZ):
        T, n = tubelets(X, length, patch_size), len(P_space) - 1
        dT, dE, dS, dU = np.zeros(T.shape), 0 * E, 0 * P_space, 0 * P_time
        for place in np.ndindex(T.shape[:-1]):
            arrived = dZ[(*place[:-1], place[-1] + 1)]
            time, where = divmod(place[-1], n)
            dE += np.outer(T[place], arrived)
            dT[place] = E @ arrived
            dS[where + 1] += arrived
            dU[time] += arrived
        dx = sum(dZ[(*place, 0)] for place in np.ndindex(T.shape[:-2]))
        dS[0] = dx
        dX = untubelets(dT, length, patch_size, *X.shape[-4:-1])
        return dX, dE, dx, dS, dU

    told = X, length, patch_size, E, x_class, P_space, P_time
    return video_input(*told), pullback


def from_lists(*arguments):
    value, pullback = token_by_token(*arguments)
    return value.tolist(), pullback


def with_change(change):
    return changing(video_input_vjp, change)


RIGHT = [(video_input_vjp, token_by_token), (video_input_vjp, from_lists)]

WRONG = [
    (video_input_vjp, value_alone(video_input_vjp), "value, pullback"),
    (video_input_vjp, with_change(lambda X, E, x, S, U: (-X, E, x, S, U)), "`X`"),
    (video_input_vjp, with_change(lambda X, E, x, S, U: (X, 2 * E, x, S, U)), "`E`"),
    (video_input_vjp, with_change(lambda X, E, x, S, U: (X, E, x, S[::-1], U)), "`P_space`"),
    (video_input_vjp, with_change(lambda X, E, x, S, U: (X, E, x, S, U[::-1])), "`P_time`"),
]  # fmt: skip
