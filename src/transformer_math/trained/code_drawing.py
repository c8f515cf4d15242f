"""The book's decoder-only Transformer over grids of codes: it learns which code comes next, and goes on drawing a picture.

`make train MODEL=code_drawing` trains it with three seeds, and goes on where it was interrupted.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from transformer_math.gradient.cross_entropy import cross_entropy_vjp
from transformer_math.gradient.decoder_only import decoder_only_logits_vjp
from transformer_math.model.decoder_only import (
    DecoderOnlyParameters,
    decoder_only_logits,
    initialise_decoder_only,
)
from transformer_math.output.probabilities import log_softmax
from transformer_math.trained.committed import (
    float32,
    read_committed,
    read_records,
    write_committed,
    write_records,
)
from transformer_math.trained.provenance import provenance
from transformer_math.trained.vqgan import CODES, PATCH, decode, encode, regions, vqgan
from transformer_math.training.command import with_progress
from transformer_math.training.loop import Settings
from transformer_math.training.objective import cross_entropy, shift
from transformer_math.training.schedule import cosine_schedule

NAME = "code_drawing"
WAY = "and a discriminator"
SIDE = 16  # codes in a row of a window, and rows in it
BEGIN = CODES  # stands before the first code of a window
N_HEADS, D_MODEL, D_FF, LAYERS = 4, 64, 256, 2
SEEDS = 1, 2, 3
ORDERS = "alone", "left", "above", "both"
Windows = Int[np.ndarray, "windows n"]
Predict = Callable[[Windows], Float[np.ndarray, "windows n V"]]


@cache
def grids(part: str) -> dict[str, Int[np.ndarray, "h w"]]:
    """The codes of each picture's training, validation or test columns."""
    return {name: encode(X, vqgan(WAY)) for name, X in regions(part).items()}


def window(
    grid: Int[np.ndarray, "h w"], y: int | np.integer, x: int | np.integer
) -> Int[np.ndarray, " n"]:
    """A square of codes as one sequence, row by row."""
    return grid[y : y + SIDE, x : x + SIDE].ravel()


@cache
def held_out(part: str) -> Windows:
    """Windows side by side over a part, as many as have room in each picture."""
    found = [
        window(grid, y, x)
        for grid in grids(part).values()
        for y in range(0, grid.shape[0] - SIDE + 1, SIDE)
        for x in range(0, grid.shape[1] - SIDE + 1, SIDE)
    ]
    return np.stack(found)


@dataclass(frozen=True)
class DrawingTask:
    """What the loop has to know: windows from random places of the training columns, and cross-entropy of each next code."""

    steps: int = 300
    every: int = 100
    batch_size: int = 8
    peak: float = 3e-3

    def initial(self, rng: np.random.Generator) -> DecoderOnlyParameters:
        """Random parameters, in single precision."""
        sizes = CODES + 1, D_MODEL, N_HEADS, D_FF, LAYERS
        return float32(initialise_decoder_only(rng, *sizes))

    def batch(self, rng: np.random.Generator, step: int) -> Windows:
        """Windows with the sign of the beginning before them; a large picture gives more of them than a small one."""
        places = list(grids("training").values())
        sizes = np.array([grid.size for grid in places])
        found = []
        for number in rng.choice(len(places), self.batch_size, p=sizes / sizes.sum()):
            grid = places[number]
            y, x = (rng.integers(side - SIDE + 1) for side in grid.shape)
            found.append(window(grid, y, x))
        return begun(np.stack(found))

    def loss_and_gradient(
        self, parameters: DecoderOnlyParameters, batch: Windows
    ) -> tuple[float, DecoderOnlyParameters]:
        """Cross-entropy of each next code."""
        given, wanted = shift(batch)
        scored, to_parameters = decoder_only_logits_vjp(given, parameters, N_HEADS)
        loss, to_logits = cross_entropy_vjp(scored, wanted)
        return loss, *to_parameters(*to_logits(1.0))

    def learning_rate(self, step: int) -> float:
        """Up in 50 steps, then down along half a cosine wave."""
        return cosine_schedule(step, self.peak, 50, self.steps)

    def evaluate(self, parameters: DecoderOnlyParameters) -> dict[str, float]:
        """Bits a code on the validation columns."""
        return {"bits": model_bits(parameters, "validation")}


def begun(windows: Windows) -> Int[np.ndarray, "windows behind"]:
    """The same windows with the sign of the beginning before them."""
    return np.pad(windows, ((0, 0), (1, 0)), constant_values=BEGIN)


def model_bits(parameters: DecoderOnlyParameters, part: str) -> float:
    """Bits a code that the Transformer needs for the windows of a part."""
    losses = []
    for some in np.array_split(held_out(part), 8):
        given, wanted = shift(begun(some))
        logits = decoder_only_logits(given, parameters, N_HEADS)
        losses.append(cross_entropy(logits, wanted) * len(some))
    return sum(losses) / len(held_out(part)) / np.log(2)


@dataclass(frozen=True)
class Counts:
    """How often a code stood after each pair of a left neighbour and one above; every table is smoothed with the one before it."""

    alone: Float[np.ndarray, " V"]
    left: Float[np.ndarray, "V V"]
    above: Float[np.ndarray, "V V"]
    both: Float[np.ndarray, "V V V"]


