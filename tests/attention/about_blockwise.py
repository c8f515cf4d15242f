"""What the tests of all ideas ask of `attention/blockwise`."""

import numpy as np

from transformer_math.attention import (
    attention,
    blockwise_attention,
    online_softmax,
    scores,
    softmax,
)


def state_from_exponentials(m, l, o, S, V):
    """The step with the old state as one more key, whose score is m."""
    whole = np.concatenate([m[..., None], S], axis=-1)
    top = whole.max(axis=-1)
    E = np.exp(whole - np.where(np.isfinite(top), top, 0)[..., None])
    old, new = E[..., :1], E[..., 1:]
    return top, old[..., 0] * l + new.sum(-1), old * o + new @ V


ACCEPTED = {
    blockwise_attention: {"V": {"longer"}},
}

NO_TWIN = {
    online_softmax: "a step of an algorithm for attention, which has a twin",
    blockwise_attention: "the same function as one with a twin, computed in another way",
}

COSTS = {
    blockwise_attention: {"block"},
}

RIGHT = [
    (online_softmax, state_from_exponentials),
    (online_softmax, lambda m, l, o, S, V: list(online_softmax(m, l, o, S, V))),
    (
        blockwise_attention,
        lambda Q, K, V, mask=None, block=256: attention(Q, K, V, mask)[0],
    ),
    (
        blockwise_attention,
        lambda Q, K, V, mask=None, block=1: blockwise_attention(Q, K, V, mask, 3),
    ),
]

WRONG = [
    (
        online_softmax,
        lambda m, l, o, S, V: online_softmax(m, l, o, S, V)[::-1],
        "it gave",
    ),
    (
        online_softmax,
        lambda m, l, o, S, V: (
            np.maximum(m, S.max(-1)),
            l + np.exp(S).sum(-1),
            o + np.exp(S) @ V,
        ),
        "it gave",
    ),
    (
        online_softmax,
        lambda m, l, o, S, V: online_softmax(m, l, o, S, V)[0],
        "it gave",
    ),
    (
        online_softmax,
        lambda m, l, o, S, V: (
            *online_softmax(m, l, o, S, V)[:2],
            softmax(S) @ V,
        ),
        "it gave",
    ),
    (
        online_softmax,
        lambda m, l, o, S, V: (
            lambda top, l, o: (top, l, o / np.maximum(l, 1)[..., None])
        )(*online_softmax(m, l, o, S, V)),
        "You divide by the sum in every step",
    ),
    (
        blockwise_attention,
        lambda Q, K, V, mask=None, block=256: attention(Q, K, V, mask),
        "it gave",
    ),
    (
        blockwise_attention,
        lambda Q, K, V, mask=None, block=256: attention(Q, K, V)[0],
        "You ignore the mask",
    ),
    (
        blockwise_attention,
        lambda Q, K, V, mask=None, block=256: attention(
            Q, K, V, None if mask is None else ~mask
        )[0],
        "upside down",
    ),
    (
        blockwise_attention,
        lambda Q, K, V, mask=None, block=256: attention(
            Q,
            K[..., :block, :],
            V[..., :block, :],
            mask if mask is None else mask[..., :block],
        )[0],
        "it gave",
    ),
    (
        blockwise_attention,
        lambda Q, K, V, mask=None, block=256: (
            softmax(np.where(True if mask is None else mask, scores(Q, K), -1e9)) @ V
        ),
        "a large negative number",
    ),
]

EQUIVALENT = {
    "blockwise_attention": {
        "np.zeros_like(O[..., 0]) → np.zeros_like(O[..., -1])": "All columns have one shape and one type.",
        "256 → 257": "The size of a block changes the cost, not the result.",
        "256 → 255": "The size of a block changes the cost, not the result.",
        "np.full_like(O[..., 0], -np.inf) → np.full_like(O[..., -1], -np.inf)": "All columns have one shape and one type.",
    },
}
