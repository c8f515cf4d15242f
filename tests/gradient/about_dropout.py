"""What the tests of all ideas ask of `gradient/dropout`."""

import numpy as np
from answer_helpers import bare_gradient, pulling, same_value

from transformer_math.gradient import dropout_vjp
from transformer_math.training import dropout


def twice_the_same(x, kept, p):
    return dropout(x, kept, p), lambda dy: (dropout(dy, kept, p),)


def by_what_came_out(dy, x, kept, p):
    return (np.where(dropout(x, kept, p) == 0, 0, dy),)


ACCEPTED = {dropout_vjp: {"p": {"0"}}}

RIGHT = [
    (dropout_vjp, twice_the_same),
    (dropout_vjp, same_value(dropout_vjp)),
]

WRONG = [
    (
        dropout_vjp,
        pulling(dropout_vjp, lambda dy, x, kept, p: (dy / (1 - p),)),
        "moved nothing",
    ),
    (
        dropout_vjp,
        pulling(dropout_vjp, lambda dy, x, kept, p: (dy * kept,)),
        "lost on the way back",
    ),
    (dropout_vjp, pulling(dropout_vjp, by_what_came_out), "lost on the way back"),
    (dropout_vjp, bare_gradient(dropout_vjp), "tuple"),
    (
        dropout_vjp,
        pulling(dropout_vjp, lambda dy, x, kept, p: (x * kept / (1 - p),)),
        "the gradient of",
    ),
]
