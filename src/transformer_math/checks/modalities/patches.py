"""Checks of patches, against PyTorch's unfold, fold and strided convolution."""

import math

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import few, size, small_batch
from transformer_math.modalities.patches import (
    grid_positions,
    patchify,
    unpatchify,
    vit_input,
)
from transformer_math.position.sinusoidal import sinusoidal


def random_picture(rng):
    """A picture that is a few patches high and wide, seldom square, and the size of its patches."""
    P = few(rng)
    shape = few(rng) * P, few(rng) * P, few(rng)
    return rng.normal(size=(*small_batch(rng), *shape)), P


def channels_first(X):
    """Pictures as PyTorch wants them, in one batch."""
    return torch.from_numpy(X.reshape(-1, *X.shape[-3:])).permute(0, 3, 1, 2)


def unfolded(X, P):
    """PyTorch's squares; each holds channel by channel there, and pixel by pixel here."""
    found = torch.nn.functional.unfold(channels_first(X), P, stride=P).mT
    pixels = found.reshape(*found.shape[:2], X.shape[-1], P * P).mT
    return pixels.reshape(*X.shape[:-3], found.shape[1], -1)


@check(
    patchify,
    equation="eq-patchify",
    symbols={"patch_size": "p", "return": "T"},
    oracle="torch.nn.functional.unfold",
)
def patches_equal_unfold(patchify, rng):
    X, P = random_picture(rng)
    return difference(patchify(X, P), unfolded(X, P))


