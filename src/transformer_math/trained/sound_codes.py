"""Codes for eleven seconds of speech: a small VQ-VAE on the frames of its spectrogram, with codebooks of many sizes.

`make train MODEL=sound_codes` trains all of them, in some minutes, and writes what they gave; interrupted, it goes on with
the first model that is not yet trained.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float

from transformer_math.gradient.vq_vae import vq_vae_loss_vjp
from transformer_math.modalities.codebook import (
    code_perplexity,
    lloyd_step,
    moving_average_codebook,
    nearest_codes,
    quantise,
)
from transformer_math.modalities.spectrogram import stft
from transformer_math.modalities.vq_vae import VqVae, decode, encode
from transformer_math.signals.sound import RATE, speech
from transformer_math.trained.committed import (
    float32,
    read_committed,
    read_records,
    write_committed,
    write_records,
)
from transformer_math.training.adam import adam_start, adam_step

SIZE, HOP, BINS = 256, 64, 128  # the last frequency, half the rate, is empty
FLOOR = 0.02  # what is softer than this counts as silence
CODES, WIDTH = 4, 4  # of a frame, and numbers in a code
KEPT = 8 * RATE // HOP  # frames of the first eight seconds; the model learns from them
APART = SIZE // HOP  # frames between, which share samples with both sides
SIZES = 2, 4, 8, 16, 32, 64, 128, 256
SEEDS = 0, 1, 2
DECIBEL = 20 / np.log(10)  # of one natural logarithm
LEVEL, FADE = 0.09, RATE // 100  # of what is played: root mean square, and samples
NAME = "sound_codes"


@dataclass(frozen=True)
class Recipe:
    """How a model is trained."""

    k: int = 64
    seed: int = 0
    from_means: bool = (
        True  # the codebook begins with k-means, else with small random numbers
    )
    averages: bool = True  # the codes are moving averages, else Adam moves them
    revived: bool = False  # a code that is hardly chosen begins anew at some vector
    steps: int = 500
    batch_size: int = 128
    learning_rate: float = 5e-3
    beta: float = 1.0
    decay: float = 0.98


def padded(x: np.ndarray) -> np.ndarray:
    """A sound with silence at both ends, so that each of its samples is in as many windows as any other."""
    return np.pad(x, SIZE - HOP)


@cache
def waves() -> tuple[np.ndarray, np.ndarray]:
    """Cosines and sines in each window of the speech."""
    return stft(padded(speech()), SIZE, HOP)


def loudness(magnitudes: np.ndarray) -> np.ndarray:
    """Logarithms of magnitudes, without the last frequency."""
    return np.log(magnitudes[:, :BINS] + FLOOR)


@cache
def frames() -> tuple[Float[np.ndarray, "n 128"], float, float]:
    """What the model reads: the loudness of the frames, scaled to mean 0 and deviation 1 in the first eight seconds; and both."""
    found = loudness(np.hypot(*waves()))
    mean, deviation = found[:KEPT].mean(), found[:KEPT].std()
    return ((found - mean) / deviation).astype(np.float32), mean, deviation


def learned() -> np.ndarray:
    """The frames that a model learns from."""
    return frames()[0][:KEPT]


def held_out() -> np.ndarray:
    """The frames of the last three seconds, which no model learns from."""
    return frames()[0][KEPT + APART :]


def magnitudes(scaled: np.ndarray) -> np.ndarray:
    """Back from what the model writes to magnitudes, never negative; the last frequency is silent."""
    _, mean, deviation = frames()
    found = np.exp(scaled * deviation + mean) - FLOOR
    return np.pad(np.maximum(found, 0), ((0, 0), (0, 1))).astype(float)


def heard(
    x: np.ndarray, cut: int = SIZE - HOP, level: float = LEVEL, fade: int = FADE
) -> np.ndarray:
    """A sound as it is played: without the ends that fewer windows cover, as loud as any other, faded in and out."""
    inner = x[cut : len(x) - cut]
    ramp = np.minimum(1, np.arange(len(inner)) / fade)
    return level / np.sqrt(np.square(inner).mean()) * inner * ramp * ramp[::-1]


def decibels(X: np.ndarray, rebuilt: np.ndarray) -> float:
    """How far apart two spectrograms are: the root of the mean square of their differences in loudness."""
    return float(np.sqrt(np.square(X - rebuilt).mean()) * frames()[2] * DECIBEL)


def rebuilt(X: np.ndarray, parameters: VqVae) -> tuple[np.ndarray, np.ndarray]:
    """The frames that a model makes of some, and their codes."""
    ids = nearest_codes(encode(X, parameters), parameters.C)
    return decode(ids, parameters), ids


def k_means(Z: np.ndarray, k: int, rng: np.random.Generator, steps: int) -> np.ndarray:
    """Codes for some vectors: k of them to begin with, and then Lloyd's steps."""
    C = Z[rng.choice(len(Z), k, replace=False)]
    for _ in range(steps):
        C = lloyd_step(Z, C)
    return C


def initial(recipe: Recipe, rng: np.random.Generator) -> VqVae:
    """An encoder of random directions, a decoder that turns them back, and a codebook."""
    width, k = CODES * WIDTH, recipe.k
    W = np.linalg.qr(rng.normal(size=(BINS, width)))[0]
    codes = rng.uniform(-1 / k, 1 / k, size=(k, WIDTH))
    model = VqVae(W, np.zeros(width), codes, W.T.copy(), np.zeros(BINS))
    model = float32(model)
    if recipe.from_means:
        Z = encode(learned(), model).reshape(-1, WIDTH)
        model = replace(model, C=k_means(Z, k, rng, steps=5))
    return model


