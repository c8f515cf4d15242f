"""What the tests of all ideas ask of `gradient/rope`."""

import numpy as np
from answer_helpers import pulling

from transformer_math.gradient import rope_half_split_vjp, rope_vjp, rotate_pairs_vjp
from transformer_math.position import rope


def rope_by_matrices(x, positions, base=10000.0):
    d = x.shape[-1]
    units = np.repeat(np.eye(d)[:, None, :], len(positions), axis=1)
    R = rope(units, positions, base)  # R[k, i] is where dimension k goes at position i
    return np.einsum("...ik,kij->...ij", x, R), lambda g: (
        np.einsum("...ij,kij->...ik", g, R),
    )


REFUSED = [
    (rope_vjp, "even d_k", {"x": np.ones((3, 5))}),
    (rope_half_split_vjp, "even d_k", {"x": np.ones((3, 5))}),
    (rotate_pairs_vjp, "one angle for each", {"x": np.ones((3, 5))}),
    (rotate_pairs_vjp, "one angle for each", {"x": np.ones((3, 6))}),
]

RIGHT = [
    (rope_vjp, rope_by_matrices),
]

WRONG = [
    (
        rope_vjp,
        pulling(rope_vjp, lambda g, x, positions, base: (rope(g, positions, base),)),
        "You turn the gradient on",
    ),
    (
        rope_vjp,
        pulling(rope_vjp, lambda g, x, positions, base: (rope(g, -positions),)),
        "the gradient of `",
    ),
]
