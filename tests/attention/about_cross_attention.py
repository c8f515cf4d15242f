"""What the tests of all ideas ask of `attention/cross_attention`."""

import numpy as np
from answer_helpers import attention_by_einsum

from transformer_math.attention import attention, cross_attention

ACCEPTED = {
    cross_attention: {"W_V": {"longer"}},
}

RIGHT = [
    (
        cross_attention,
        lambda Z, Y, W_Q, W_K, W_V, mask=None: attention(
            Z @ W_Q, *(Y @ W for W in (W_K, W_V)), mask
        ),
    ),
    (
        cross_attention,
        lambda Z, memory, W_Q, W_K, W_V, mask=None: list(
            attention_by_einsum(Z @ W_Q, memory @ W_K, memory @ W_V, mask)
        ),
    ),
]

WRONG = [
    (
        cross_attention,
        lambda Z, Y, W_Q, W_K, W_V, mask=None: (
            (
                *cross_attention(
                    Z,
                    Y,
                    W_Q,
                    W_K,
                    np.einsum("mo,oe->me", W_V, np.eye(W_V.shape[1])),
                    mask,
                )[:1],
                np.einsum("nd,md->nm", Z @ W_Q, Y @ W_K),
            )
        ),
        "write them as `...` in einsum",
    ),
    (
        cross_attention,
        lambda Z, Y, W_Q, W_K, W_V, mask=None: attention(
            Z @ W_Q, Y @ W_K, Y @ W_V, mask
        )[0],
        "You return only the first of two results",
    ),
    (
        cross_attention,
        lambda Z, Y, W_Q, W_K, W_V, mask=None: attention(Z @ W_Q, Y @ W_K, Y @ W_V),
        "You ignore the mask",
    ),
    (
        cross_attention,
        lambda Z, Y, W_Q, W_K, W_V, mask=None: cross_attention(
            Z * np.sqrt(W_Q.shape[1]), Y, W_Q, W_K, W_V, mask
        ),
        "it gave",
    ),
    (
        cross_attention,
        lambda Z, Y, W_Q, W_K, W_V, mask=None: cross_attention(
            Z, Y[..., :1, :], W_Q, W_K, W_V
        ),
        "it gave",
    ),
    (
        cross_attention,
        lambda Z, Y, W_Q, W_K, W_V, mask=None: cross_attention(
            Z, Y, W_Q, W_K, W_V, None if mask is None else ~mask
        ),
        "upside down",
    ),
]
