"""A small autoencoder with a codebook that learns from eight old photographs, by squared error alone and with more.

`make train MODEL=vqgan` trains every way with every seed, and goes on where it was interrupted.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float, Int

from transformer_math.contract import Pullback
from transformer_math.gradient.codebook import (
    codebook_loss_vjp,
    commitment_loss_vjp,
    quantise_vjp,
)
from transformer_math.gradient.projections import project_vjp
from transformer_math.gradient.vqgan import (
    convolve_vjp,
    discriminator_loss_vjp,
    energies_vjp,
    generator_loss_vjp,
    perceptual_loss_vjp,
)
from transformer_math.modalities.codebook import (
    code_perplexity,
    lloyd_step,
    nearest_codes,
)
from transformer_math.modalities.patches import patchify, unpatchify
from transformer_math.modalities.vqgan import (
    adaptive_weight,
    convolve,
    energies,
    perceptual_loss,
)
from transformer_math.signals.prints import prints
from transformer_math.trained.committed import (
    float32,
    read_committed,
    read_records,
    write_committed,
    write_records,
)
from transformer_math.trained.provenance import provenance
from transformer_math.training.command import with_progress
from transformer_math.training.loop import Settings
from transformer_math.training.schedule import cosine_schedule
from transformer_math.trees import map_leaves

NAME = "vqgan"
PATCH, CODES, D_CODE, HIDDEN = 8, 64, 16, 64
BETA = 0.25  # weight of the commitment loss
CROP = 64  # pixels of a side, in training
SQUARE = 4  # pixels of a side, in which edges are counted
MIDDLE, SPREAD = 0.5, 0.25  # of the greys, roughly
TEST, VALIDATION = 256, 128  # columns of pixels at the right of every picture
SEEDS = 1, 2, 3
FILES = {
    "squared error": "vqgan_squares",
    "and edges": "vqgan_edges",
    "and a discriminator": "vqgan",
}
Picture = Float[np.ndarray, "H W 1"]
Grid = Int[np.ndarray, "h w"]
Parameters = dict[str, Any]


@dataclass(frozen=True)
class Way:
    """What the loss asks for beside squared error: how much of the perceptual distance, and of the discriminator."""

    perceptual: float = 0.0
    adversarial: float = 0.0


WAYS = {
    "squared error": Way(),
    "and edges": Way(perceptual=20.0),
    "and a discriminator": Way(perceptual=20.0, adversarial=0.5),
}


@cache
def regions(part: str) -> dict[str, Picture]:
    """The training, validation or test columns of every picture, whole patches of them, about 0 and with a spread of about 1.

    The columns are cut before anything is made of them: no pixel of one part is seen in another, nor beside it.
    """
    found = {}
    for name, grey in prints().items():
        first, second = grey.shape[1] - TEST - VALIDATION, grey.shape[1] - TEST
        columns = {
            "training": slice(first),
            "validation": slice(first, second),
            "test": slice(second, None),
        }
        cut = grey[:, columns[part]]
        height, width = (side // PATCH * PATCH for side in cut.shape)
        found[name] = ((cut[:height, :width, None] - MIDDLE) / SPREAD).astype(
            np.float32
        )
    return found


def edge_filters() -> Float[np.ndarray, "3 3 1 k"]:
    """Five filters made by hand: differences along rows, columns and both diagonals, and a pixel against its neighbours."""
    across = np.outer([1, 2, 1], [-1, 0, 1]) / 8
    diagonal = np.array([[0, 1, 2], [-1, 0, 1], [-2, -1, 0]]) / 8
    spot = np.array([[0, -1, 0], [-1, 4, -1], [0, -1, 0]]) / 8
    filters = [across, across.T, diagonal, diagonal[::-1], spot]
    return np.stack(filters, axis=-1)[:, :, None].astype(np.float32)


def edges_vjp(X: np.ndarray) -> tuple[np.ndarray, Pullback]:
    """How strongly the edge filters answer in each square of a picture; the pullback gives the gradient of the picture."""
    K = edge_filters().astype(X.dtype)
    answers, back = convolve_vjp(X, K, np.zeros_like(K[0, 0, 0]))
    E, to_answers = energies_vjp(answers, SQUARE)
    return E, lambda dE: back(*to_answers(dE))[:1]


def edges(X: np.ndarray) -> np.ndarray:
    """The same without a pullback."""
    K = edge_filters().astype(X.dtype)
    return energies(convolve(X, K, np.zeros_like(K[0, 0, 0])), SQUARE)


def read_patches_vjp(T: np.ndarray, network: tuple) -> tuple[np.ndarray, Pullback]:
    """From patches in rows and columns to a vector for each that has seen the patches around; with the pullback to both."""
    W, b, K, c = network
    hidden, to_W = project_vjp(T, W, b)
    Z, to_K = convolve_vjp(np.maximum(hidden, 0), K, c)

    def pullback(dZ):
        dhidden, *of_K = to_K(dZ)
        dT, *of_W = to_W(dhidden * (hidden > 0))
        return dT, (*of_W, *of_K)

    return Z, pullback


def write_patches_vjp(Q: np.ndarray, network: tuple) -> tuple[np.ndarray, Pullback]:
    """The way back, from codes in rows and columns to patches, with the pullback to the codes and to the network."""
    K, b, W, c = network
    hidden, to_K = convolve_vjp(Q, K, b)
    T, to_W = project_vjp(np.maximum(hidden, 0), W, c)

    def pullback(dT):
        dhidden, *of_W = to_W(dT)
        dQ, *of_K = to_K(dhidden * (hidden > 0))
        return dQ, (*of_K, *of_W)

    return T, pullback


def grid_of_patches(X: np.ndarray) -> np.ndarray:
    """Patches of a picture in their rows and columns."""
    *lead, H, W, _ = X.shape
    return patchify(X, PATCH).reshape(*lead, H // PATCH, W // PATCH, -1)


def picture_of(T: np.ndarray) -> np.ndarray:
    """The way back: pictures out of patches in rows and columns."""
    *lead, h, w, m = T.shape
    return unpatchify(T.reshape(*lead, h * w, m), PATCH, h * PATCH, w * PATCH)


def new_network(rng: np.random.Generator, sizes: tuple, conv_first: bool) -> tuple:
    """Random matrices of a reader or a writer of patches, and biases of zero."""
    before, hidden, after = sizes
    if conv_first:
        K = rng.normal(size=(3, 3, before, hidden)) * np.sqrt(2 / (9 * before))
        W = rng.normal(size=(hidden, after)) / np.sqrt(hidden)
        return K, np.zeros(hidden), W, np.zeros(after)
    W = rng.normal(size=(before, hidden)) * np.sqrt(2 / before)
    K = rng.normal(size=(3, 3, hidden, after)) / np.sqrt(9 * hidden)
    return W, np.zeros(hidden), K, np.zeros(after)


@dataclass(frozen=True)
class VqganTask:
    """What the loop has to know: crops of the training columns, a loss for the autoencoder and one for the discriminator."""

    way: Way
    steps: int = 1500
    every: int = 500
    batch_size: int = 8
    peak: float = 3e-3

    def networks(self, rng: np.random.Generator) -> Parameters:
        """Random networks, and random codes."""
        pixels = PATCH**2
        return {
            "encoder": float32(new_network(rng, (pixels, HIDDEN, D_CODE), False)),
            "codes": rng.normal(size=(CODES, D_CODE)).astype(np.float32),
            "decoder": float32(new_network(rng, (D_CODE, HIDDEN, pixels), True)),
            "judge": float32(new_network(rng, (pixels, HIDDEN, 1), False)),
        }

    def initial(self, rng: np.random.Generator) -> Parameters:
        """Random networks; and codes where the encoder puts the patches of some crops, by ten steps of k-means."""
        parameters = self.networks(rng)
        X = np.concatenate([self.batch(rng, 0) for _ in range(4)])
        Z, _ = read_patches_vjp(grid_of_patches(X), parameters["encoder"])
        Z = Z.reshape(-1, D_CODE)
        C = Z[rng.choice(len(Z), CODES, replace=False)]
        for _ in range(10):
            C = lloyd_step(Z, C)
        return {**parameters, "codes": C}

    def batch(self, rng: np.random.Generator, step: int) -> np.ndarray:
        """Crops from random places of random pictures, a large picture more often than a small one; half of them mirrored."""
        pictures = list(regions("training").values())
        sizes = np.array([X.size for X in pictures])
        crops = []
        for number in rng.choice(len(pictures), self.batch_size, p=sizes / sizes.sum()):
            X = pictures[number]
            y, x = (rng.integers(side - CROP + 1) for side in X.shape[:2])
            crop = X[y : y + CROP, x : x + CROP]
            crops.append(crop[:, ::-1] if rng.random() < 0.5 else crop)
        return np.stack(crops)

    def loss_and_gradient(
        self, parameters: Parameters, batch: np.ndarray
    ) -> tuple[float, Parameters]:
        """The autoencoder's loss without the discriminator's part; and each gradient of its own loss, all of the same step."""
        p, way, T = parameters, self.way, grid_of_patches(batch)
        Z, to_encoder = read_patches_vjp(T, p["encoder"])
        Q, straight_through = quantise_vjp(Z, p["codes"])
        drawn, to_decoder = write_patches_vjp(Q, p["decoder"])
        loss, ddrawn = float(np.square(drawn - T).mean()), 2 / T.size * (drawn - T)
        if way.perceptual:
            wanted, (energy, to_picture) = edges(batch), edges_vjp(picture_of(drawn))
            more, to_energy = perceptual_loss_vjp(wanted, energy)
            (dX,) = to_picture(to_energy(way.perceptual)[1])
            loss, ddrawn = loss + way.perceptual * more, ddrawn + grid_of_patches(dX)
        judged, djudge = ddrawn * 0, tuple(np.zeros_like(x) for x in p["judge"])
        if way.adversarial:
            judged, djudge = self._judge(p["judge"], batch, picture_of(drawn))
            weight = way.adversarial * adaptive_weight(
                to_decoder(ddrawn)[1][2], to_decoder(judged)[1][2]
            )
            ddrawn = ddrawn + np.float32(weight) * judged
        dQ, ddecoder = to_decoder(ddrawn)
        _, to_codes = codebook_loss_vjp(Z, p["codes"])
        _, to_Z = commitment_loss_vjp(Z, p["codes"])
        (dZ, _), (_, dC) = straight_through(dQ), to_codes(1.0 / D_CODE)
        _, dencoder = to_encoder(dZ + to_Z(BETA / D_CODE)[0])
        return loss, {
            "encoder": dencoder,
            "codes": dC,
            "decoder": ddecoder,
            "judge": djudge,
        }

    @staticmethod
    def _judge(judge: tuple, X: np.ndarray, drawn: np.ndarray) -> tuple:
        """What the patches of a drawn picture are told by the discriminator, and what it learns itself.

        It reads patches that lie across the borders of those that were drawn, half a patch off.
        """
        half = PATCH // 2
        inner = np.s_[:, half:-half, half:-half]
        S, to_judge = read_patches_vjp(grid_of_patches(X[inner]), judge)
        S_hat, of_drawn = read_patches_vjp(grid_of_patches(drawn[inner]), judge)
        dS, dS_hat = discriminator_loss_vjp(S, S_hat)[1](1.0)
        _, of_real = to_judge(dS)
        _, of_false = of_drawn(dS_hat)
        djudge = tuple(a + b for a, b in zip(of_real, of_false))
        (upwards,) = generator_loss_vjp(S_hat)[1](1.0)
        dX = np.zeros_like(drawn)
        dX[inner] = picture_of(of_drawn(upwards)[0])
        return grid_of_patches(dX), djudge

    def learning_rate(self, step: int) -> float:
        """Up in 100 steps, then down along half a cosine wave."""
        return cosine_schedule(step, self.peak, 100, self.steps)

    def evaluate(self, parameters: Parameters) -> dict[str, float]:
        """How well the validation columns come back."""
        return qualities(parameters, "validation")


def encode(X: Picture, parameters: Parameters) -> Grid:
    """The grid of codes of a picture."""
    Z, _ = read_patches_vjp(grid_of_patches(X), parameters["encoder"])
    return nearest_codes(Z, parameters["codes"])


def decode(ids: Grid, parameters: Parameters) -> Picture:
    """The picture that a grid of codes stands for."""
    return picture_of(
        write_patches_vjp(parameters["codes"][ids], parameters["decoder"])[0]
    )


def qualities(parameters: Parameters, part: str) -> dict[str, float]:
    """Of the pictures of a part: squared error, distance of edges, share of the fine detail that is left, seams, codes in use."""
    pictures = list(regions(part).values())
    grids = [encode(X, parameters) for X in pictures]
    drawn = [decode(ids, parameters) for ids in grids]
    weights = np.array([X.size for X in pictures]) / sum(X.size for X in pictures)

    def mean(measure, *of):
        return float(weights @ [measure(*each) for each in zip(*of, strict=True)])

    ids = np.concatenate([grid.ravel() for grid in grids])
    return {
        "error": mean(lambda X, Y: np.square(X - Y).mean(), pictures, drawn),
        "edges": mean(
            lambda X, Y: perceptual_loss(edges(X), edges(Y)), pictures, drawn
        ),
        "detail": mean(fine_detail, drawn) / mean(fine_detail, pictures),
        "seams": mean(seams, drawn) / mean(seams, pictures),
        "codes": code_perplexity(ids, CODES),
    }


def fine_detail(X: Picture) -> float:
    """The mean square of what a pixel differs by from the mean of the four around it, all of them in one patch."""
    squares = grid_of_patches(X).reshape(-1, PATCH, PATCH)
    around = squares[:, :-2, 1:-1] + squares[:, 2:, 1:-1]
    around = around + squares[:, 1:-1, :-2] + squares[:, 1:-1, 2:]
    return float(np.square(squares[:, 1:-1, 1:-1] - around / 4).mean())


def seams(X: Picture) -> float:
    """The mean square of the steps from one patch into the next, over that of the steps inside patches."""
    squares = [np.square(np.diff(X, axis=axis)).mean(axis=1 - axis) for axis in (0, 1)]
    across = np.concatenate([x[PATCH - 1 :: PATCH] for x in squares]).mean()
    places = [np.arange(len(x)) % PATCH != PATCH - 1 for x in squares]
    inside = np.concatenate([x[k] for x, k in zip(squares, places)]).mean()
    return float(across / inside)


def records(folder: Path = Path(".cache/training") / NAME) -> Iterator[dict[str, Any]]:
    """Train every way with every seed, and measure it on the test columns; the first seed's networks are written for git."""
    for (name, way), seed in product(WAYS.items(), SEEDS):
        place = folder / f"{name}_{seed}".replace(" ", "_")
        run = with_progress(
            f"{name}, {seed}",
            VqganTask(way),
            place,
            Settings(seed=seed),
            VqganTask.steps,
        )
        if seed == SEEDS[0]:
            made = {"made": json.dumps(provenance(NAME))}
            kept = as_matrices(without_judge(run.parameters))
            write_committed(FILES[name], kept, made, run.history)
        yield {"way": name, "seed": seed, **qualities(run.parameters, "test")}


def without_judge(parameters: Parameters) -> Parameters:
    """What draws a picture, without the discriminator, which only helped it to learn."""
    return {name: part for name, part in parameters.items() if name != "judge"}


def as_matrices(parameters: Parameters) -> Parameters:
    """Kernels as matrices of nine blocks below each other, as a checkpoint keeps them."""
    return map_leaves(lambda x: x.reshape(-1, x.shape[-1]), parameters)


@cache
def vqgan(way: str) -> Parameters:
    """The networks and codes of the first seed, as the committed checkpoint has them."""
    like = without_judge(VqganTask(WAYS[way]).networks(np.random.default_rng(0)))
    return read_committed(FILES[way], like)[0]


def vqgan_records() -> list[dict[str, Any]]:
    """A record for each training, as they stand in git."""
    return read_records("vqgan.json")


if __name__ == "__main__":
    write_records("vqgan.json", records())
