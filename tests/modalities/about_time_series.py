"""What the tests of all ideas ask of `modalities/time_series`; `tests/abouts.py` explains the names."""

import numpy as np
import torch

from transformer_math.modalities import (
    conv_block,
    dilated_convolution,
    masked_projection,
    receptive_field,
    timestamp_vectors,
    windows,
)

ACCEPTED = {windows: {"X": {"longer"}}, dilated_convolution: {"X": {"longer"}}}

NO_TWIN = {
    windows: "it moves numbers and computes none",
    conv_block: "its pullback is put together from dilated_convolution_vjp and gelu_vjp, in trained/time_series",
    timestamp_vectors: "its pullback is put together from those of its parts, in trained/time_series",
}


def convolved(X, W, b, r):
    """Moment by moment and tap by tap."""
    Y, half = np.zeros((*X.shape[:-1], len(b))) + b, len(W) // 2
    for t in range(X.shape[-2]):
        for k in range(len(W)):
            u = t + (k - half) * r
            if 0 <= u < X.shape[-2]:
                Y[..., t, :] += X[..., u, :] @ W[k]
    return Y


def cut(X, width, stride):
    pieces = []
    start = 0
    while start + width <= X.shape[-2]:
        piece = X[..., start : start + width, :]
        pieces.append(piece.reshape(*X.shape[:-2], -1))
        start += stride
    return np.stack(pieces, axis=-2)


def gelu(x):
    return torch.nn.functional.gelu(torch.from_numpy(x)).numpy()


def block(H, p, r):
    return H + convolved(gelu(convolved(gelu(H), p.W_1, p.b_1, r)), p.W_2, p.b_2, r)


def masked(X, W, b, keep):
    H = X @ W + b
    H[~keep] = 0
    return H


def vectors(X, p, keep):
    H = masked(X, p.W, p.b, keep)
    for l, one in enumerate(p.blocks):
        H = block(H, one, 2**l)
    return H


def field(K, L):
    return 1 + sum(2 * (K - 1) * 2**l for l in range(L))


RIGHT = [
    (windows, cut),
    (windows, lambda X, w, s: cut(X, w, s).tolist()),
    (masked_projection, masked),
    (
        masked_projection,
        lambda X, W, b, keep: np.where(keep[..., None], X @ W + b, 0).tolist(),
    ),
    (dilated_convolution, convolved),
    (dilated_convolution, lambda X, W, b, r: convolved(X, W, b, r).tolist()),
    (conv_block, block),
    (conv_block, lambda H, p, r: block(H, p, r).tolist()),
    (timestamp_vectors, vectors),
    (timestamp_vectors, lambda X, p, keep: vectors(X, p, keep).tolist()),
    (receptive_field, field),
    (receptive_field, lambda K, L: 2 * (K - 1) * 2**L - 2 * K + 3),
]

WRONG = [
    (windows, lambda X, w, s: cut(X, w, s)[..., ::-1], "it gave"),
    (windows, lambda X, w, s: cut(X, w, s) / 2, "it gave"),
    (windows, lambda X, w, s: cut(X, w, s)[..., ::-1, :], "it gave"),
    (windows, lambda X, w, s: cut(X[..., ::-1, :], w, s), "it gave"),
    (windows, lambda X, w, s: cut(X, w, w), "overlap"),
    (masked_projection, lambda X, W, b, keep: X @ W + b, "hide nothing"),
    (masked_projection, lambda X, W, b, keep: masked(X, W, -b, keep), "it gave"),
    (masked_projection, lambda X, W, b, keep: masked(X, W, b, ~keep), "turned over"),
    (masked_projection, lambda X, W, b, keep: -masked(X, W, b, keep), "it gave"),
    (masked_projection, lambda X, W, b, keep: masked(X, W, 0 * b, keep), "bias"),
    (dilated_convolution, lambda X, W, b, r: convolved(X, W[::-1], b, r), "turned"),
    (dilated_convolution, lambda X, W, b, r: convolved(X, W, b, r + 1), "it gave"),
    (dilated_convolution, lambda X, W, b, r: convolved(X, W, 0 * b, r), "it gave"),
    (dilated_convolution, lambda X, W, b, r: convolved(X, W, b, 1), "taps"),
    (dilated_convolution, lambda X, W, b, r: convolved(X, W, b, r) / len(W), "it gave"),
    (conv_block, lambda H, p, r: block(H, p, r) - H, "added"),
    (conv_block, lambda H, p, r: block(H, p, 1), "it gave"),
    (conv_block, lambda H, p, r: block(H, p, r) - p.b_2, "it gave"),
    (conv_block, lambda H, p, r: H, "it gave"),
    (conv_block, lambda H, p, r: block(H, p, r) + H, "it gave"),
    (
        timestamp_vectors,
        lambda X, p, keep: keep[..., None] * vectors(X, p, keep | True),
        "after the convolutions",
    ),
    (timestamp_vectors, lambda X, p, keep: masked(X, p.W, p.b, keep), "it gave"),
    (timestamp_vectors, lambda X, p, keep: vectors(X, p, ~keep), "it gave"),
    (timestamp_vectors, lambda X, p, keep: vectors(X, p, keep | True), "it gave"),
    (timestamp_vectors, lambda X, p, keep: -vectors(X, p, keep), "it gave"),
    (receptive_field, lambda K, L: 1 + (K - 1) * (2**L - 1), "two"),
    (receptive_field, lambda K, L: K * 2**L, "it gave"),
    (receptive_field, lambda K, L: field(K, L) + 1, "it gave"),
    (receptive_field, lambda K, L: field(K, L + 1), "it gave"),
    (receptive_field, lambda K, L: field(K, L) - 1, "itself"),
]

EQUIVALENT_FORMULAS = {
    "eq-dilated-convolution": {
        "k &= 0, \\dots, K + 1": "the sum asks for no offset after the last",
    },
}
