"""Forwards or backwards? Small models that are shown four frames of the film of a cat, and say in which order they came.

`make train MODEL=film_direction` trains each way to attend, and controls, with several seeds for each row of the plate
that is held out; an interrupted run goes on.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float, Int
from numpy.lib.stride_tricks import sliding_window_view

from transformer_math.block.encoder_layer import EncoderLayerParameters
from transformer_math.block.layer_norm import NormParameters
from transformer_math.gradient._stack import LayerTwin
from transformer_math.gradient.cross_entropy import cross_entropy_vjp
from transformer_math.gradient.divided_attention import divided_layer_vjp
from transformer_math.gradient.encoder_layer import encoder_layer_pre_norm_vjp
from transformer_math.gradient.layer_norm import layer_norm_vjp
from transformer_math.gradient.probabilities import logits_vjp
from transformer_math.gradient.tubelets import video_input_vjp
from transformer_math.modalities.divided_attention import (
    DividedLayerParameters,
    space_mask,
)
from transformer_math.model._initial import new_encoder_layer, new_matrix
from transformer_math.signals.film import COLUMNS, FRAMES, HEIGHT, WIDTH, film
from transformer_math.trained.committed import float32, read_records, write_records
from transformer_math.training.loop import Settings, train
from transformer_math.training.schedule import cosine_schedule

NAME = "film_direction"
MEASURED = "loss", "held_out", "mirrored", "known"
LENGTH, PATCH, POOL = 4, 8, 4  # frames of a clip; pixels of a patch, after pooling
PLACES = (HEIGHT // POOL // PATCH) * (WIDTH // POOL // PATCH)
N_HEADS, D_MODEL, D_FF = 4, 32, 64
DOWN, ACROSS, SHAKE = 8, 20, 2  # pixels by which a clip is moved, and each frame of it
NOISE = (
    0.3  # standard deviation of what is added to the pixels while a model is trained
)
ROWS, SEEDS, STEPS, PEAK = (0, 2, 3), (1, 2, 3, 4, 5), 500, 5e-3
# The settings were chosen on the row that is not among ROWS, the second one.
TIE = 1e-4  # margins of logits below this are rounding in single precision
SHOTS = 8  # of each clip that a model is tested with


class Batch(NamedTuple):
    """Clips as pixels, and for each whether it runs forwards (1) or backwards (0)."""

    clips: Float[np.ndarray, "b F H W 1"]
    forwards: Int[np.ndarray, " b"]


@dataclass(frozen=True)
class FilmParameters:
    """Everything that such a model learns."""

    E: Float[np.ndarray, "d_patch d_model"]
    x_class: Float[np.ndarray, " d_model"]
    P_space: Float[np.ndarray, "places d_model"]
    P_time: Float[np.ndarray, "times d_model"]
    layer: Any
    norm: NormParameters
    W_out: Float[np.ndarray, "d_model 2"]


@dataclass(frozen=True)
class Scheme:
    """A way to attend: the parameters of a new layer, its twin, and whether the tokens are told their time."""

    new_layer: Callable[[np.random.Generator], Any]
    layer: Callable[[Any], LayerTwin]
    times: bool = True


def _joint_layer(rng: np.random.Generator) -> EncoderLayerParameters:
    return new_encoder_layer(rng, D_MODEL, D_FF)


def _divided_layer(rng: np.random.Generator) -> DividedLayerParameters:
    time, space = _joint_layer(rng), _joint_layer(rng)
    norms = time.norm_1, space.norm_1, space.norm_2
    return DividedLayerParameters(
        time.attention, space.attention, space.feed_forward, *norms
    )


SCHEMES = {
    "divided": Scheme(
        _divided_layer, lambda p: lambda Z: divided_layer_vjp(Z, p, N_HEADS, LENGTH)
    ),
    "joint": Scheme(
        _joint_layer, lambda p: lambda Z: encoder_layer_pre_norm_vjp(Z, p, N_HEADS)
    ),
    "space alone": Scheme(
        _joint_layer,
        lambda p: (
            lambda Z: encoder_layer_pre_norm_vjp(
                Z, p, N_HEADS, space_mask(LENGTH, PLACES)
            )
        ),
        times=False,
    ),
}


@cache
def coarse_frames() -> Float[np.ndarray, "24 H W 1"]:
    """The film with the same mean and contrast in each frame, a margin of the edge's grey, and each pixel a mean of 4 by 4.

    The plate grows brighter from row to row: by that the order could be known.
    """
    centred = film() - film().mean(axis=(1, 2), keepdims=True)
    even = centred / centred.std(axis=(1, 2), keepdims=True)
    down, across = DOWN + SHAKE, ACROSS + SHAKE
    margin = (0, 0), (down, down + POOL), (across, across + POOL), (0, 0)
    wide = np.pad(even, margin, mode="edge")
    means = sliding_window_view(wide, (POOL, POOL), axis=(1, 2)).mean(axis=(-2, -1))
    return means.astype(np.float32)


def clips_without(row: int) -> Int[np.ndarray, "clips 4"]:
    """The frames of each clip that has none from this row of the plate: four that follow each other."""
    held = range(COLUMNS * row, COLUMNS * (row + 1))
    starts = range(FRAMES - LENGTH + 1)
    clips = [np.arange(s, s + LENGTH) for s in starts]
    return np.stack([clip for clip in clips if not set(clip) & set(held)])


def clips_of(row: int) -> Int[np.ndarray, "clips 4"]:
    """The frames of each clip that lies within this row."""
    starts = range(COLUMNS * row, COLUMNS * (row + 1) - LENGTH + 1)
    return np.stack([np.arange(s, s + LENGTH) for s in starts])


def shot(
    rng: np.random.Generator, frames: Int[np.ndarray, " F"]
) -> Float[np.ndarray, "F H W 1"]:
    """A clip as it might have been taken: moved as a whole, each frame a little more, coarser.

    What is moved in from outside is the picture's edge. The frames are shaken since each row of the plate hangs a little.
    """
    whole = rng.integers(-DOWN, DOWN + 1), rng.integers(-ACROSS, ACROSS + 1)
    shaken = rng.integers(-SHAKE, SHAKE + 1, size=(len(frames), 2))
    corners = np.array([DOWN + SHAKE, ACROSS + SHAKE]) + whole + shaken
    coarse = coarse_frames()
    return np.stack(
        [
            coarse[f, y : y + HEIGHT : POOL, x : x + WIDTH : POOL]
            for f, (y, x) in zip(frames, corners)
        ]
    )


def initial(rng: np.random.Generator, scheme: Scheme) -> FilmParameters:
    """Random parameters, in single precision."""
    started = FilmParameters(
        E=new_matrix(rng, PATCH * PATCH, D_MODEL),
        x_class=0.02 * rng.normal(size=D_MODEL),
        P_space=0.2 * rng.normal(size=(PLACES + 1, D_MODEL)),
        P_time=0.5 * rng.normal(size=(LENGTH, D_MODEL)) * scheme.times,
        layer=scheme.new_layer(rng),
        norm=NormParameters(np.ones(D_MODEL), np.zeros(D_MODEL)),
        W_out=new_matrix(rng, D_MODEL, 2),
    )
    return float32(started)


def film_logits_vjp(
    clips: Float[np.ndarray, "b F H W 1"], parameters: FilmParameters, scheme: Scheme
) -> tuple[Float[np.ndarray, "b 2"], Callable]:
    """What the class token's last vector says of each clip, and the pullback to the parameters."""
    p = parameters
    told = (clips, 1, PATCH, p.E, p.x_class, p.P_space, p.P_time)
    Z, to_input = video_input_vjp(*told)
    Z, to_layer = scheme.layer(p.layer)(Z)
    y, to_norm = layer_norm_vjp(Z[:, 0], p.norm)
    scored, to_output = logits_vjp(y, p.W_out)

    def pullback(dscored):
        dy, dW_out = to_output(dscored)[:2]
        dclass, dnorm = to_norm(dy)
        dZ = np.zeros_like(Z)
        dZ[:, 0] = dclass
        dZ, dlayer = to_layer(dZ)
        _, dE, dx_class, dP_space, dP_time = to_input(dZ)
        dP_time = dP_time * scheme.times  # no time is told, so none is learned
        return FilmParameters(dE, dx_class, dP_space, dP_time, dlayer, dnorm, dW_out)

    return scored, pullback


