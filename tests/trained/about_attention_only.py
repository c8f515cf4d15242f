"""What the tests of all ideas ask of `trained/attention_only`."""

from functools import reduce

from transformer_math.attention import multi_head_attention
from transformer_math.block import pre_norm
from transformer_math.trained.attention_only import attention_only

RIGHT = [
    (
        attention_only,
        lambda Z, layers, n_heads, mask=None: reduce(
            lambda z, p: pre_norm(
                z,
                lambda x: multi_head_attention(x, x, p.attention, n_heads, mask)[0],
                p.norm,
            ),
            layers,
            Z,
        ),
    ),
    (
        attention_only,
        lambda Z, ps, H, mask=None: attention_only(
            attention_only(Z, ps[:1], H, mask), ps[1:], H, mask
        ),
    ),
]

WRONG = [
    (
        attention_only,
        lambda Z, layers, n_heads, mask=None: attention_only(
            Z, layers[:1], n_heads, mask
        ),
        "it gave",
    ),
    (
        attention_only,
        lambda Z, layers, n_heads, mask=None: attention_only(Z, layers, n_heads),
        "mask",
    ),
    (
        attention_only,
        lambda Z, layers, n_heads, mask=None: attention_only(
            Z, layers[::-1], n_heads, mask
        ),
        "it gave",
    ),
    (
        attention_only,
        lambda Z, layers, n_heads, mask=None: (
            attention_only(Z, layers, n_heads, mask) - Z
        ),
        "it gave",
    ),
    (
        attention_only,
        lambda Z, layers, n_heads, mask=None: attention_only(Z, layers, 1, mask),
        "it gave",
    ),
]
