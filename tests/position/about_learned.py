"""What the tests of all ideas ask of `position/learned`."""

import numpy as np

from transformer_math.embedding import embed
from transformer_math.position import add_learned_position

ACCEPTED = {add_learned_position: {"P": {"longer"}}}

RIGHT = [
    (add_learned_position, lambda X, P: X + embed(np.arange(X.shape[-2]), P)),
    (add_learned_position, lambda X, P: (X + P[: X.shape[-2]]).tolist()),
]

WRONG = [
    (add_learned_position, lambda X, P: X + P[-X.shape[-2] :], "last rows"),
    (
        add_learned_position,
        lambda X, P: X + P[1 : X.shape[-2] + 1].sum(axis=0),
        "it gave",
    ),
    (add_learned_position, lambda X, P: X - P[: X.shape[-2]], "it gave"),
    (
        add_learned_position,
        lambda X, P: np.broadcast_to(P[: X.shape[-2]], X.shape),
        "it gave",
    ),
    (
        add_learned_position,
        lambda X, P: X + P[np.arange(X.shape[-2]) % 2 % len(P)],
        "it gave",
    ),
]
