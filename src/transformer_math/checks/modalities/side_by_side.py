"""Checks of three later ways, against PyTorch and loops over single vectors."""

import math

import numpy as np
import torch

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import or_edge, size, sometimes, tokens
from transformer_math.modalities.codebook import nearest_codes
from transformer_math.modalities.side_by_side import (
    clip_loss,
    noised,
    residual_codes,
)


def levels_of_codes(rng):
    """Vectors, and codebooks that get finer; in some cases on a grid, where several codes are equally near."""
    n, levels, k, d = size(rng), size(rng), size(rng), size(rng)
    if rng.random() < 0.4:
        return (
            rng.integers(-2, 3, (n, d)).astype(float),
            rng.integers(-2, 3, (levels, k, d)).astype(float),
        )
    scale = 2.0 ** -np.arange(levels)[:, None, None]
    return rng.normal(size=(n, d)), rng.normal(size=(levels, k, d)) * scale


def one_by_one(Z, C):
    """Vector by vector, with PyTorch's distances."""
    codes = np.zeros((len(C), len(Z)), dtype=int)
    for i, z in enumerate(torch.from_numpy(Z)):
        for level, codebook in enumerate(torch.from_numpy(C)):
            apart = ((codebook - z) ** 2).sum(dim=1).tolist()
            codes[level, i] = apart.index(min(apart))
            z = z - codebook[codes[level, i]]
    return codes


@check(
    residual_codes,
    equation="eq-residual-codes",
    symbols={"return": "a"},
    oracle="one vector after the other, with distances by torch",
)
def levels_as_one_by_one(residual_codes, rng):
    Z, C = levels_of_codes(rng)
    return difference(residual_codes(Z, C), one_by_one(Z, C))


@levels_as_one_by_one.rejects(
    "Every level looks at the vector itself: from the second on, look at what is left of it."
)
def without_residual(Z, C):
    return np.stack([nearest_codes(Z, codebook) for codebook in C])


@levels_as_one_by_one.rejects(
    "You add the code to what is left; it has to be taken away."
)
def code_added(Z, C):
    codes, left = [], Z
    for codebook in C:
        codes.append(nearest_codes(left, codebook))
        left = left + codebook[codes[-1]]
    return np.stack(codes)


@levels_as_one_by_one.rejects(
    "You begin with the last codebook: the first is the coarse one."
)
def last_first(Z, C):
    return residual_codes(Z, C[::-1])[::-1]


@levels_as_one_by_one.rejects("Every level uses the first codebook: each has its own.")
def one_codebook(Z, C):
    return residual_codes(Z, np.broadcast_to(C[0], C.shape))


@levels_as_one_by_one.rejects(
    "You take away from the vector itself each time: take away from what the levels before have left."
)
def only_the_last_code(Z, C):
    codes, left = [], Z
    for codebook in C:
        codes.append(nearest_codes(left, codebook))
        left = Z - codebook[codes[-1]]
    return np.stack(codes)


@levels_as_one_by_one.rejects(
    "After the third level you no longer take anything away: every level codes what all before it have left."
)
def three_levels(Z, C):
    codes, left = [], Z
    for level, codebook in enumerate(C):
        codes.append(nearest_codes(left, codebook))
        if level < 2:
            left = left - codebook[codes[-1]]
    return np.stack(codes)


@check(
    noised,
    equation="eq-noised",
    symbols={"noise": "z", "kept": "alpha", "return": "x'"},
    oracle="torch.lerp between squares, number by number",
)
def noise_by_angle(noised, rng):
    x = tokens(rng, size(rng))
    noise = rng.normal(size=x.shape)
    kept = float(or_edge(rng, rng.integers(2), rng.random()))
    angle = math.acos(math.sqrt(kept))
    wanted = torch.from_numpy(x) * math.cos(angle) + torch.from_numpy(noise) * math.sin(
        angle
    )
    return difference(noised(x, noise, kept), wanted)


@noise_by_angle.rejects(
    "You mix by the shares themselves: then the variance shrinks in between. It is the squares of the factors that sum to 1."
)
def mixed_linearly(x, noise, kept):
    return kept * x + (1 - kept) * noise


@noise_by_angle.rejects(
    "You exchange signal and noise: the share that is kept is the signal's."
)
def exchanged(x, noise, kept):
    return noised(noise, x, kept)


@noise_by_angle.rejects(
    "You add the noise and keep the signal whole: the sum then has a larger variance than either."
)
def signal_whole(x, noise, kept):
    return x + math.sqrt(1 - kept) * noise


@noise_by_angle.rejects(
    "The noise has to be weighted too, by the root of the share that is not kept."
)
def noise_whole(x, noise, kept):
    return math.sqrt(kept) * x + noise


def pictures_and_texts(rng):
    """Unit vectors, those of a picture and its text somewhat alike; a temperature in some cases."""
    n, d = size(rng), size(rng)
    U = rng.normal(size=(n, d))
    V = U + rng.normal(size=(n, d))
    U, V = (X / np.linalg.norm(X, axis=1, keepdims=True) for X in (U, V))
    given, temperature = sometimes(
        rng, float(or_edge(rng, 1e-3, rng.uniform(0.02, 2))), 0.07
    )
    return U, V, given, temperature


def torch_clip(U, V, temperature=0.07):
    S = U @ V.mT / temperature
    own = torch.arange(len(S))
    entropies = (torch.nn.functional.cross_entropy(x, own) for x in (S, S.mT))
    return sum(entropies) / 2


@check(
    clip_loss,
    equation="eq-clip-loss",
    symbols={"temperature": "tau", "return": "mathcal:L"},
    oracle="the mean of two torch cross-entropies",
)
def clip_equals_torch(clip_loss, rng):
    U, V, given, temperature = pictures_and_texts(rng)
    wanted = torch_clip(torch.from_numpy(U), torch.from_numpy(V), temperature)
    return difference(clip_loss(U, V, *given), wanted)


def _halves(U, V, temperature=0.07):
    S = torch.from_numpy(U @ V.T / temperature)
    own = torch.arange(len(S))
    return [float(torch.nn.functional.cross_entropy(x, own)) for x in (S, S.mT)]


@clip_equals_torch.rejects(
    "You look for the text of each picture alone: the texts look for their pictures too."
)
def pictures_alone(U, V, temperature=0.07):
    return _halves(U, V, temperature)[0]


@clip_equals_torch.rejects(
    "You look for the picture of each text alone: the pictures look for their texts too."
)
def texts_alone(U, V, temperature=0.07):
    return _halves(U, V, temperature)[1]


@clip_equals_torch.rejects("You add both halves: wanted their mean.")
def both_added(U, V, temperature=0.07):
    return sum(_halves(U, V, temperature))


@clip_equals_torch.rejects(
    "You multiply by the temperature: scores are divided by it, so that a small one sharpens."
)
def times_temperature(U, V, temperature=0.07):
    return clip_loss(U, V, 1 / temperature)


@clip_equals_torch.rejects("You ignore the temperature.")
def temperature_ignored(U, V, temperature=0.07):
    return clip_loss(U, V)


@clip_equals_torch.rejects(
    "You take the logarithm of probabilities that may be 0: use log-softmax."
)
def log_of_softmax(U, V, temperature=0.07):
    S = torch.from_numpy(U @ V.T / temperature)
    p = torch.exp(S - S.max())
    with np.errstate(divide="ignore"):
        rows, columns = (
            np.log((p / p.sum(dim=a, keepdim=True)).diagonal().numpy() + 1e-9)
            for a in (1, 0)
        )
    return -float(rows.mean() + columns.mean()) / 2
