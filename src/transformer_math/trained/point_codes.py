"""Codes for groups of points, and a small encoder that guesses the codes of hidden groups: Point-BERT on a small scale.

`make train MODEL=point_codes` trains everything, one after the other, and goes on where it was interrupted: the coder
that the book's pages use, coders with codebooks of several sizes, and encoders that guess, each with several seeds.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Bool, Float, Int

from transformer_math.attention.projections import project
from transformer_math.block.encoder_layer import EncoderLayerParameters
from transformer_math.block.feed_forward import relu
from transformer_math.contract import Pullback, contract
from transformer_math.gradient.codebook import (
    codebook_loss_vjp,
    commitment_loss_vjp,
    quantise_vjp,
)
from transformer_math.gradient.cross_entropy import cross_entropy_vjp
from transformer_math.gradient.encoder_layer import encoder_vjp
from transformer_math.gradient.feed_forward import relu_vjp
from transformer_math.gradient.lookup import embed_vjp
from transformer_math.gradient.point_clouds import chamfer_distance_vjp, point_net_vjp
from transformer_math.gradient.probabilities import logits_vjp
from transformer_math.gradient.projections import project_vjp
from transformer_math.modalities.codebook import (
    code_perplexity,
    lloyd_step,
    nearest_codes,
)
from transformer_math.modalities.point_clouds import (
    PointNetParameters,
    chamfer_distance,
    farthest_points,
    local_groups,
    nearest_neighbours,
    point_net,
)
from transformer_math.model._initial import (
    new_embedding,
    new_encoder_layer,
    new_matrix,
)
from transformer_math.model.encoder import encoder
from transformer_math.signals.points import (
    TILE,
    Mesh,
    bunny,
    heights,
    on_surface,
    teapot,
    tile,
)
from transformer_math.trained.committed import (
    float32,
    read_committed,
    read_records,
    write_committed,
    write_records,
)
from transformer_math.trained.provenance import provenance
from transformer_math.training.loop import Settings, train
from transformer_math.training.schedule import cosine_schedule

NAME = "point_codes"
KINDS = "bunny", "teapot", "landscape"
POINTS, GROUPS, NEIGHBOURS = 512, 32, 24  # of a cloud; of a cloud; of a group
SCALE = 4.0  # a group is so much smaller than its cloud
D_CODE, WIDE = (
    8,
    64,
)  # of the vector that is written as a code; of the layers before and after it
SIZES = 2, 8, 32, 128  # of codebooks
SEEDS = 1, 2, 3
CODES = 32  # of the codebook that the encoder guesses in
D_MODEL, D_FF, N_HEADS, LAYERS = 48, 96, 4, 2
SHARE = 0.4  # of the groups are hidden


@dataclass(frozen=True)
class Clouds:
    """Clouds cut into groups: what each is of, the centres of its groups, and their points as seen from there."""

    kinds: Int[np.ndarray, " clouds"]
    centres: Float[np.ndarray, "clouds g 3"]
    groups: Float[np.ndarray, "clouds g k 3"]


def surface(rng: np.random.Generator, kind: int, unseen: bool) -> Mesh:
    """One of the three; the landscape at a place of its northern half, an unseen one of its southern half."""
    if KINDS[kind] != "landscape":
        return (bunny, teapot)[kind]()
    rows, columns = heights().shape
    first = rows // 2 if unseen else 0
    row = first + int(rng.integers(rows // 2 - TILE))
    return tile(row, int(rng.integers(columns - TILE)))


def turned(rng: np.random.Generator, X: Float[np.ndarray, "n 3"]) -> np.ndarray:
    """The same points, turned about the vertical by any angle."""
    angle = rng.uniform(0, 2 * np.pi)
    cos, sin = np.cos(angle), np.sin(angle)
    return X @ np.array([[cos, 0, sin], [0, 1, 0], [-sin, 0, cos]])


def grouped(X: Float[np.ndarray, "n 3"]) -> tuple[np.ndarray, np.ndarray]:
    """The centres of a cloud's groups, and the groups."""
    C = X[farthest_points(X, GROUPS)]
    return C, local_groups(X, C, nearest_neighbours(C, X, NEIGHBOURS))


@cache
def clouds(number: int, unseen: bool = False) -> Clouds:
    """So many clouds of the three surfaces in turn, each of points drawn anew and turned by an angle of its own."""
    kinds = np.arange(number) % len(KINDS)
    found = []
    for i, kind in enumerate(kinds):
        rng = np.random.default_rng([int(unseen), i])
        X = on_surface(rng, surface(rng, int(kind), unseen), POINTS)
        found.append(grouped(turned(rng, X)))
    centres, groups = map(np.stack, zip(*found))
    return Clouds(kinds, centres.astype(np.float32), groups.astype(np.float32))


