"""What the tests of all ideas ask of `gradient/multi_head`."""

import numpy as np
from example_values import Z, model

from transformer_math.attention import AttentionParameters, causal_mask
from transformer_math.gradient import multi_head_attention_vjp, self_attention_vjp

layer = model.layers[0]


heads: AttentionParameters = layer.attention


def heads_of(d_q, d_v):
    wide, narrow = np.ones((4, d_q)), np.ones((4, d_v))
    b_q, b_v = np.ones(d_q), np.ones(d_v)
    return AttentionParameters(wide, wide, narrow, narrow.T, b_q, b_q, b_v, np.ones(4))


EXAMPLES = {
    self_attention_vjp: {
        "Z": Z,
        "parameters": heads,
        "n_heads": 2,
        "mask": causal_mask(3),
    },
}

REFUSED = [
    (multi_head_attention_vjp, "W_Q has", {"parameters": heads_of(4, 3)}),
    (multi_head_attention_vjp, "W_Q has", {"parameters": heads_of(3, 4)}),
]
