"""What the tests of all ideas ask of `gradient/softmax`."""

import numpy as np
from answer_helpers import (
    bare_gradient,
    changing,
    in_place,
    pulling,
    pulling_nothing,
    same_value,
    value_alone,
)

from transformer_math.attention import softmax, softmax_jacobian
from transformer_math.gradient import softmax_vjp

REFUSED = [(softmax_vjp, "x holds inf", {"x": np.array([0.0, np.inf])})]


def softmax_by_jacobian(x):
    A = softmax(x)
    return A, lambda dA: ((softmax_jacobian(A) @ dA[..., None])[..., 0],)


def silent(made):
    """A pullback without a return."""
    return pulling_nothing(made, lambda value, pull: (value, lambda g: None))


def naive_softmax(x):
    A = np.exp(x) / np.exp(x).sum(-1, keepdims=True)
    return A, lambda g: (A * (g - (A * g).sum(-1, keepdims=True)),)


def in_nested_lists(x):
    A, pullback = softmax_vjp(x)
    return A.tolist(), lambda g: [pullback(g)[0].tolist()]


RIGHT = [
    (softmax_vjp, in_nested_lists),
    (softmax_vjp, softmax_by_jacobian),
    (softmax_vjp, same_value(softmax_vjp)),
]

WRONG = [
    (softmax_vjp, bare_gradient(softmax_vjp), "`return (dx,)`, with its comma"),
    (softmax_vjp, silent(softmax_vjp), "Your pullback returns nothing"),
    (softmax_vjp, naive_softmax, "Your exponentials overflow"),
    (softmax_vjp, lambda x: softmax_vjp(x)[::-1], "the value first, then the pullback"),
    (
        softmax_vjp,
        pulling(softmax_vjp, lambda g, x: (softmax(x) @ g,)),
        "its pullback raised ValueError: matmul",
    ),
    (softmax_vjp, value_alone(softmax_vjp), "value, pullback"),
    (softmax_vjp, in_place(softmax_vjp), "changes the gradient that it is given"),
    (
        softmax_vjp,
        pulling(softmax_vjp, lambda g, x: (softmax(x) * g,)),
        "The sum is missing",
    ),
    (
        softmax_vjp,
        pulling(softmax_vjp, lambda g, x: (softmax(x) * (g - g.mean(-1)[..., None]),)),
        "plain mean",
    ),
    (softmax_vjp, changing(softmax_vjp, lambda dx: (-dx,)), "wrong sign"),
]
