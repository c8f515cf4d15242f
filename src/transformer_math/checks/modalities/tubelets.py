"""Checks of tubelets, against loops over the numbers of a film and PyTorch's convolution in three dimensions."""

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import few, size, small_batch
from transformer_math.modalities.tubelets import tubelets, untubelets, video_input


def random_film(rng):
    """A film that is a few tubelets long, high and wide, and the two sizes of these."""
    L, P = few(rng), few(rng)
    shape = few(rng) * L, few(rng) * P, few(rng) * P, few(rng)
    return rng.normal(size=(*small_batch(rng), *shape)), L, P


def places(X, L, P):
    """For each number of a film, number by number: its token, its place in the token's vector, its place in the film."""
    F, H, W, C = X.shape[-4:]
    for f, y, x, c in np.ndindex(F, H, W, C):
        token = (f // L * (H // P) + y // P) * (W // P) + x // P
        yield token, ((f % L * P + y % P) * P + x % P) * C + c, (f, y, x, c)


@check(
    tubelets,
    equation="eq-tubelets",
    symbols={"length": "tau", "patch_size": "p", "return": "T"},
    oracle="a loop over all numbers of the film",
)
def tubelets_equal_loops(tubelets, rng):
    X, L, P = random_film(rng)
    F, H, W, C = X.shape[-4:]
    wanted = np.zeros((*X.shape[:-4], F * H * W // (L * P * P), L * P * P * C))
    for token, entry, number in places(X, L, P):
        wanted[..., token, entry] = X[(..., *number)]
    return difference(tubelets(X, L, P), wanted)


def cut(X, L, P):
    """The blocks with an axis for each of time, row, column, frame, row and column inside, channel."""
    F, H, W, C = X.shape[-4:]
    return tubelets(X, L, P).reshape(*X.shape[:-4], F // L, H // P, W // P, L, P, P, C)


def reordered(X, L, P, *axes):
    """The same blocks with some of the seven axes in another order."""
    lead = X.ndim - 4
    order = (*range(lead), *(lead + k for k in axes))
    return cut(X, L, P).transpose(order).reshape(tubelets(X, L, P).shape)


@tubelets_equal_loops.rejects(
    "Your tokens go through time first: wanted all tokens of the first frames, then those of the next."
)
def place_by_place(X, length, patch_size):
    return reordered(X, length, patch_size, 1, 2, 0, 3, 4, 5, 6)


@tubelets_equal_loops.rejects(
    "Inside a tubelet your pixels come one by one, each with all its times: wanted frame after frame."
)
def pixel_by_pixel(X, length, patch_size):
    return reordered(X, length, patch_size, 0, 1, 2, 4, 5, 3, 6)


@tubelets_equal_loops.rejects(
    "Your tokens come column by column: the second is the one to the right of the first."
)
def column_by_column(X, length, patch_size):
    return reordered(X, length, patch_size, 0, 2, 1, 3, 4, 5, 6)


@tubelets_equal_loops.rejects(
    "You only reshape: a vector then holds pixels of one row of one frame, and no block. Move the axes in between."
)
def only_reshaped(X, length, patch_size):
    return X.reshape(tubelets(X, length, patch_size).shape)


@tubelets_equal_loops.rejects(
    "You take every so many frames: a tubelet has frames that follow each other."
)
def frames_apart(X, length, patch_size):
    F = X.shape[-4]
    order = np.arange(F).reshape(length, F // length).T.ravel()
    return tubelets(X[..., order, :, :, :], length, patch_size)


@tubelets_equal_loops.rejects(
    "You average over the frames of a tubelet: wanted all of its numbers."
)
def mean_frame(X, length, patch_size):
    blocks = cut(X, length, patch_size)
    mean = np.broadcast_to(blocks.mean(axis=-4, keepdims=True), blocks.shape)
    return mean.reshape(tubelets(X, length, patch_size).shape)


@check(
    untubelets,
    equation="eq-untubelets",
    symbols={
        "length": "tau", "patch_size": "p", "frames": "F", "height": "H", "width": "W", "return": "X",
    },
    oracle="a loop over all numbers of the film",
)  # fmt: skip
def films_equal_loops(untubelets, rng):
    X, L, P = random_film(rng)
    T = rng.normal(size=tubelets(X, L, P).shape)
    wanted = np.zeros(X.shape)
    for token, entry, number in places(X, L, P):
        wanted[(..., *number)] = T[..., token, entry]
    return difference(untubelets(T, L, P, *X.shape[-4:-1]), wanted)


@films_equal_loops.rejects(
    "You only reshape: the pixels of a tubelet then lie side by side in one row. Move the axes in between."
)
def only_reshaped_back(T, length, patch_size, frames, height, width):
    return T.reshape(untubelets(T, length, patch_size, frames, height, width).shape)


@films_equal_loops.rejects(
    "You exchange height and width, and turn every frame: they are the same for squares alone."
)
def sides_exchanged(T, length, patch_size, frames, height, width):
    turned = untubelets(T, length, patch_size, frames, width, height)
    return turned.reshape(*T.shape[:-2], frames, height, width, -1)


@films_equal_loops.rejects(
    "You read the tokens place by place; they come time by time, each time row by row."
)
def read_place_by_place(T, length, patch_size, frames, height, width):
    times = frames // length
    order = np.arange(T.shape[-2]).reshape(-1, times).T.ravel()
    return untubelets(T[..., order, :], length, patch_size, frames, height, width)


@films_equal_loops.rejects("Your film runs backwards: the first tokens are its first.")
def backwards(T, length, patch_size, frames, height, width):
    X = untubelets(T, length, patch_size, frames, height, width)
    return X[..., ::-1, :, :, :]


def films_and_parameters(rng):
    """A film, the sizes of its tubelets, and random parameters for it."""
    X, L, P = random_film(rng)
    F, H, W, C = X.shape[-4:]
    d_model = size(rng)
    shapes = (L * P * P * C, d_model), (d_model,), (H * W // P**2 + 1, d_model), (F // L, d_model)  # fmt: skip
    return X, L, P, *(rng.normal(size=shape) for shape in shapes)


def convolved(X, length, patch_size, E, x_class, P_space, P_time):
    """PyTorch's convolution in space and time, whose kernel moves by its own size; the positions token by token."""
    C, d_model = X.shape[-1], E.shape[-1]
    kernel = E.reshape(length, patch_size, patch_size, C, d_model)
    films = X.reshape(-1, *X.shape[-4:]).permute(0, 4, 1, 2, 3)
    stride = length, patch_size, patch_size
    found = torch.nn.functional.conv3d(
        films, kernel.permute(4, 3, 0, 1, 2).contiguous(), stride=stride
    )
    embedded = found.flatten(2).mT
    n = len(P_space) - 1
    told = [embedded[:, i] + P_space[1 + i % n] + P_time[i // n] for i in range(embedded.shape[1])]  # fmt: skip
    first = (x_class + P_space[0]).expand(len(embedded), d_model)
    return torch.stack([first, *told], 1).reshape(*X.shape[:-4], -1, d_model)


@check(
    video_input,
    equation="eq-video-input",
    oracle="torch.nn.functional.conv3d with a stride",
)
def film_equals_convolution(video_input, rng):
    X, L, P, *others = films_and_parameters(rng)
    wanted = convolved(torch.from_numpy(X), L, P, *map(torch.from_numpy, others))
    return difference(video_input(X, L, P, *others), wanted)


film_equals_convolution.excuses(
    "there is a class token and at least one tubelet", "places = 1"
)


@film_equals_convolution.rejects(
    "Your positions in space and in time are exchanged in order: tokens come time by time, and each time has all places."
)
def places_repeated(X, length, patch_size, E, x_class, P_space, P_time):
    zero = 0 * P_space, 0 * P_time
    Z = video_input(X, length, patch_size, E, x_class, *zero)
    told = (P_space[1:, None] + P_time).reshape(-1, E.shape[1])
    return Z + np.concatenate([P_space[:1], told])


@film_equals_convolution.rejects(
    "You tell the tokens no time: a film and the same film backwards would be one to the model."
)
def without_times(X, length, patch_size, E, x_class, P_space, P_time):
    return video_input(X, length, patch_size, E, x_class, P_space, 0 * P_time)


@film_equals_convolution.rejects(
    "You tell the tokens no place in the frame: add the positions in space."
)
def without_places(X, length, patch_size, E, x_class, P_space, P_time):
    return video_input(X, length, patch_size, E, x_class, 0 * P_space, P_time)


@film_equals_convolution.rejects(
    "Your class token gets a time too; it has a position in space alone."
)
def class_at_the_first_time(X, length, patch_size, E, x_class, P_space, P_time):
    return video_input(X, length, patch_size, E, x_class + P_time[0], P_space, P_time)


@film_equals_convolution.rejects(
    "The class token is zero in your version: wanted the learned x_class."
)
def class_forgotten(X, length, patch_size, E, x_class, P_space, P_time):
    return video_input(X, length, patch_size, E, 0 * x_class, P_space, P_time)


@film_equals_convolution.rejects("You put the class token last; it comes first.")
def class_last(X, length, patch_size, E, x_class, P_space, P_time):
    Z = video_input(X, length, patch_size, E, x_class, P_space, P_time)
    return np.roll(Z, -1, axis=-2)