@dataclass(frozen=True)
class FilmTask:
    """What the loop has to know: a scheme, the row that is held out, and what is done to the clips of training."""

    scheme: str
    row: int
    mirrored: bool = True
    shuffled: bool = False
    steps: int = STEPS
    every: int = STEPS
    batch_size: int = 16

    def initial(self, rng: np.random.Generator) -> FilmParameters:
        """Random parameters, in single precision."""
        return initial(rng, SCHEMES[self.scheme])

    def batch(self, rng: np.random.Generator, step: int) -> Batch:
        """Clips of the other rows, half of them turned round in time, and half mirrored."""
        known = clips_without(self.row)
        forwards = rng.integers(2, size=self.batch_size)
        chosen = known[rng.integers(len(known), size=self.batch_size)]
        clips = np.stack([shot(rng, frames) for frames in chosen])
        if self.mirrored:
            flipped = rng.random(self.batch_size) < 0.5
            clips[flipped] = clips[flipped, :, :, ::-1]
        clips[forwards == 0] = clips[forwards == 0, ::-1]
        if self.shuffled:
            clips = _shuffled(rng, clips)
        clips = clips + NOISE * rng.normal(size=clips.shape).astype(np.float32)
        return Batch(clips, forwards)

    def loss_and_gradient(
        self, parameters: FilmParameters, batch: Batch
    ) -> tuple[float, FilmParameters]:
        """Cross-entropy of the two answers."""
        scored, back = film_logits_vjp(batch.clips, parameters, SCHEMES[self.scheme])
        loss, to_logits = cross_entropy_vjp(scored, batch.forwards)
        return loss, back(*to_logits(1.0))

    def learning_rate(self, step: int) -> float:
        """Up in fifty steps, then down to nothing."""
        return cosine_schedule(step, peak=PEAK, warm_up=50, steps=self.steps)

    def evaluate(self, parameters: FilmParameters) -> dict[str, float]:
        """How often it is right: on clips of the held-out row, on their mirror images, and on the clips of the other rows."""
        held = self.tested(clips_of(self.row))
        known = self.tested(clips_without(self.row))
        return {
            "held_out": self.right(parameters, held),
            "mirrored": self.right(parameters, held[:, :, :, ::-1]),
            "known": self.right(parameters, known),
        }

    def tested(
        self, clips: Int[np.ndarray, "clips 4"]
    ) -> Float[np.ndarray, "b F H W 1"]:
        """Each of these clips, shot several times; for all models the same shots."""
        rng = np.random.default_rng(0)
        shots = np.stack([shot(rng, frames) for frames in clips for _ in range(SHOTS)])
        return _shuffled(rng, shots) if self.shuffled else shots

    def right(
        self, parameters: FilmParameters, shots: Float[np.ndarray, "b F H W 1"]
    ) -> float:
        """The share of right answers when each of these is shown forwards and backwards; a tie counts half."""
        scheme = SCHEMES[self.scheme]
        ahead, back = (
            np.diff(film_logits_vjp(x, parameters, scheme)[0])[:, 0]
            for x in (shots, shots[:, ::-1])
        )
        signs = np.where(
            abs(margins := np.concatenate([ahead, -back])) > TIE, np.sign(margins), 0
        )
        return float((1 + signs).mean() / 2)


def _shuffled(rng: np.random.Generator, clips: np.ndarray) -> np.ndarray:
    """The same clips, the frames of each in an order of its own."""
    return np.stack([clip[rng.permutation(LENGTH)] for clip in clips])


TASKS = {
    "divided": FilmTask("divided", 0),
    "joint": FilmTask("joint", 0),
    "divided, never mirrored": FilmTask("divided", 0, mirrored=False),
    "divided, frames shuffled": FilmTask("divided", 0, shuffled=True),
    "space alone": FilmTask("space alone", 0),
}


def records(folder: Path = Path(".cache/training") / NAME) -> Iterator[dict[str, Any]]:
    """Train in each way, with each seed, each row held out in turn; one record for each training."""
    for seed, row, (name, task) in product(SEEDS, ROWS, TASKS.items()):
        own = folder / f"{name}_{row}_{seed}".replace(" ", "_")
        run = train(replace(task, row=row), own, Settings(seed=seed))
        found = {key: run.history[-1][key] for key in MEASURED}
        yield {"name": name, "row": row, "seed": seed, **found}


def film_direction() -> list[dict[str, Any]]:
    """A record for each training, as they stand in git."""
    return read_records("film_direction.json")


if __name__ == "__main__":
    write_records("film_direction.json", records())
