"""TS2Vec, small: an encoder learns a vector for each moment of a series, from pairs of views of it; and what the vectors know.

`make train MODEL=time_series` trains it with each seed on two kinds of series, a planted one, whose hidden states are
known, and births by day; measures it before and after; and goes on where it was interrupted.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Bool, Float, Int

from transformer_math.contract import Pullback
from transformer_math.gradient.feed_forward import gelu_vjp
from transformer_math.gradient.series_contrast import hierarchical_contrast_vjp
from transformer_math.gradient.time_series import (
    dilated_convolution_vjp,
    masked_projection_vjp,
)
from transformer_math.modalities.time_series import (
    ConvBlockParameters,
    TimeSeriesParameters,
    receptive_field,
    timestamp_vectors,
    windows,
)
from transformer_math.signals.series import births, weekdays
from transformer_math.trained.committed import (
    float32,
    read_committed,
    read_records,
    write_committed,
    write_records,
)
from transformer_math.training.loop import Settings, train
from transformer_math.training.schedule import cosine_schedule
from transformer_math.trees import leaves, map_leaves

NAME = "time_series"
SEEDS = 1, 2, 3, 4, 5
KERNEL, WIDTH, BLOCKS, LENGTH = 3, 32, 4, 128
PERIODS = 6, 10, 18  # of the planted states
RADIUS = 0.95  # how slowly a swing of a planted state dies away
STRENGTHS = tuple(10.0**k for k in range(-3, 5))  # of ridge, to choose from
FIRST_TEST, FIRST_VALIDATION = 6209, 5113  # 1 January 1986 and 1983 among the births
AHEAD = 1, 7, 28  # days
POOL = 17  # moments

Series = Float[np.ndarray, "B n C"]


def planted(
    rng: np.random.Generator, number: int, length: int
) -> tuple[Series, Int[np.ndarray, "B n"]]:
    """Noise that swings with one of three periods, and now and then changes to another; and which it is at each moment.

    Each has mean 0, and variance 1 where it lasts; after a change the swings may be larger for a while. They begin
    anywhere, so no reading is correlated with the state.
    """
    angles = 2 * np.pi / np.array(PERIODS)
    one, two = 2 * RADIUS * np.cos(angles), -(RADIUS**2)
    noise = np.sqrt((1 + two) * ((1 - two) ** 2 - one**2) / (1 - two))
    before, X = 60, np.zeros((number, 60 + length))
    states = np.empty(X.shape, int)
    states[:, 0] = rng.integers(3, size=number)
    changes = rng.random(X.shape) < 1 / 40
    for t in range(1, X.shape[1]):
        other = (states[:, t - 1] + rng.integers(1, 3, size=number)) % 3
        s = states[:, t] = np.where(changes[:, t], other, states[:, t - 1])
        past = one[s] * X[:, t - 1] + two * X[:, t - 2] * (t > 1)
        X[:, t] = past + noise[s] * rng.normal(size=number)
    return X[:, before:, None], states[:, before:]


@cache
def births_by_day() -> Float[np.ndarray, " days"]:
    """The logarithms of the births, with the mean and the spread of the training years taken out."""
    logs = np.log(births())
    known = logs[:FIRST_VALIDATION]
    return (logs - known.mean()) / known.std()


def segments(rng: np.random.Generator, kind: str, number: int) -> Series:
    """New series to train on: planted ones without end, or pieces of the births of the training years."""
    if kind == "planted":
        return planted(rng, number, LENGTH)[0]
    starts = rng.integers(FIRST_VALIDATION - LENGTH, size=number)
    return births_by_day()[starts[:, None] + np.arange(LENGTH), None]


def overlapping_crops(
    rng: np.random.Generator, length: int, at_least: int = 16
) -> tuple[int, int, int, int]:
    """Two pieces of a series that share one: the first goes from a to c, the second from b to d, where a ≤ b < c ≤ d.

    The shared piece, from b to c, has `at_least` moments.
    """
    shared = int(rng.integers(at_least, length + 1))
    b = int(rng.integers(length - shared + 1))
    a, d = int(rng.integers(b + 1)), int(rng.integers(b + shared, length + 1))
    return a, b, b + shared, d


@dataclass(frozen=True)
class Views:
    """Two views of the same series: what each shows, which of its moments it hides, and where their shared piece lies."""

    first: Series
    keep_first: Bool[np.ndarray, "B n"]
    second: Float[np.ndarray, "B m C"]
    keep_second: Bool[np.ndarray, "B m"]
    shared: int


def draw_views(rng: np.random.Generator, X: Series) -> Views:
    """Two overlapping pieces, in each of which every other moment, on average, is hidden."""
    a, b, c, d = overlapping_crops(rng, X.shape[1])
    first, second = X[:, a:c], X[:, b:d]
    keeps = (rng.random(view.shape[:2]) < 0.5 for view in (first, second))
    return Views(first, next(keeps), second, next(keeps), c - b)


def initial_encoder(
    rng: np.random.Generator, channels: int = 1
) -> TimeSeriesParameters:
    """Random parameters, in single precision: each matrix by the number of its inputs, no biases yet."""

    def random(*shape: int) -> np.ndarray:
        return rng.normal(size=shape) / np.sqrt(np.prod(shape[:-1]))

    blocks = tuple(
        ConvBlockParameters(
            random(KERNEL, WIDTH, WIDTH),
            np.zeros(WIDTH),
            random(KERNEL, WIDTH, WIDTH),
            np.zeros(WIDTH),
        )
        for _ in range(BLOCKS)
    )
    W = random(channels, WIDTH)
    return float32(TimeSeriesParameters(W, rng.normal(size=WIDTH) / 2, blocks))


def conv_block_vjp(
    H: np.ndarray, parameters: ConvBlockParameters, dilation: int
) -> tuple[np.ndarray, Pullback]:
    """A block with its pullback, from the twins of its parts."""
    p = parameters
    active, through_1 = gelu_vjp(H)
    wide, conv_1 = dilated_convolution_vjp(active, p.W_1, p.b_1, dilation)
    again, through_2 = gelu_vjp(wide)
    added, conv_2 = dilated_convolution_vjp(again, p.W_2, p.b_2, dilation)

    def pullback(dY):
        dagain, dW_2, db_2 = conv_2(dY)
        dactive, dW_1, db_1 = conv_1(*through_2(dagain))
        return dY + through_1(dactive)[0], ConvBlockParameters(dW_1, db_1, dW_2, db_2)

    return H + added, pullback


def timestamp_vectors_vjp(
    X: Series, parameters: TimeSeriesParameters, keep: Bool[np.ndarray, "B n"]
) -> tuple[np.ndarray, Pullback]:
    """The encoder with its pullback to the parameters."""
    H, projected = masked_projection_vjp(X, parameters.W, parameters.b, keep)
    backwards = []
    for l, block in enumerate(parameters.blocks):
        H, back = conv_block_vjp(H, block, 2**l)
        backwards.append(back)

    def pullback(dH):
        blocks = []
        for back in reversed(backwards):
            dH, found = back(dH)
            blocks.append(found)
        _, dW, db = projected(dH)
        return (TimeSeriesParameters(dW, db, tuple(blocks[::-1])),)

    return H, pullback


@dataclass(frozen=True)
class TimeSeriesTask:
    """What the loop has to know: pairs of views, and the hierarchical contrast of their shared piece."""

    kind: str
    steps: int = 600
    every: int = 100
    batch_size: int = 8
    peak: float = 1e-3

    def initial(self, rng: np.random.Generator) -> TimeSeriesParameters:
        """Random parameters."""
        return initial_encoder(rng)

    def batch(self, rng: np.random.Generator, step: int) -> Views:
        """Two views of new series."""
        X = segments(rng, self.kind, self.batch_size)
        return draw_views(rng, X.astype(np.float32))

    def loss_and_gradient(
        self, parameters: TimeSeriesParameters, batch: Views
    ) -> tuple[float, TimeSeriesParameters]:
        """The loss of the shared piece: the end of the first view, the beginning of the second."""
        p, n = parameters, batch.shared
        R, to_first = timestamp_vectors_vjp(batch.first, p, batch.keep_first)
        S, to_second = timestamp_vectors_vjp(batch.second, p, batch.keep_second)
        loss, back = hierarchical_contrast_vjp(R[:, -n:], S[:, :n])
        dR, dS = back(1.0)
        (one,) = to_first(np.pad(dR, [(0, 0), (R.shape[1] - n, 0), (0, 0)]))
        (two,) = to_second(np.pad(dS, [(0, 0), (0, S.shape[1] - n), (0, 0)]))
        return loss, map_leaves(np.add, one, two)

    def learning_rate(self, step: int) -> float:
        """Up in 50 steps, then down to nothing."""
        return cosine_schedule(step, self.peak, 50, self.steps)

    def evaluate(self, parameters: TimeSeriesParameters) -> dict[str, float]:
        """The loss on the same few views each time."""
        rng = np.random.default_rng(0)
        losses = [
            self.loss_and_gradient(parameters, self.batch(rng, 0))[0] for _ in range(8)
        ]
        return {"same_views": float(np.mean(losses))}


def encode(X: Series, parameters: TimeSeriesParameters) -> Float[np.ndarray, "B n d"]:
    """A vector for each moment of some series, with nothing hidden."""
    nothing_hidden = np.ones(X.shape[:2], bool)
    found = timestamp_vectors(X.astype(np.float32), parameters, nothing_hidden)
    return found.astype(float)


def around(X: Series) -> Float[np.ndarray, "B n w"]:
    """The readings around each moment, as far as the encoder sees; beyond the ends, zeros."""
    field = receptive_field(KERNEL, BLOCKS)
    side = field // 2
    return windows(np.pad(X, [(0, 0), (side, side), (0, 0)]), field, 1)


def swings(X: Series) -> Float[np.ndarray, "B n f"]:
    """What somebody would measure who knows how the planted states differ: the logarithms of the power of each period."""
    seen = around(X)
    spectrum = np.fft.rfft(seen * np.hanning(seen.shape[-1] + 2)[1:-1])
    return np.log(np.abs(spectrum) ** 2 + 0.01)


def pooled(Z: Float[np.ndarray, "B n d"], width: int) -> Float[np.ndarray, "B n d"]:
    """For each moment and each column the largest number among the moments around it."""
    side = width // 2
    padded = np.pad(Z, [(0, 0), (side, side), (0, 0)], constant_values=-np.inf)
    near = [padded[:, k : k + Z.shape[1]] for k in range(2 * side + 1)]
    return np.max(near, axis=0)


@dataclass(frozen=True)
class Split:
    """Features and what they shall tell, of the part to fit on, the part to choose on, and the part that counts."""

    features: tuple[np.ndarray, np.ndarray, np.ndarray]
    wanted: tuple[np.ndarray, np.ndarray, np.ndarray]


def probe(split: Split, loss: Any) -> float:
    """The loss of a linear probe on the last part: ridge regression on standardised features, its strength chosen on the second."""
    mean, spread = split.features[0].mean(axis=0), split.features[0].std(axis=0) + 1e-9
    Z, chosen_on, counts = ((F - mean) / spread for F in split.features)
    Y, middle = split.wanted[0], split.wanted[0].mean(axis=0)
    gram, met = Z.T @ Z, Z.T @ (Y - middle)
    tried = []
    for strength in STRENGTHS:
        W = np.linalg.solve(gram + strength * np.eye(len(gram)), met)
        on_validation = loss(chosen_on @ W + middle, split.wanted[1])
        tried.append((on_validation, loss(counts @ W + middle, split.wanted[2])))
    return min(tried, key=lambda losses: losses[0])[1]  # what counts has no say


def wrong(guessed: np.ndarray, wanted: np.ndarray) -> float:
    """The share of wrong classes."""
    return float((guessed.argmax(axis=1) != wanted.argmax(axis=1)).mean())


def absolute(guessed: np.ndarray, wanted: np.ndarray) -> float:
    """The mean absolute error."""
    return float(np.abs(guessed - wanted).mean())


@cache
def planted_sets(labelled: int) -> tuple:
    """Planted series with their states: some to fit a probe on, fifty to choose on, a hundred that count."""
    rng = np.random.default_rng(5)
    counting, choosing = planted(rng, 100, LENGTH), planted(rng, 50, LENGTH)
    return planted(rng, labelled, LENGTH), choosing, counting


def right_states(features: Any, labelled: int = 100) -> float:
    """How often a linear probe on some features of a moment tells its planted state."""
    sets = planted_sets(labelled)
    found = [features(X) for X, _ in sets]
    split = Split(
        tuple(F.reshape(-1, F.shape[-1]) for F in found),
        tuple(np.eye(len(PERIODS))[states.ravel()] for _, states in sets),
    )
    return 1 - probe(split, wrong)


def neighbours(Z: Float[np.ndarray, "B n d"]) -> Int[np.ndarray, "B n"]:
    """For each moment of each series the nearest moment of another one: its number, counted through all series."""
    B, n, d = Z.shape
    flat = Z.reshape(B * n, d)
    squares = (flat**2).sum(axis=1)
    found = []
    for i, own in enumerate(Z):
        apart = squares - 2 * own @ flat.T
        apart[:, i * n : (i + 1) * n] = np.inf
        found.append(apart.argmin(axis=1))
    return np.array(found)


def alike(features: Any) -> float:
    """How often the nearest moment of another series is in the same planted state; every eighth moment is asked."""
    X, states = planted_sets(100)[-1]
    asked = states[:, ::8]
    return float((asked.ravel()[neighbours(features(X)[:, ::8])] == asked).mean())


def past() -> Float[np.ndarray, "days w 1"]:
    """For each day the births up to it, as many days as the encoder sees on one side; before the first, zeros."""
    length = receptive_field(KERNEL, BLOCKS) // 2 + 1
    series = np.pad(births_by_day(), (length - 1, 0))
    starts = np.arange(len(births_by_day()))
    return series[starts[:, None] + np.arange(length), None]


def _parts() -> list[np.ndarray]:
    """The days to fit on, to choose on, and that count; between them a gap as long as what is seen or foretold."""
    gap, last = 61, len(births_by_day())
    ends = (0, FIRST_VALIDATION), (FIRST_VALIDATION, FIRST_TEST), (FIRST_TEST, last)
    return [np.arange(start + gap, end - gap) for start, end in ends]


def forecast_error(features: np.ndarray, ahead: int) -> float:
    """The mean absolute error, in percent of the births, of a linear forecast so many days ahead."""
    parts, series = _parts(), births_by_day()
    own, later, last = (series[days + ahead, None] for days in parts)
    fit, choose, count = (features[days] for days in parts)
    split = Split((fit, choose, count), (own, later, last))
    return (
        100 * probe(split, absolute) * float(np.log(births())[:FIRST_VALIDATION].std())
    )


def last_weeks(ahead: int) -> float:
    """The same for the forecast that repeats the last day known of the same weekday."""
    days, series = _parts()[-1], births_by_day()
    known = days + ahead - 7 * -(-ahead // 7)
    apart = np.abs(series[days + ahead] - series[known]).mean()
    return 100 * float(apart * np.log(births())[:FIRST_VALIDATION].std())


def right_weekdays(features: np.ndarray) -> float:
    """How often a linear probe on some features of a day tells its weekday."""
    parts = _parts()
    wanted = tuple(np.eye(7)[weekdays()[days]] for days in parts)
    return 1 - probe(Split(tuple(features[days] for days in parts), wanted), wrong)


def measured_planted(parameters: TimeSeriesParameters) -> dict[str, float]:
    """How well the vectors tell the planted states: alone, and pooled over the moments around; with few labels, too."""

    def together(X: Series) -> np.ndarray:
        return pooled(encode(X, parameters), POOL)

    return {
        "alone": right_states(lambda X: encode(X, parameters)),
        "pooled": right_states(together),
        "pooled_few": right_states(together, labelled=3),
        "alike": alike(together),
    }


def measured_births(parameters: TimeSeriesParameters) -> dict[str, float]:
    """What the vectors know of the weekday and of the days to come; for a forecast they see the past alone."""
    whole = encode(births_by_day()[None, :, None], parameters)[0]
    seen = past()
    pieces = [
        encode(seen[i : i + 500], parameters)[:, -1] for i in range(0, len(seen), 500)
    ]
    last = np.concatenate(pieces)
    errors = {f"ahead_{days}": forecast_error(last, days) for days in AHEAD}
    return {"weekday": right_weekdays(whole), **errors}


def rivals() -> dict[str, float]:
    """The same probes on features that nobody had to learn."""
    raw_days = around(births_by_day()[None, :, None])[0]
    errors = {f"ahead_{days}": forecast_error(past()[..., 0], days) for days in AHEAD}
    weeks = {f"last_weeks_{days}": last_weeks(days) for days in AHEAD}
    return {
        "raw": right_states(around),
        "raw_few": right_states(around, labelled=3),
        "swings": right_states(swings),
        "swings_few": right_states(swings, labelled=3),
        "raw_alike": alike(around),
        "swings_alike": alike(swings),
        "weekday": right_weekdays(raw_days),
        **errors,
        **weeks,
    }


MEASURES = {"planted": measured_planted, "births": measured_births}


def one_run(kind: str, seed: int, folder: Path) -> dict[str, Any]:
    """Train with one seed; measure the encoder as it begins and as it ends."""
    task, measure = TimeSeriesTask(kind), MEASURES[kind]
    start = task.initial(np.random.default_rng([seed, 0]))
    run = train(task, folder / f"{kind}_{seed}", Settings(seed=seed))
    losses = [record["same_views"] for record in run.history]
    measured = {"untrained": measure(start), "trained": measure(run.parameters)}
    return {"kind": kind, "seed": seed, "losses": losses, **measured}


def records(
    folder: Path = Path(".cache/training") / NAME,
) -> Iterator[dict[str, Any]]:
    """A record for each kind of series and each seed."""
    yield {"kind": "rivals", **rivals()}
    for kind in MEASURES:
        for seed in SEEDS:
            yield one_run(kind, seed, folder)


def write_encoder(folder: Path = Path(".cache/training") / NAME) -> None:
    """Write the first seed's encoder of planted series, as the page uses it."""
    run = train(
        TimeSeriesTask("planted"), folder / f"planted_{SEEDS[0]}", Settings(SEEDS[0])
    )
    command = {"command": f"make train MODEL={NAME}"}
    parts = _as_matrices(run.parameters)
    write_committed("time_series_planted", parts, command, run.history)


def trained_encoder() -> TimeSeriesParameters:
    """The first seed's encoder of planted series, as it stands in git."""
    like = initial_encoder(np.random.default_rng(0))
    found = iter(read_committed("time_series_planted", _as_matrices(like))[0].values())
    return map_leaves(lambda leaf: next(found).reshape(leaf.shape), like)


def _as_matrices(parameters: TimeSeriesParameters) -> dict[str, np.ndarray]:
    """The parameters by their paths, the taps of a kernel below each other, as a checkpoint holds them."""
    found = leaves(parameters).items()
    return {path: leaf.reshape(-1, leaf.shape[-1]) for path, leaf in found}


def time_series() -> list[dict[str, Any]]:
    """What was measured, as it stands in git."""
    return read_records("time_series.json")


if __name__ == "__main__":
    write_records("time_series.json", records())
    write_encoder()