@patches_equal_unfold.rejects(
    "Your patches come column by column: the second is the one to the right of the first."
)
def column_by_column(X, patch_size):
    T = patchify(X, patch_size)
    H, W = X.shape[-3:-1]
    grid = T.reshape(*T.shape[:-2], H // patch_size, W // patch_size, -1)
    return grid.swapaxes(-3, -2).reshape(T.shape)


@patches_equal_unfold.rejects(
    "You only reshape: a vector then holds pixels of one row of the picture, and no square. Swap two axes in between."
)
def only_reshaped(X, patch_size):
    *lead, H, W, C = X.shape
    n = H * W // patch_size**2
    return X.reshape(*lead, n, patch_size**2 * C)


@patches_equal_unfold.rejects(
    "Inside a patch you go down the columns: wanted its pixels row by row."
)
def turned_inside(X, patch_size):
    *lead, H, W, C = X.shape
    P = patch_size
    squares = X.reshape(*lead, H // P, P, W // P, P, C)
    order = (*range(len(lead)), *(len(lead) + k for k in (0, 2, 3, 1, 4)))
    return squares.transpose(order).reshape(*lead, (H // P) * (W // P), P * P * C)


@patches_equal_unfold.rejects(
    "Your vectors hold one channel after the other: wanted pixel after pixel, each with its channels."
)
def channel_by_channel(X, patch_size):
    T = patchify(X, patch_size)
    pixels = T.reshape(*T.shape[:-1], -1, X.shape[-1])
    return pixels.swapaxes(-1, -2).reshape(T.shape)


@patches_equal_unfold.rejects(
    "Your patches begin at the end: the first is at the top left."
)
def from_the_end(X, patch_size):
    return patchify(X, patch_size)[..., ::-1, :]


@patches_equal_unfold.rejects(
    "You average each patch over its pixels: wanted all of its numbers."
)
def averaged(X, patch_size):
    T = patchify(X, patch_size)
    pixels = T.reshape(*T.shape[:-1], -1, X.shape[-1])
    return np.broadcast_to(pixels.mean(-2, keepdims=True), pixels.shape).reshape(
        T.shape
    )


@check(
    unpatchify,
    equation="eq-unpatchify",
    symbols={"patch_size": "p", "height": "H", "width": "W", "return": "X"},
    oracle="torch.nn.functional.fold",
)
def pictures_equal_fold(unpatchify, rng):
    X, P = random_picture(rng)
    H, W, C = X.shape[-3:]
    T = rng.normal(size=(*X.shape[:-3], H * W // P**2, P * P * C))
    pixels = torch.from_numpy(T).reshape(-1, T.shape[-2], P * P, C)
    columns = pixels.mT.reshape(len(pixels), T.shape[-2], -1).mT
    wanted = torch.nn.functional.fold(columns, (H, W), P, stride=P)
    return difference(
        unpatchify(T, P, H, W), wanted.permute(0, 2, 3, 1).reshape(X.shape)
    )


@pictures_equal_fold.rejects(
    "You only reshape: the pixels of a patch then lie side by side in one row. Swap two axes in between."
)
def only_reshaped_back(T, patch_size, height, width):
    return T.reshape(*T.shape[:-2], height, width, T.shape[-1] // patch_size**2)


@pictures_equal_fold.rejects(
    "You lay the patches down column by column; they come row by row."
)
def laid_by_column(T, patch_size, height, width):
    rows, columns = height // patch_size, width // patch_size
    order = np.arange(rows * columns).reshape(columns, rows).T.ravel()
    return unpatchify(T[..., order, :], patch_size, height, width)


@pictures_equal_fold.rejects(
    "You exchange height and width, and turn the picture: they are the same for squares alone."
)
def sides_exchanged(T, patch_size, height, width):
    return unpatchify(T, patch_size, width, height).reshape(
        *T.shape[:-2], height, width, T.shape[-1] // patch_size**2
    )


@pictures_equal_fold.rejects(
    "Each patch is turned over in your picture: its first numbers are its first row."
)
def patches_turned(T, patch_size, height, width):
    P = patch_size
    pixels = T.reshape(*T.shape[:-1], P, P, -1).swapaxes(-3, -2)
    return unpatchify(pixels.reshape(T.shape), P, height, width)


def pictures_and_parameters(rng):
    """A picture, the size of its patches, and random parameters for it."""
    X, P = random_picture(rng)
    H, W, C = X.shape[-3:]
    d_model = size(rng)
    E = rng.normal(size=(P * P * C, d_model))
    places = rng.normal(size=(H * W // P**2 + 1, d_model))
    return X, P, E, rng.normal(size=d_model), places


def convolved(X, patch_size, E, x_class, P):
    """PyTorch's convolution, whose kernel moves by its own width, with the class token before it."""
    C, d_model = X.shape[-1], E.shape[-1]
    kernel = (
        E.reshape(patch_size, patch_size, C, d_model).permute(3, 2, 0, 1).contiguous()
    )
    pictures = X.reshape(-1, *X.shape[-3:]).permute(0, 3, 1, 2)
    found = torch.nn.functional.conv2d(pictures, kernel, stride=patch_size)
    embedded = found.flatten(2).mT
    first = x_class.expand(len(embedded), 1, d_model)
    return (torch.cat([first, embedded], 1) + P).reshape(*X.shape[:-3], -1, d_model)


@check(
    vit_input,
    equation="eq-vit-input",
    symbols={"x_class": "x^class", "return": "Z"},
    oracle="torch.nn.functional.conv2d with a stride",
)
def input_equals_convolution(vit_input, rng):
    X, patch_size, *others = pictures_and_parameters(rng)
    as_tensors = map(torch.from_numpy, (X, *others))
    X_, E_, class_, P_ = as_tensors
    wanted = convolved(X_, patch_size, E_, class_, P_)
    return difference(vit_input(X, patch_size, *others), wanted)


input_equals_convolution.excuses(
    "there is a class token and at least one patch", "tokens = 1"
)


@input_equals_convolution.rejects("You put the class token last; it comes first.")
def class_last(X, patch_size, E, x_class, P):
    Z = vit_input(X, patch_size, E, x_class, np.zeros_like(P))
    return np.roll(Z, -1, axis=-2) + P


@input_equals_convolution.rejects(
    "Your class token has no position: row 0 of P is its own."
)
def class_without_place(X, patch_size, E, x_class, P):
    return vit_input(X, patch_size, E, x_class - P[0], P)


@input_equals_convolution.rejects(
    "You add no positions: a shuffled picture would look the same to the model."
)
def without_places(X, patch_size, E, x_class, P):
    return vit_input(X, patch_size, E, x_class, np.zeros_like(P))


@input_equals_convolution.rejects(
    "Your positions begin with the patches and wrap around: row 0 is the class token’s, row 1 the first patch’s."
)
def places_shifted(X, patch_size, E, x_class, P):
    return vit_input(X, patch_size, E, x_class, np.roll(P, -1, axis=0))


@input_equals_convolution.rejects(
    "The class token is zero in your version: wanted the learned x_class."
)
def class_forgotten(X, patch_size, E, x_class, P):
    return vit_input(X, patch_size, E, np.zeros_like(x_class), P)


@check(
    grid_positions,
    equation="eq-grid-positions",
    symbols={"rows": "h", "columns": "w", "d_model": "d_model", "return": "G"},
    oracle="Python's math.sin and math.cos, number by number",
)
def grid_equals_sines(grid_positions, rng):
    rows, columns, d_model = size(rng), size(rng), 4 * few(rng)
    half = d_model // 2
    wanted = [
        [
            (math.sin, math.cos)[j % 2](place / 10000 ** ((j - j % 2) / half))
            for place in divmod(i, columns)
            for j in range(half)
        ]
        for i in range(rows * columns)
    ]
    return difference(grid_positions(rows, columns, d_model), wanted)


grid_equals_sines.excuses(
    "rows and columns each take an even half of the width", "d_model = 1"
)


@grid_equals_sines.rejects(
    "The first half of your vectors tells the column; wanted the row first."
)
def column_first(rows, columns, d_model):
    return np.roll(grid_positions(rows, columns, d_model), d_model // 2, axis=1)


@grid_equals_sines.rejects(
    "You go down the columns: the patches come row by row, so the second stands in row 0, column 1."
)
def down_the_columns(rows, columns, d_model):
    P = grid_positions(rows, columns, d_model).reshape(rows, columns, d_model)
    return P.swapaxes(0, 1).reshape(rows * columns, d_model)


@grid_equals_sines.rejects(
    "You count patches in one line: then a patch is as far from the one below as from one a whole row to the right."
)
def in_one_line(rows, columns, d_model):
    return sinusoidal(rows * columns, d_model)


@grid_equals_sines.rejects(
    "You add the two vectors: they stand side by side, each in half of the width."
)
def added(rows, columns, d_model):
    P = grid_positions(rows, columns, 2 * d_model)
    return P[:, :d_model] + P[:, d_model:]