TRAINING, HELD_OUT = 1200, 300  # clouds


@contract
@dataclass(frozen=True)
class Coder:
    """A network before the codebook, the codebook, and a network after it, whose output is the points of a group."""

    encoder: PointNetParameters
    codebook: Float[np.ndarray, "codes d_code"]
    decoder: PointNetParameters


def new_network(
    rng: np.random.Generator, d: int, d_ff: int, d_out: int
) -> PointNetParameters:
    """Random matrices, biases of 0."""
    first, second = new_matrix(rng, d, d_ff), new_matrix(rng, d_ff, d_out)
    return PointNetParameters(first, np.zeros(d_ff), second, np.zeros(d_out))


def network(x: np.ndarray, p: PointNetParameters) -> np.ndarray:
    """Two layers for each vector by itself."""
    return project(relu(project(x, p.W_1, p.b_1)), p.W_2, p.b_2)


def network_vjp(x: np.ndarray, p: PointNetParameters) -> tuple[np.ndarray, Pullback]:
    """The same and its pullback."""
    wide, to_x = project_vjp(x, p.W_1, p.b_1)
    hidden, to_wide = relu_vjp(wide)
    y, to_hidden = project_vjp(hidden, p.W_2, p.b_2)

    def pullback(dy):
        dhidden, dW_2, db_2 = to_hidden(dy)
        dx, dW_1, db_1 = to_x(*to_wide(dhidden))
        return dx, PointNetParameters(dW_1, db_1, dW_2, db_2)

    return y, pullback


def encode(groups: Float[np.ndarray, "... k 3"], coder: Coder) -> np.ndarray:
    """The code of each group."""
    return nearest_codes(point_net(SCALE * groups, coder.encoder), coder.codebook)


def decode(ids: Int[np.ndarray, "..."], coder: Coder) -> np.ndarray:
    """The points that stand for each code, as seen from the centre of a group."""
    points = network(coder.codebook[ids], coder.decoder)
    return points.reshape(*np.shape(ids), NEIGHBOURS, 3) / SCALE


@dataclass(frozen=True)
class CoderTask:
    """What the loop has to know: groups of the training clouds; how far they are from what comes back of their codes."""

    codes: int = CODES
    steps: int = 1600
    every: int = 800
    batch_size: int = 128

    def initial(self, rng: np.random.Generator) -> Coder:
        """Random networks, and the means of the vectors that the first one makes, by k-means."""
        encoder = new_network(rng, 3, WIDE, D_CODE)
        Z = point_net(SCALE * self.batch(rng, 0, 2048).astype(float), encoder)
        codebook = k_means(rng, Z, self.codes)
        decoder = new_network(rng, D_CODE, 2 * WIDE, 3 * NEIGHBOURS)
        return float32(Coder(encoder, codebook, decoder))

    def like(self) -> Coder:
        """The form of the parameters."""
        rng = np.random.default_rng(0)
        encoder = new_network(rng, 3, WIDE, D_CODE)
        decoder = new_network(rng, D_CODE, 2 * WIDE, 3 * NEIGHBOURS)
        return float32(Coder(encoder, np.zeros((self.codes, D_CODE)), decoder))

    def batch(
        self, rng: np.random.Generator, step: int, size: int | None = None
    ) -> np.ndarray:
        """Groups of any of the training clouds."""
        groups = clouds(TRAINING).groups.reshape(-1, NEIGHBOURS, 3)
        return groups[rng.integers(len(groups), size=size or self.batch_size)]

    def loss_and_gradient(
        self, parameters: Coder, batch: np.ndarray
    ) -> tuple[float, Coder]:
        """Chamfer distance, codebook loss, a quarter of the commitment loss; gradients pass straight through the choice."""
        X = np.float32(SCALE) * batch
        Z, to_encoder = point_net_vjp(X, parameters.encoder)
        Q, straight = quantise_vjp(Z, parameters.codebook)
        Y, to_decoder = network_vjp(Q, parameters.decoder)
        c, to_clouds = chamfer_distance_vjp(X, Y.reshape(X.shape))
        L_code, to_codes = codebook_loss_vjp(Z, parameters.codebook)
        L_commit, to_vectors = commitment_loss_vjp(Z, parameters.codebook)
        _, dY = to_clouds(np.full(c.shape, 1 / len(batch), X.dtype))
        dQ, decoder = to_decoder(dY.reshape(Y.shape))
        dZ, _ = straight(dQ)
        dZ = dZ + to_vectors(0.25)[0]
        _, encoder = to_encoder(dZ)
        loss = float(c.mean()) + L_code + 0.25 * L_commit
        return loss, Coder(encoder, to_codes(1.0)[1], decoder)

    def learning_rate(self, step: int) -> float:
        """Up to 0.003 in 100 steps, then down to nothing."""
        return cosine_schedule(step, peak=3e-3, warm_up=100, steps=self.steps)

    def evaluate(self, parameters: Coder) -> dict[str, float]:
        """The mean chamfer distance of held-out groups, and how many codes are in use."""
        return measured(parameters)


