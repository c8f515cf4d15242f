"""What the tests of all ideas ask of `gradient/rotary_attention`."""

import numpy as np

from transformer_math.attention import AttentionParameters
from transformer_math.gradient import rotary_attention_vjp


def columns(of_queries: int, of_values: int) -> AttentionParameters:
    """Matrices of tokens of width 4, with so many columns for all heads together."""
    W, V = np.ones((4, of_queries)), np.ones((4, of_values))
    return AttentionParameters(
        W, W, V, V.T, np.zeros(of_queries), np.zeros(of_queries), np.zeros(of_values), np.zeros(4)
    )  # fmt: skip


REFUSED = [
    (rotary_attention_vjp, "even number for each", {"parameters": columns(6, 4)}),
    (rotary_attention_vjp, "W_V has 3 columns", {"parameters": columns(4, 3)}),
]
