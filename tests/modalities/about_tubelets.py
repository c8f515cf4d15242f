"""What the tests of all ideas ask of `modalities/tubelets`; `tests/abouts.py` explains the names."""

import numpy as np

from transformer_math.modalities import tubelets, untubelets

ACCEPTED = {tubelets: {"X": {"longer"}}}  # another film, which tubelets divide

NO_TWIN = {
    tubelets: "it moves numbers and computes none; video_input_vjp takes their gradients back to the pixels",
    untubelets: "it moves numbers and computes none",
}


def one_by_one(X, L, p):
    *lead, F, H, W, _ = X.shape
    blocks = [
        X[..., f : f + L, y : y + p, x : x + p, :].reshape(*lead, -1)
        for f in range(0, F, L)
        for y in range(0, H, p)
        for x in range(0, W, p)
    ]
    return np.stack(blocks, axis=-2)


def filled(T, L, p, F, H, W):
    X = np.zeros((*T.shape[:-2], F, H, W, T.shape[-1] // (L * p * p)))
    for n in range(T.shape[-2]):
        f, rest = divmod(n, (H // p) * (W // p))
        y, x = divmod(rest, W // p)
        block = T[..., n, :].reshape(*T.shape[:-2], L, p, p, -1)
        X[..., f * L :, y * p :, x * p :, :][..., :L, :p, :p, :] = block
    return X


RIGHT = [
    (tubelets, one_by_one),
    (tubelets, lambda X, L, p: one_by_one(X, L, p).tolist()),
    (untubelets, filled),
    (untubelets, lambda *arguments: filled(*arguments).tolist()),
]

WRONG = [
    (tubelets, lambda X, L, p: one_by_one(X, L, p)[..., ::-1], "it gave"),
    (tubelets, lambda X, L, p: one_by_one(X[..., ::-1, :, :, :], L, p), "it gave"),
    (tubelets, lambda X, L, p: one_by_one(X, L, p)[..., ::-1, :], "it gave"),
    (tubelets, lambda X, L, p: one_by_one(X.swapaxes(-3, -2), L, p), "it gave"),
    (tubelets, lambda X, L, p: one_by_one(X, 1, p), "it gave"),
    (untubelets, lambda T, *sizes: filled(T[..., ::-1, :], *sizes), "it gave"),
    (untubelets, lambda T, *sizes: filled(T[..., ::-1], *sizes), "it gave"),
    (
        untubelets,
        lambda T, *sizes: filled(T, *sizes)[..., ::-1, :, :, :],
        "backwards",
    ),
    (untubelets, lambda T, *sizes: filled(T, *sizes)[..., ::-1, :], "it gave"),
    (untubelets, lambda T, *sizes: 0 * filled(T, *sizes), "it gave"),
]

EQUIVALENT = {
    "video_input": {
        "P_time.shape[-1] → P_time.shape[1]": "The positions are a matrix: its last axis is 1.",
    },
}