@cache
def counts(of_one: float = 64.0, of_both: float = 256.0) -> Counts:
    """Count the training columns; a belief that weighs as much as so many codes is mixed into every row.

    Of 1, 4, 16, 64 and 256 these two do best on the validation columns.
    """
    one, left, above = np.ones(CODES), *np.zeros((2, CODES, CODES))
    both = np.zeros((CODES,) * 3)
    for grid in grids("training").values():
        np.add.at(one, grid.ravel(), 1)
        np.add.at(left, (grid[:, :-1].ravel(), grid[:, 1:].ravel()), 1)
        np.add.at(above, (grid[:-1].ravel(), grid[1:].ravel()), 1)
        pairs = grid[1:, :-1].ravel(), grid[:-1, 1:].ravel(), grid[1:, 1:].ravel()
        np.add.at(both, pairs, 1)
    alone = one / one.sum()
    of_left, of_above = (_smoothed(table, alone, of_one) for table in (left, above))
    belief = of_left[:, None] * of_above / alone  # as if both spoke for themselves
    belief /= belief.sum(axis=-1, keepdims=True)
    return Counts(alone, of_left, of_above, _smoothed(both, belief, of_both))


def _smoothed(table: np.ndarray, belief: np.ndarray, strength: float) -> np.ndarray:
    total = table.sum(axis=-1, keepdims=True) + strength
    return (table + strength * belief) / total


def counted(windows: Windows, order: str) -> Float[np.ndarray, "windows n V"]:
    """The probabilities of every code, by counts: alone, after its left neighbour, below the one above, or by both.

    Where a neighbour lies outside the window, what is left of them decides.
    """
    made, squares = counts(), windows.reshape(-1, SIDE, SIDE)
    p = np.broadcast_to(made.alone, (*squares.shape, CODES)).copy()
    if order in ("left", "both"):
        p[:, :, 1:] = made.left[squares[:, :, :-1]]
    if order in ("above", "both"):
        p[:, 1:] = made.above[squares[:, :-1]]
    if order == "both":
        p[:, 1:, 1:] = made.both[squares[:, 1:, :-1], squares[:, :-1, 1:]]
    return p.reshape(*windows.shape, CODES)


def counted_bits(order: str, part: str) -> float:
    """Bits a code that counts need for the windows of a part."""
    windows = held_out(part)
    p = counted(windows, order)
    return -float(np.log2(np.take_along_axis(p, windows[..., None], -1)).mean())


def predicted(parameters: DecoderOnlyParameters) -> Predict:
    """The Transformer's probabilities of every code of some windows, the sign of the beginning left out."""

    def predict(windows: Windows) -> Float[np.ndarray, "windows n V"]:
        given, _ = shift(begun(windows))
        logits = decoder_only_logits(given, parameters, N_HEADS)[..., :CODES]
        return np.exp(log_softmax(logits.astype(float)))

    return predict


def draw_on(
    rng: np.random.Generator, windows: Windows, given: int, predict: Predict
) -> Windows:
    """Keep the first codes of each window and draw the others one by one, each by its probabilities."""
    drawn = windows.copy()
    drawn[:, given:] = 0  # what is not drawn yet is not looked at either
    for place in range(given, drawn.shape[1]):
        p = predict(drawn)[:, place].cumsum(axis=-1)
        chosen = rng.random((len(p), 1)) * p[:, -1:]
        drawn[:, place] = (p < chosen).sum(axis=-1)
    return drawn


@cache
def greys() -> Float[np.ndarray, " V"]:
    """The mean grey of each code, decoded among its own kind."""
    inner = slice(PATCH, 2 * PATCH)
    pictures = (decode(np.full((3, 3), k), vqgan(WAY)) for k in range(CODES))
    return np.array([X[inner, inner].mean() for X in pictures])


def grey_steps(windows: Windows) -> float:
    """How much the greys of two codes differ that touch in the lower half, side by side or above each other, on average."""
    below = greys()[windows.reshape(-1, SIDE, SIDE)][:, SIDE // 2 - 1 :]
    down, across = np.diff(below, axis=1), np.diff(below[:, 1:], axis=2)
    return float((np.abs(down).mean() + np.abs(across).mean()) / 2)


def drawn_steps(predict: Predict, seed: int) -> float:
    """The same of lower halves that were drawn, of every eighth window of the test columns."""
    windows, rng = held_out("test")[::8], np.random.default_rng(seed)
    return grey_steps(draw_on(rng, windows, SIDE**2 // 2, predict))


def records(folder: Path = Path(".cache/training") / NAME) -> Iterator[dict[str, Any]]:
    """Train with each seed, and measure on the test columns bits a code and what is drawn; the first model is written for git."""
    for order in ORDERS:
        steps = [drawn_steps(partial(counted, order=order), seed) for seed in SEEDS]
        bits = counted_bits(order, "test")
        yield {"model": f"counts: {order}", "bits": bits, "steps": steps}
    task = DrawingTask()
    for seed in SEEDS:
        settings = Settings(seed=seed, weight_decay=0.05)
        place = folder / str(seed)
        run = with_progress(f"{NAME}, {seed}", task, place, settings, task.steps)
        if seed == SEEDS[0]:
            made = {"made": json.dumps(provenance(NAME))}
            write_committed(NAME, run.parameters, made, run.history)
        bits = model_bits(run.parameters, "test")
        steps = [drawn_steps(predicted(run.parameters), seed)]
        yield {"model": "Transformer", "seed": seed, "bits": bits, "steps": steps}


@cache
def code_drawing() -> DecoderOnlyParameters:
    """The trained parameters of the first seed, as the committed checkpoint has them."""
    like = DrawingTask().initial(np.random.default_rng(0))
    return read_committed(NAME, like)[0]


def code_drawing_records() -> list[dict[str, Any]]:
    """A record for each model, as they stand in git."""
    return read_records("code_drawing.json")


if __name__ == "__main__":
    write_records("code_drawing.json", records())
