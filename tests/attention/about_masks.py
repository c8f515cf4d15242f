"""What the tests of all ideas ask of `attention/masks`."""

import numpy as np

from transformer_math.attention import (
    additive_mask,
    causal_mask,
    causal_padding_mask,
    padding_mask,
    sliding_window_mask,
)

ACCEPTED = {
    additive_mask: {"mask": {"longer"}},
    padding_mask: {"lengths": {"longer"}},
    causal_padding_mask: {"lengths": {"longer"}},
}

RIGHT = [
    (causal_mask, lambda n: [[j <= i for j in range(n)] for i in range(n)]),
    (causal_mask, lambda n: np.arange(n)[:, None] >= np.arange(n)),
    (
        causal_padding_mask,
        lambda lengths, n: np.stack(
            [[np.tri(n, dtype=bool) & (np.arange(n) < length)] for length in lengths]
        ),
    ),
    (
        causal_padding_mask,
        lambda lengths, n: (
            np.arange(n)
            <= np.minimum(np.arange(n)[:, None], lengths[:, None, None, None] - 1)
        ),
    ),
    (
        sliding_window_mask,
        lambda n, window: [[i - window < j <= i for j in range(n)] for i in range(n)],
    ),
    (
        sliding_window_mask,
        lambda n, window: np.triu(np.tri(n, dtype=bool), 1 - window),
    ),
]

WRONG = [
    (
        causal_mask,
        lambda n: np.triu(np.ones((n, n)), 1) * -np.inf,
        "Your result holds numbers",
    ),
    (causal_mask, lambda n: np.tri(n).astype(int), "Your ones and zeros are numbers"),
    (
        causal_mask,
        lambda n: np.triu(np.ones((n, n), dtype=bool)),
        "Your mask looks ahead",
    ),
    (
        causal_mask,
        lambda n: ~np.tri(n, dtype=bool),
        "Your mask is upside down, as PyTorch's modules want",
    ),
    (
        causal_mask,
        lambda n: np.where(np.tri(n) == 1, 0, -1000000000.0),
        "Your result holds numbers",
    ),
    (causal_mask, lambda n: np.tri(n + 1, dtype=bool), "it gave"),
    (causal_mask, lambda n: np.ones((n, n), dtype=bool), "it gave"),
    (
        sliding_window_mask,
        lambda n, window: np.arange(n)[:, None] - np.arange(n) < window,
        "Your window has no near end",
    ),
    (
        causal_padding_mask,
        lambda lengths, n: (
            np.tri(n, dtype=bool) | (np.arange(n) < lengths[:, None, None, None])
        ),
        "You allow what one of the two masks allows",
    ),
    (
        causal_padding_mask,
        lambda lengths, n: (
            np.tri(n, dtype=bool) & (np.arange(n) <= lengths[:, None, None, None])
        ),
        "it gave",
    ),
    (
        causal_padding_mask,
        lambda lengths, n: (
            np.tri(n, dtype=bool) & (np.arange(n) < lengths[:, None, None])
        ),
        "Your array lacks the axis of the heads",
    ),
    (
        causal_padding_mask,
        lambda lengths, n: np.tri(n) * (np.arange(n) < lengths[:, None, None, None]),
        "Your result holds numbers",
    ),
    (
        causal_padding_mask,
        lambda lengths, n: np.where(causal_padding_mask(lengths, n), 0.0, -1e9),
        "Your result holds numbers",
    ),
    (
        causal_padding_mask,
        lambda lengths, n: ~causal_padding_mask(lengths, n),
        "upside down",
    ),
    (
        sliding_window_mask,
        lambda n, window: (
            np.abs(np.subtract.outer(np.arange(n), np.arange(n))) < window
        ),
        "Your window looks ahead as well",
    ),
    (
        sliding_window_mask,
        lambda n, window: np.tri(n, dtype=bool) & ~np.tri(n, k=-window - 1, dtype=bool),
        "Your window holds one position too many",
    ),
    (
        sliding_window_mask,
        lambda n, window: np.tri(n, dtype=bool),
        "Your window has no far end",
    ),
    (
        sliding_window_mask,
        lambda n, window: sliding_window_mask(n, window).T,
        "Your result is the transpose",
    ),
    (
        sliding_window_mask,
        lambda n, window: sliding_window_mask(n, window) & ~np.eye(n, dtype=bool),
        "Your window does not hold the token itself",
    ),
    (
        sliding_window_mask,
        lambda n, window: sliding_window_mask(n, window).astype(int),
        "Your result holds numbers",
    ),
]
