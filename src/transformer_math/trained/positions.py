"""Seven ways to tell a decoder of places, put to the same tests: trained on short texts, tried on long ones.

`make train MODEL=positions` trains each with five tasks from three seeds, and goes on with the rotary ones on longer
texts; an interrupted run goes on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Float, Int

from transformer_math.gradient.cross_entropy import cross_entropy_vjp
from transformer_math.output.probabilities import log_softmax
from transformer_math.position.rope_scaling import (
    interpolated_frequencies,
    ntk_base,
    yarn_frequencies,
    yarn_scale,
)
from transformer_math.position.sinusoidal import frequencies
from transformer_math.position.t5 import t5_causal_bucket
from transformer_math.trained._schedule import WarmUpInATenth
from transformer_math.trained.committed import float32, read_records, write_records
from transformer_math.trained.one_layer import alphabet, letters
from transformer_math.trained.placed import (
    BUCKETS,
    CONTEXT,
    D_K,
    ENCODINGS,
    Encoding,
    PlacedParameters,
    initialise_placed,
    placed_logits_vjp,
    placed_scores,
    turning,
    turning_no_further,
)
from transformer_math.training.loop import Settings, train
from transformer_math.training.objective import shift

NAME = "positions"
SEEDS, LONG, STEP = (1, 2, 3), 256, 16  # places are told of in ranges of 16
COPY_BACK, COPY_LETTERS = 8, 16
SYMBOLS, LARGEST = 64, 15
SORTED = (5, 10, 15, 20, 31, 62)  # how many symbols there are to sort
FACTOR = LONG // CONTEXT
LAST_BUCKET, BUCKET_BEFORE = "T5, last bucket goes on", "T5, the bucket before goes on"
CLIPPED = "RoPE, offsets clipped"
DISTANCES = (*range(CONTEXT), *range(CONTEXT, LONG, 8))


class Batch(NamedTuple):
    """What is read, what is to be answered at each place, and which places count."""

    given: Int[np.ndarray, "b n"]
    wanted: Int[np.ndarray, "b n"]
    counts: Float[np.ndarray, "b n"]


def language_batch(
    rng: np.random.Generator, size: int, n: int, held_out: bool = False
) -> Batch:
    """Windows of the novel, and the letter that follows each letter."""
    text = letters(held_out)
    starts = rng.integers(len(text) - n, size=(size, 1))
    given, wanted = shift(text[starts + np.arange(n + 1)])
    return Batch(given, wanted, np.ones(given.shape, np.float32))


def copying_batch(rng: np.random.Generator, size: int, n: int) -> Batch:
    """Letters drawn at random; wanted is, at each place, the letter eight places back."""
    given = rng.integers(COPY_LETTERS, size=(size, n))
    counts = np.broadcast_to(np.arange(n) >= COPY_BACK, given.shape)
    return Batch(given, np.roll(given, COPY_BACK, axis=1), counts.astype(np.float32))


def beginning_batch(rng: np.random.Generator, size: int, n: int) -> Batch:
    """Letters drawn at random; wanted is, at each place, the first of them."""
    given = rng.integers(COPY_LETTERS, size=(size, n))
    wanted = np.broadcast_to(given[:, :1], given.shape)
    return Batch(given, wanted, np.ones(given.shape, np.float32))


def following_batch(rng: np.random.Generator, size: int, n: int) -> Batch:
    """Letters drawn at random; wanted is the letter that came after the present one when it was last seen."""
    given = rng.integers(COPY_LETTERS, size=(size, n))
    alike = np.tril(given[:, :, None] == given[:, None, :], k=-1)
    last = n - 1 - alike[..., ::-1].argmax(axis=-1)  # n - 1 where there is none
    wanted = np.take_along_axis(given, np.minimum(last + 1, n - 1), axis=1)
    return Batch(given, wanted, alike.any(axis=-1).astype(np.float32))


def sorting_batch(
    rng: np.random.Generator, size: int, n: int, number: int | None = None
) -> Batch:
    """Different symbols, a sign, and then the same symbols in order; how many there are is drawn, if it is not said."""
    given = np.full((size, n), SYMBOLS)
    wanted, counts = np.zeros_like(given), np.zeros(given.shape, np.float32)
    for row in range(size):
        m = int(rng.integers(2, LARGEST + 1)) if number is None else number
        drawn = rng.permutation(SYMBOLS)[:m]
        whole = np.concatenate([drawn, [SYMBOLS], np.sort(drawn)])
        given[row, : 2 * m], wanted[row, : 2 * m] = shift(whole)
        counts[row, m : 2 * m] = 1.0
    return Batch(given, wanted, counts)


TASKS = {
    "language": language_batch,
    "copying": copying_batch,
    "sorting": sorting_batch,
    "beginning": beginning_batch,
    "following": following_batch,
}
SIZES = {
    "copying": COPY_LETTERS,
    "sorting": SYMBOLS + 1,
    "beginning": COPY_LETTERS,
    "following": COPY_LETTERS,
}


def vocab_size(task: str) -> int:
    """How many tokens a task has."""
    return len(alphabet()) if task == "language" else SIZES[task]


@dataclass(frozen=True)
class PlacesTask(WarmUpInATenth):
    """One task, and a decoder that is told of places in one way; `start` is where the training goes on from, if anywhere."""

    task: str
    encoding: Encoding
    steps: int = 1500
    every: int = 1500
    peak: float = 5e-3
    n: int = CONTEXT
    tokens: int = 32 * CONTEXT
    start: PlacedParameters | None = None

    def initial(self, rng: np.random.Generator) -> PlacedParameters:
        """Random parameters in single precision, or those of a training before."""
        if self.start is not None:
            return self.start
        return float32(initialise_placed(rng, vocab_size(self.task), self.encoding))

    def batch(self, rng: np.random.Generator, step: int) -> Batch:
        """As many texts as make up the tokens of a step."""
        return TASKS[self.task](rng, self.tokens // self.n, self.n)

    def loss_and_gradient(
        self, parameters: PlacedParameters, batch: Batch
    ) -> tuple[float, PlacedParameters]:
        """Cross-entropy at the places that count."""
        scored, back = placed_logits_vjp(batch.given, parameters, self.encoding)
        loss, to_logits = cross_entropy_vjp(scored, batch.wanted, batch.counts)
        return loss, *back(*to_logits(1.0))

    def evaluate(self, parameters: PlacedParameters) -> dict[str, float]:
        """Nothing on the way: what it can do is measured at the end."""
        return {}


def by_place(
    parameters: PlacedParameters, encoding: Encoding, batches: Sequence[Batch]
) -> dict[str, list[float]]:
    """Loss in nats and share of right answers, for each range of places, in the order of reading."""
    loss, right, counted = [], [], []
    for given, wanted, counts in batches:
        scored, _ = placed_logits_vjp(given, parameters, encoding)
        at = wanted[..., None]
        loss.append(-np.take_along_axis(log_softmax(scored), at, axis=-1)[..., 0])
        right.append(scored.argmax(axis=-1) == wanted)
        counted.append(counts.astype(float))
    share = _of_ranges(counted)
    return {
        "loss": (_of_ranges(loss, counted) / share).tolist(),
        "right": (_of_ranges(right, counted) / share).tolist(),
    }


def _of_ranges(*factors: list[np.ndarray]) -> Float[np.ndarray, " ranges"]:
    """The sum of the products of all texts, for each range of places."""
    product_of_all = np.prod([np.concatenate(x) for x in factors], axis=0)
    return product_of_all.sum(axis=0).reshape(-1, STEP).sum(axis=1)


def long_batches(task: str, n: int) -> list[Batch]:
    """Texts of that length, the same for all: for the language held out, in batches of eight."""
    rng = np.random.default_rng(0)
    if task == "language":
        return [language_batch(rng, 8, n, held_out=True) for _ in range(16)]
    return [TASKS[task](rng, 8, n) for _ in range(16)]


def sorted_right(
    parameters: PlacedParameters, encoding: Encoding, numbers: Sequence[int]
) -> list[float]:
    """The share of right answers where so many symbols are to be sorted, each answer with the right ones before it."""
    found = []
    for m in numbers:
        given, wanted, counts = sorting_batch(np.random.default_rng(m), 64, 2 * m, m)
        scored, _ = placed_logits_vjp(given, parameters, encoding)
        found.append(float((scored.argmax(axis=-1) == wanted)[counts > 0].mean()))
    return found


def measured(
    task: str, parameters: PlacedParameters, encoding: Encoding
) -> dict[str, list[float]]:
    """What a trained model can do at each length; a table of learned places ends, and what lies after it is left out."""
    if task == "sorting":
        numbers = [m for m in SORTED if 2 * m <= encoding.longest(LONG)]
        return {"right": sorted_right(parameters, encoding, numbers)}
    batches = long_batches(task, encoding.longest(LONG))
    return by_place(parameters, encoding, batches)


def scores_by_distance(
    parameters: PlacedParameters, encoding: Encoding
) -> list[list[list[float]]]:
    """Layer by layer and head by head: the mean score of the last query with the key that stands so far back.

    From each row the mean of the trained distances is taken, since a softmax does not see what is added to all scores.
    """
    n = encoding.longest(LONG)
    distances = [d for d in DISTANCES if d < n]
    means = []
    for given, _, _ in long_batches("language", n)[:8]:
        found = placed_scores(given, parameters, encoding)
        last = np.array([S[:, :, -1, ::-1] for S in found], dtype=float)
        last -= last[..., :CONTEXT].mean(axis=-1, keepdims=True)
        means.append(last.mean(axis=1)[..., distances])
    return np.mean(means, axis=0).round(3).tolist()


def scalings() -> dict[str, Encoding]:
    """Rotary positions for texts eight times as long as those in training, in four ways."""
    return {
        "unchanged": turning(frequencies(D_K)),
        "interpolation": turning(interpolated_frequencies(D_K, FACTOR)),
        "NTK-aware base": turning(frequencies(D_K, ntk_base(D_K, FACTOR))),
        "YaRN": turning(
            yarn_frequencies(D_K, FACTOR, CONTEXT, slow=1.0, fast=4.0),
            yarn_scale(FACTOR),
        ),
    }


def one_run(folder: Path, task: str, name: str, seed: int) -> Iterator[dict[str, Any]]:
    """One training, and what it came to; of rotary ones on language also what becomes of longer texts."""
    encoding = ENCODINGS[name]
    place = folder / f"{task}_{name}_{seed}"
    run = train(PlacesTask(task, encoding), place, Settings(seed=seed))
    record = {"task": task, "encoding": name, "seed": seed}
    record["seconds"] = run.history[-1]["seconds"]
    record |= measured(task, run.parameters, encoding)
    if task == "language" and seed == SEEDS[0]:
        record["scores"] = scores_by_distance(run.parameters, encoding)
    yield record
    if task == "language" and name == "RoPE":
        yield from longer_runs(folder, run.parameters, seed)
    if task == "language" and name in ("RoPE", "T5"):
        for way, parameters, changed in changes(name, run.parameters):
            found = measured(task, parameters, changed)
            yield {"task": "longer", "encoding": way, "seed": seed, "steps": 0} | found


def changes(
    name: str, parameters: PlacedParameters
) -> Iterator[tuple[str, PlacedParameters, Encoding]]:
    """Ways in which a trained model meets nothing beyond its places that training had not: what is read, and by what."""
    if name == "RoPE":
        yield CLIPPED, parameters, turning_no_further(CONTEXT - 1)
        return
    last = int(t5_causal_bucket(np.array([1 - CONTEXT]), BUCKETS)[0])
    for way, bucket in ((LAST_BUCKET, last), (BUCKET_BEFORE, last - 1)):
        yield way, going_on(parameters, bucket), ENCODINGS[name]


def going_on(parameters: PlacedParameters, bucket: int) -> PlacedParameters:
    """T5's tables with the number of one bucket in all buckets after it."""

    def filled(layer):
        T = layer.attention.own["T"].copy()
        T[bucket + 1 :] = T[bucket]
        return replace(layer, attention=replace(layer.attention, own={"T": T}))

    return replace(parameters, layers=tuple(map(filled, parameters.layers)))


def longer_runs(
    folder: Path, parameters: PlacedParameters, seed: int
) -> Iterator[dict[str, Any]]:
    """Each scaling as it is, and after a hundred more steps on long texts."""
    for name, encoding in scalings().items():
        task = PlacesTask(
            "language",
            encoding,
            100,
            100,
            1e-3,
            n=LONG,
            tokens=4 * LONG,
            start=parameters,
        )
        place = folder / f"longer_{name}_{seed}".replace(" ", "_")
        further = train(task, place, Settings(seed=seed)).parameters
        for steps, trained in ((0, parameters), (100, further)):
            yield {
                "task": "longer",
                "encoding": name,
                "seed": seed,
                "steps": steps,
                **measured("language", trained, encoding),
            }


def records(folder: Path = Path(".cache/training") / NAME) -> Iterator[dict[str, Any]]:
    """Every task with every encoding and every seed."""
    for task, seed, name in product(TASKS, SEEDS, ENCODINGS):
        yield from one_run(folder, task, name, seed)


@cache
def position_runs() -> list[dict[str, Any]]:
    """A record for each training, as they stand in git."""
    return read_records("positions.json")


if __name__ == "__main__":
    write_records("positions.json", records())