def k_means(
    rng: np.random.Generator, Z: np.ndarray, codes: int, steps: int = 20
) -> np.ndarray:
    """Some of the vectors to begin with, and a few steps of k-means."""
    C = Z[rng.choice(len(Z), size=codes, replace=False)]
    for _ in range(steps):
        C = lloyd_step(Z, C)
    return C


def measured(coder: Coder) -> dict[str, float]:
    """On held-out groups: the chamfer distance, that without the choice of a code, and the codes in use."""
    groups = clouds(HELD_OUT, unseen=True).groups.reshape(-1, NEIGHBOURS, 3)
    Z = point_net(SCALE * groups, coder.encoder)
    ids = nearest_codes(Z, coder.codebook)
    shapes = network(Z, coder.decoder).reshape(groups.shape) / SCALE
    return {
        "chamfer": float(chamfer_distance(groups, decode(ids, coder)).mean()),
        "without_codes": float(chamfer_distance(groups, shapes).mean()),
        "perplexity": code_perplexity(ids, len(coder.codebook)),
    }


@contract
@dataclass(frozen=True)
class GuesserParameters:
    """Vectors of the codes, the last of them for a hidden group; a network for positions; encoder layers; the way to codes."""

    E: Float[np.ndarray, "V d_model"]
    positions: PointNetParameters
    layers: tuple[EncoderLayerParameters, ...]
    W_out: Float[np.ndarray, "d_model codes"]


@dataclass(frozen=True)
class Batch:
    """The codes and the centres of some clouds, and which groups are hidden."""

    ids: Int[np.ndarray, "clouds g"]
    centres: Float[np.ndarray, "clouds g 3"]
    hidden: Bool[np.ndarray, "clouds g"]


@dataclass(frozen=True)
class GuesserTask:
    """What the loop has to know: the hidden codes are to be guessed from the others, or, `blind`, from the centres alone."""

    blind: bool = False
    steps: int = 600
    every: int = 600
    batch_size: int = 48

    def initial(self, rng: np.random.Generator) -> GuesserParameters:
        """Random parameters, in single precision."""
        layers = tuple(new_encoder_layer(rng, D_MODEL, D_FF) for _ in range(LAYERS))
        E = new_embedding(rng, CODES + 1, D_MODEL)
        positions = new_network(rng, 3, WIDE, D_MODEL)
        W_out = new_matrix(rng, D_MODEL, CODES)
        return float32(GuesserParameters(E, positions, layers, W_out))

    def batch(self, rng: np.random.Generator, step: int) -> Batch:
        """Some of the training clouds, with other groups hidden each time."""
        ids, centres = coded(TRAINING)
        chosen = rng.integers(len(ids), size=self.batch_size)
        return hide(rng, ids[chosen], centres[chosen])

    def loss_and_gradient(
        self, parameters: GuesserParameters, batch: Batch
    ) -> tuple[float, GuesserParameters]:
        """Cross-entropy of the hidden codes."""
        p, given = parameters, self.given(batch)
        X, to_table = embed_vjp(given, p.E)
        places, to_positions = network_vjp(batch.centres, p.positions)
        Z, to_layers = encoder_vjp(X + places, p.layers, N_HEADS)
        scored, to_last = logits_vjp(Z, p.W_out)
        weights = batch.hidden.astype(np.float32)
        loss, to_logits = cross_entropy_vjp(scored, batch.ids, weights)
        dZ, dW_out, *_ = to_last(*to_logits(1.0))
        dX, layers = to_layers(dZ)
        (dE,), (_, positions) = to_table(dX), to_positions(dX)
        return loss, GuesserParameters(dE, positions, layers, dW_out)

    def given(self, batch: Batch) -> np.ndarray:
        """The codes that are seen; a hidden one has the number after the last."""
        return np.where(batch.hidden | self.blind, CODES, batch.ids)

    def learning_rate(self, step: int) -> float:
        """Up to 0.002 in 100 steps, then down to nothing."""
        return cosine_schedule(step, peak=2e-3, warm_up=100, steps=self.steps)

    def evaluate(self, parameters: GuesserParameters) -> dict[str, float]:
        """How many of the hidden codes of held-out clouds are guessed."""
        batch = held_out()
        right = self.guesses(parameters, batch) == batch.ids
        return {"right": float(right[batch.hidden].mean())}

    def guesses(self, parameters: GuesserParameters, batch: Batch) -> np.ndarray:
        """The code with the largest score in each place."""
        X = parameters.E[self.given(batch)]
        Z = X + network(batch.centres, parameters.positions)
        Z = encoder(Z, parameters.layers, N_HEADS)
        return (Z @ parameters.W_out).argmax(axis=-1)


