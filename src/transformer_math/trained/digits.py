"""A small vision transformer that learns to read handwritten digits.

`python -m transformer_math.trained.digits` trains it from nothing; `digit_reader()` reads what came out.
"""

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from jaxtyping import Float, Int

from transformer_math.block.layer_norm import NormParameters
from transformer_math.gradient.cross_entropy import cross_entropy_vjp
from transformer_math.gradient.vit import vit_logits_vjp
from transformer_math.modalities.patches import patchify, unpatchify
from transformer_math.modalities.vit import ViTParameters, accuracy, vit_logits
from transformer_math.model._initial import new_encoder_layer, new_matrix
from transformer_math.signals.digits import SIDE, digits
from transformer_math.trained._schedule import WarmUpInATenth
from transformer_math.trained.committed import (
    float32,
    read_committed,
    write_committed,
)
from transformer_math.trained.provenance import provenance
from transformer_math.training.command import train_from_command_line
from transformer_math.training.loop import Run, Settings
from transformer_math.training.objective import cross_entropy

N_HEADS, D_MODEL, D_FF, LAYERS, CLASSES = 4, 32, 64, 2, 10
TRAINING, VALIDATION = 1000, 300  # pictures; the rest is for the test

Pictures = Float[np.ndarray, "n H W C"]
DigitLabels = Int[np.ndarray, " n"]


@dataclass(frozen=True)
class Part:
    """Pictures and the digit that each of them shows."""

    X: Pictures
    y: DigitLabels


@cache
def split() -> tuple[Part, Part, Part]:
    """The pictures for training, for validation and for the test, in one random order that never changes."""
    X, y = digits()
    X = X.astype(np.float32)
    order = np.random.default_rng(0).permutation(len(X))
    parts = np.split(order, [TRAINING, TRAINING + VALIDATION])
    training, validation, test = (Part(X[part], y[part]) for part in parts)
    return training, validation, test


def drawn(rng: np.random.Generator, number: int) -> Part:
    """Pictures of the training part, drawn with replacement."""
    training = split()[0]
    chosen = rng.integers(len(training.y), size=number)
    return Part(training.X[chosen], training.y[chosen])


def shuffled(X: Pictures, patch_size: int, order: Int[np.ndarray, "..."]) -> Pictures:
    """Pictures with their patches in another order: one for all of them, or one for each."""
    T = patchify(X, patch_size)
    order = np.broadcast_to(order, T.shape[:-1])
    T = np.take_along_axis(T, order[..., None], axis=-2)
    return unpatchify(T, patch_size, *X.shape[-3:-1])


def fixed_order(patch_size: int) -> Int[np.ndarray, " patches"]:
    """The one order in which a model trained on a fixed shuffle gets the patches."""
    return np.random.default_rng(99).permutation((SIDE // patch_size) ** 2)


@dataclass(frozen=True)
class DigitsTask(WarmUpInATenth):
    """What the loop has to know: pictures drawn from the training part, cross-entropy of their digits.

    Without positions they stay zero; with a fixed shuffle every picture, the held-out ones too, has its patches in one
    other order.
    """

    steps: int = 600
    every: int = 100
    batch_size: int = 50
    patch_size: int = 2
    peak: float = 1e-2
    positions: bool = True
    fixed_shuffle: bool = False

    def initial(self, rng: np.random.Generator) -> ViTParameters:
        """Random parameters, in single precision; positions as small as the patches are."""
        p = initial_vit(rng, self.patch_size)
        return float32(p if self.positions else replace(p, P=np.zeros_like(p.P)))

    def arranged(self, X: Pictures) -> Pictures:
        """Pictures as this task shows them."""
        if not self.fixed_shuffle:
            return X
        return shuffled(X, self.patch_size, fixed_order(self.patch_size))

    def batch(self, rng: np.random.Generator, step: int) -> Part:
        """Pictures of the training part, drawn with replacement."""
        part = drawn(rng, self.batch_size)
        return Part(self.arranged(part.X), part.y)

    def loss_and_gradient(
        self, parameters: ViTParameters, batch: Part
    ) -> tuple[float, ViTParameters]:
        """Cross-entropy of the digits; positions that are switched off get no gradient."""
        scores, to_parameters = vit_logits_vjp(
            batch.X, self.patch_size, parameters, N_HEADS
        )
        loss, to_scores = cross_entropy_vjp(scores, batch.y)
        (gradient,) = to_parameters(*to_scores(1.0))
        if not self.positions:
            gradient = replace(gradient, P=np.zeros_like(gradient.P))
        return loss, gradient

    def evaluate(self, parameters: ViTParameters) -> dict[str, float]:
        """Accuracy and loss on the validation part."""
        return judged(self, parameters, split()[1])


def judged(task: DigitsTask, parameters: ViTParameters, part: Part) -> dict[str, float]:
    """Accuracy and loss on some pictures, as the task shows them."""
    scores = vit_logits(task.arranged(part.X), task.patch_size, parameters, N_HEADS)
    return {
        "accuracy": accuracy(scores, part.y),
        "held_out": cross_entropy(scores, part.y),
    }


def initial_vit(rng: np.random.Generator, patch_size: int) -> ViTParameters:
    """Random parameters for the digits: matrices as elsewhere, class token and positions small and normal."""
    tokens = (SIDE // patch_size) ** 2 + 1
    return ViTParameters(
        E=new_matrix(rng, patch_size**2, D_MODEL),
        x_class=0.02 * rng.normal(size=D_MODEL),
        P=0.02 * rng.normal(size=(tokens, D_MODEL)),
        layers=tuple(new_encoder_layer(rng, D_MODEL, D_FF) for _ in range(LAYERS)),
        norm=NormParameters(np.ones(D_MODEL), np.zeros(D_MODEL)),
        W_out=new_matrix(rng, D_MODEL, CLASSES),
        b_out=np.zeros(CLASSES),
    )


def digit_reader() -> ViTParameters:
    """The trained parameters, as the committed checkpoint has them."""
    like = DigitsTask().initial(np.random.default_rng(0))
    return read_committed("digits", like)[0]


def finish(run: Run, folder: Path) -> None:
    """Write the checkpoint that stands in git, with what a page needs to use it."""
    config = {
        "n_heads": N_HEADS,
        "d_model": D_MODEL,
        "d_ff": D_FF,
        "n_layers": LAYERS,
        "patch_size": DigitsTask.patch_size,
        "steps": run.step,
        "batch_size": DigitsTask.batch_size,
        "seed": SETTINGS.seed,
    }
    texts = {"config": config, "made": provenance("digits")}
    written = {name: json.dumps(text) for name, text in texts.items()}
    write_committed("digits", run.parameters, written, run.history)


SETTINGS = Settings(seed=1, weight_decay=0.3)

if __name__ == "__main__":
    train_from_command_line("digits", DigitsTask(), SETTINGS, finish)
