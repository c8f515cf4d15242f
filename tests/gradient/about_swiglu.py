"""What the tests of all ideas ask of `gradient/swiglu`."""

import numpy as np
from answer_helpers import changing

from transformer_math.block import SwiGLUParameters
from transformer_math.gradient import project_vjp, swiglu_vjp
from transformer_math.trees import map_leaves


def swiglu_from_one_matrix(x, parameters):
    """Gate and content side by side, one projection for both."""
    p, d_g = parameters, parameters.W_g.shape[1]
    both, back = project_vjp(x, np.hstack([p.W_g, p.W_1]))
    gate, content = both[..., :d_g], both[..., d_g:]
    s = 1 / (1 + np.exp(-gate))
    y, back_2 = project_vjp(gate * s * content, p.W_2)

    def pullback(dy):
        dh, dW_2, _ = back_2(dy)
        dgate = dh * content * s * (1 + gate * (1 - s))
        dx, dW, _ = back(np.concatenate([dgate, dh * gate * s], axis=-1))
        return dx, SwiGLUParameters(dW[:, :d_g], dW[:, d_g:], dW_2)

    return y, pullback


RIGHT = [
    (swiglu_vjp, swiglu_from_one_matrix),
]

WRONG = [
    (
        swiglu_vjp,
        changing(swiglu_vjp, lambda dx, dp: (dx, map_leaves(np.zeros_like, dp))),
        "with respect to parameters is missing",
    ),
]