def train_codes(recipe: Recipe) -> VqVae:
    """Train a model from nothing, with Adam."""
    rng, X = np.random.default_rng(recipe.seed), learned()
    model = initial(recipe, rng)
    state = adam_start(model)
    N, M = np.zeros(recipe.k, np.float32), np.zeros_like(model.C)
    for step in range(1, recipe.steps + 1):
        batch = X[rng.integers(len(X), size=recipe.batch_size)]
        (gradient,) = vq_vae_loss_vjp(batch, model, recipe.beta)[1](1.0)
        Z, C = encode(batch, model).reshape(-1, WIDTH), model.C
        if recipe.averages:
            gradient = replace(gradient, C=np.zeros_like(C))
        rate = recipe.learning_rate * min(1, step / 50) * (1 - step / recipe.steps)
        model, state = adam_step(model, gradient, state, rate)
        if recipe.averages:
            C, N, M = moving_average_codebook(Z, C, N, M, step, recipe.decay)
            model = replace(model, C=C)
        if recipe.revived and step % 25 == 0 and step < recipe.steps / 2:
            model, N, M = _revived(model, Z, N, M, 1 - recipe.decay**step, rng)
    return model


def _revived(model, Z, N, M, weight, rng):
    """Codes that fewer than one vector in a batch chooses, on average, are put on vectors of this batch."""
    counts = N / weight
    if not N.any():  # Adam moves the codes, and nobody has counted
        counts = np.bincount(nearest_codes(Z, model.C), minlength=len(N))
    dead = counts < 1
    put = np.where(dead[:, None], Z[rng.integers(len(Z), size=len(N))], model.C)
    N = np.where(dead, weight, N).astype(N.dtype)
    M = np.where(dead[:, None], put * weight, M).astype(M.dtype)
    return replace(model, C=put.astype(model.C.dtype)), N, M


def measured(recipe: Recipe, model: VqVae) -> dict[str, Any]:
    """What came of a training: error on what it learned from and on what it did not, and how many codes are in use."""
    (seen, ids), (unseen, _) = (rebuilt(X, model) for X in (learned(), held_out()))
    return {
        "k": recipe.k,
        "seed": recipe.seed,
        "start": "k-means" if recipe.from_means else "random",
        "codes": "averages" if recipe.averages else "gradient",
        "revived": recipe.revived,
        "learned": decibels(learned(), seen),
        "held out": decibels(held_out(), unseen),
        "perplexity": code_perplexity(ids, recipe.k),
        "dead": recipe.k - len(np.unique(ids)),
    }


def k_means_of_quarters(k: int, seed: int) -> dict[str, Any]:
    """The rival: each frame cut into as many pieces as it has codes, and k-means on the pieces themselves."""
    pieces = [X.reshape(-1, BINS // CODES) for X in (learned(), held_out())]
    C = k_means(pieces[0], k, np.random.default_rng(seed), steps=30)
    seen, unseen = (decibels(Z, quantise(Z, C)) for Z in pieces)
    return {
        "k": k,
        "seed": seed,
        "start": "pieces",
        "learned": seen,
        "held out": unseen,
    }


WAYS = {
    "random start, gradient": {"from_means": False, "averages": False},
    "random start, averages": {"from_means": False},
    "random start, averages, revived": {"from_means": False, "revived": True},
    "k-means start, gradient": {"averages": False},
}


def recipes() -> Iterator[Recipe]:
    """All trainings: every size of the codebook, and the other ways at the largest, each with all seeds."""
    for seed in SEEDS:
        for k in SIZES:
            yield Recipe(k, seed)
        for way in WAYS.values():
            yield Recipe(SIZES[-1], seed, **way)


def kept(recipe: Recipe, folder: Path = Path(".cache/training") / NAME) -> VqVae:
    """A trained model, from the folder where it was trained before, else trained and put there."""
    words = (f"{name}-{value}" for name, value in vars(recipe).items())
    path = folder / f"{'_'.join(words)}.npz"
    if path.exists():
        with np.load(path) as arrays:
            return VqVae(**arrays)
    model = train_codes(recipe)
    folder.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial.npz")
    np.savez(partial, **vars(model))
    os.replace(partial, path)
    return model


def records(models: dict[int, VqVae]) -> Iterator[dict[str, Any]]:
    """Train and measure; the models of the first seed are kept in `models`, by the size of their codebook."""
    for number, recipe in enumerate(recipes(), 1):
        print(f"training {number} of {len(list(recipes()))}", flush=True)
        model = kept(recipe)
        if recipe == Recipe(recipe.k, SEEDS[0]):
            models[recipe.k] = model
        yield measured(recipe, model)
    for seed in SEEDS:
        for k in SIZES:
            yield k_means_of_quarters(k, seed)


def sound_codes() -> list[dict[str, Any]]:
    """A record for each training, as they stand in git."""
    return read_records(f"{NAME}.json")


@cache
def models() -> dict[int, VqVae]:
    """The models of the first seed, by the size of their codebook, as they stand in git."""
    width = CODES * WIDTH
    shapes = ((BINS, width), (width,), (WIDTH,), (width, BINS), (BINS,))
    like = {}
    for k in SIZES:
        arrays = [np.zeros(shape, np.float32) for shape in shapes]
        arrays[2] = np.zeros((k, WIDTH), np.float32)
        like[str(k)] = VqVae(*arrays)
    found, _ = read_committed(NAME, like)
    return {int(k): model for k, model in found.items()}


if __name__ == "__main__":
    trained: dict[int, VqVae] = {}
    write_records(f"{NAME}.json", records(trained))
    write_committed(NAME, {str(k): trained[k] for k in SIZES}, {}, [])
