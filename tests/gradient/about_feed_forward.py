"""What the tests of all ideas ask of `gradient/feed_forward`."""

import numpy as np
from answer_helpers import changing, pulling, same_value, value_alone

from transformer_math.block import FeedForwardParameters
from transformer_math.gradient import feed_forward_vjp, relu_vjp
from transformer_math.trees import map_leaves


def network_in_one(x, parameters, activation_vjp=relu_vjp):
    p, d = parameters, x.shape[-1]
    flat = x.reshape(-1, d)
    hidden, back = activation_vjp(flat @ p.W_1 + p.b_1)

    def pullback(dy):
        dy = dy.reshape(-1, d)
        (dwide,) = back(dy @ p.W_2.T)
        sums = dwide.sum(0), dy.sum(0)
        return (dwide @ p.W_1.T).reshape(x.shape), FeedForwardParameters(
            flat.T @ dwide, sums[0], hidden.T @ dy, sums[1]
        )

    return (hidden @ p.W_2 + p.b_2).reshape(x.shape), pullback


def network_without_slope(g, x, p, activation_vjp):
    always_on = lambda wide: (activation_vjp(wide)[0], lambda d: (d,))  # noqa: E731
    return feed_forward_vjp(x, p, always_on)[1](g)


def in_a_row(x, parameters, activation_vjp=relu_vjp):
    y, pullback = feed_forward_vjp(x, parameters, activation_vjp)

    def pull(dy):
        dx, d = pullback(dy)
        return dx, d.W_1, d.b_1, d.W_2, d.b_2

    return y, pull


RIGHT = [
    (feed_forward_vjp, network_in_one),
    (feed_forward_vjp, same_value(feed_forward_vjp)),
]

WRONG = [
    (feed_forward_vjp, in_a_row, "returns 5 gradients; wanted 2, of `x`, `parameters`"),
    (
        feed_forward_vjp,
        changing(feed_forward_vjp, lambda dx, dp: (dx, tuple(vars(dp).values()))),
        "wanted FeedForwardParameters, the form of `parameters` itself",
    ),
    (feed_forward_vjp, value_alone(feed_forward_vjp), "value, pullback"),
    (
        feed_forward_vjp,
        pulling(feed_forward_vjp, network_without_slope),
        "activation is skipped",
    ),
    (
        feed_forward_vjp,
        changing(feed_forward_vjp, lambda dx, dp: (0 * dx, dp)),
        "with respect to x is missing",
    ),
    (
        feed_forward_vjp,
        changing(feed_forward_vjp, lambda dx, dp: (dx, map_leaves(np.zeros_like, dp))),
        "with respect to parameters is missing",
    ),
    (
        feed_forward_vjp,
        lambda x, parameters, activation_vjp=relu_vjp: feed_forward_vjp(x, parameters),
        "always use ReLU",
    ),
]
