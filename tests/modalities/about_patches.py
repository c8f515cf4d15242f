"""What the tests of all ideas ask of `modalities/patches`; `tests/abouts.py` explains the names."""

import numpy as np

from transformer_math.modalities import (
    grid_positions,
    patchify,
    unpatchify,
    vit_input,
)
from transformer_math.position import sinusoidal

ACCEPTED = {patchify: {"X": {"longer"}}}  # another picture, which patches divide

NO_TWIN = {
    patchify: "it moves numbers and computes none; vit_input_vjp takes their gradients back to the pixels",
    unpatchify: "it moves numbers and computes none",
}


def one_by_one(X, p):
    *lead, H, W, _ = X.shape
    squares = [
        X[..., y : y + p, x : x + p, :].reshape(*lead, -1)
        for y in range(0, H, p)
        for x in range(0, W, p)
    ]
    return np.stack(squares, axis=-2)


def rows_joined(T, p, H, W):
    """Strips of patches side by side, and the strips below each other."""
    grid = T.reshape(*T.shape[:-2], H // p, W // p, p, p, T.shape[-1] // p**2)
    strips = np.concatenate(np.moveaxis(grid, -4, 0), axis=-2)
    return strips.reshape(*T.shape[:-2], H, W, -1)


RIGHT = [
    (patchify, one_by_one),
    (patchify, lambda X, p: one_by_one(X, p).tolist()),
    (unpatchify, rows_joined),
    (unpatchify, lambda T, p, H, W: rows_joined(T, p, H, W).tolist()),
    (
        vit_input,
        lambda X, p, E, x, P: np.insert(patchify(X, p) @ E, 0, x, axis=-2) + P,
    ),
    (
        vit_input,
        lambda X, p, E, x, P: (np.insert(one_by_one(X, p) @ E, 0, x, -2) + P).tolist(),
    ),
    (
        grid_positions,
        lambda rows, columns, d: np.concatenate(
            [
                np.repeat(sinusoidal(rows, d // 2), columns, axis=0),
                np.tile(sinusoidal(columns, d // 2), (rows, 1)),
            ],
            axis=1,
        ),
    ),
    (
        grid_positions,
        lambda rows, columns, d: [
            [*sinusoidal(rows, d // 2)[r], *sinusoidal(columns, d // 2)[s]]
            for r in range(rows)
            for s in range(columns)
        ],
    ),
]

WRONG = [
    (patchify, lambda X, p: one_by_one(X, p)[..., ::-1], "it gave"),
    (patchify, lambda X, p: one_by_one(np.swapaxes(X, -3, -2), p), "it gave"),
    (patchify, lambda X, p: one_by_one(X, p) / 255, "it gave"),
    (patchify, lambda X, p: one_by_one(X[..., :1], p), "it gave"),
    (patchify, lambda X, p: one_by_one(X, p)[..., 1:, :], "it gave"),
    (unpatchify, lambda T, p, H, W: rows_joined(T, p, H, W)[..., ::-1, :], "it gave"),
    (unpatchify, lambda T, p, H, W: rows_joined(T, p, H, W)[..., ::-1], "it gave"),
    (
        unpatchify,
        lambda T, p, H, W: rows_joined(T, p, H, W).swapaxes(-3, -2),
        "it gave",
    ),
    (unpatchify, lambda T, p, H, W: 0 * rows_joined(T, p, H, W), "it gave"),
    (unpatchify, lambda T, p, H, W: rows_joined(T, p, H, W)[..., :1], "it gave"),
    (vit_input, lambda X, p, E, x, P: patchify(X, p) @ E + P[1:], "it gave"),
    (
        vit_input,
        lambda X, p, E, x, P: np.insert(patchify(X, p) @ E, 0, x, -2),
        "positions",
    ),
    (
        vit_input,
        lambda X, p, E, x, P: np.insert(patchify(X, p) @ E, 0, 0, -2) + P,
        "class token",
    ),
    (
        vit_input,
        lambda X, p, E, x, P: np.insert(patchify(X, p) @ E + x, 0, x, -2) + P,
        "it gave",
    ),
    (
        vit_input,
        lambda X, p, E, x, P: np.insert(patchify(X, p) @ E, 0, x, -2) - P,
        "it gave",
    ),
    (
        grid_positions,
        lambda rows, columns, d: sinusoidal(rows * columns, d),
        "one line",
    ),
    (
        grid_positions,
        lambda rows, columns, d: grid_positions(columns, rows, d),
        "it gave",
    ),
    (
        grid_positions,
        lambda rows, columns, d: grid_positions(rows, columns, d)[::-1],
        "it gave",
    ),
    (
        grid_positions,
        lambda rows, columns, d: grid_positions(rows, columns, d) / 2,
        "it gave",
    ),
    (
        grid_positions,
        lambda rows, columns, d: np.roll(grid_positions(rows, columns, d), 1, axis=1),
        "it gave",
    ),
]

EQUIVALENT = {
    "unpatchify": {
        "T.reshape(*lead, height // P, width // P, P, P, -1) → T.reshape(height // P, *lead, width // P, P, P, -1)": "The leading axes and that of the rows keep their order in memory, and the last reshape reads it.",
    },
}