def hide(rng: np.random.Generator, ids: np.ndarray, centres: np.ndarray) -> Batch:
    """Hide some of the groups of each cloud, any of them, as many in each."""
    order = rng.random(ids.shape).argsort(axis=1)
    return Batch(ids, centres, order < round(SHARE * GROUPS))


@cache
def coded(number: int, unseen: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """The codes of the groups of so many clouds, by the coder that stands in git; and their centres."""
    found = clouds(number, unseen)
    return encode(found.groups, coder()), found.centres


def held_out() -> Batch:
    """The held-out clouds, with the same groups hidden for all who guess."""
    return hide(np.random.default_rng(0), *coded(HELD_OUT, unseen=True))


def most_frequent(batch: Batch) -> np.ndarray:
    """Guess the code that is the most frequent in the training clouds."""
    counts = np.bincount(coded(TRAINING)[0].ravel(), minlength=CODES)
    return np.full(batch.ids.shape, counts.argmax())


def nearest_seen(batch: Batch) -> np.ndarray:
    """Guess the code of the nearest group that is not hidden."""
    apart = batch.centres[:, :, None] - batch.centres[:, None]
    D = np.square(apart).sum(axis=-1) + np.where(batch.hidden, np.inf, 0)[:, None]
    return np.take_along_axis(batch.ids, D.argmin(axis=-1), axis=1)


def codes_shuffled(rng: np.random.Generator, batch: Batch) -> np.ndarray:
    """The codes of each cloud, those that are seen put into any other order among themselves."""
    ids = batch.ids.copy()
    for row, hidden in zip(ids, batch.hidden):
        row[~hidden] = rng.permutation(row[~hidden])
    return ids


def right_by_kind(guesses: np.ndarray, batch: Batch) -> dict[str, float]:
    """How many of the hidden codes are guessed: of all clouds, and of the clouds of each surface."""
    right, kinds = guesses == batch.ids, clouds(HELD_OUT, unseen=True).kinds
    found = {"all": float(right[batch.hidden].mean())}
    for number, kind in enumerate(KINDS):
        own = kinds == number
        found[kind] = float(right[own][batch.hidden[own]].mean())
    return found


def coder() -> Coder:
    """The coder of the book's pages, as the committed checkpoint has it."""
    like = CoderTask().like()
    return read_committed(NAME, like)[0]


def point_codes() -> list[dict[str, Any]]:
    """A record for each training and for each rule without one, as they stand in git."""
    return read_records(f"{NAME}.json")


def guesser_records(folder: Path) -> Iterator[dict[str, Any]]:
    """Rules that need no training, and encoders that guess, with each seed: seeing codes, and seeing centres alone."""
    batch = held_out()
    for name, rule in (
        ("most frequent code", most_frequent),
        ("code of the nearest group seen", nearest_seen),
    ):
        yield {"guess": name, **right_by_kind(rule(batch), batch)}
    for blind, name in ((True, "encoder, centres alone"), (False, "encoder")):
        task = GuesserTask(blind=blind)
        for seed in SEEDS:
            run = train(task, folder / f"{name} {seed}", Settings(seed=seed))
            right = right_by_kind(task.guesses(run.parameters, batch), batch)
            yield {"guess": name, "seed": seed, **right}
            if not blind:
                ids = codes_shuffled(np.random.default_rng(1), batch)
                mixed = Batch(ids, batch.centres, batch.hidden)
                right = right_by_kind(task.guesses(run.parameters, mixed), batch)
                yield {"guess": f"{name}, codes shuffled", "seed": seed, **right}


def coder_records(folder: Path) -> Iterator[dict[str, Any]]:
    """Coders with codebooks of every size, and each seed."""
    for codes in SIZES:
        for seed in SEEDS:
            run = train(
                CoderTask(codes=codes), folder / f"{codes} {seed}", Settings(seed=seed)
            )
            yield {"codes": codes, "seed": seed, **measured(run.parameters)}


def main(folder: Path = Path(".cache/training") / NAME) -> None:
    """Train the coder of the pages and write it; then all others, and write what was measured."""
    settings = Settings(seed=SEEDS[0])  # the coder comes first: the guessers read it
    run = train(CoderTask(), folder / f"{CODES} {SEEDS[0]}", settings)
    written = {"made": json.dumps(provenance(NAME))}
    write_committed(NAME, run.parameters, written, run.history)
    records = [*coder_records(folder), *guesser_records(folder)]
    write_records(f"{NAME}.json", records)


if __name__ == "__main__":
    main()
