"""What changed since the paper, one change at a time: small models that differ in their normalisation and positions alone.

`make train MODEL=recipes` trains each recipe with three peaks of the learning rate, and with the peak that did best on
the validation chapters with two seeds more; an interrupted run goes on.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Int

from transformer_math.attention.masks import causal_mask
from transformer_math.contract import Pullback
from transformer_math.gradient._decoder_only import through_decoder_only
from transformer_math.gradient._stack import LayerTwin
from transformer_math.gradient._sublayers import post_norm_vjp, two_sublayers_vjp
from transformer_math.gradient.cross_entropy import cross_entropy_vjp
from transformer_math.gradient.feed_forward import feed_forward_vjp
from transformer_math.gradient.layer_norm import pre_norm_vjp
from transformer_math.gradient.lookup import embed_vjp, scale_embedding_vjp
from transformer_math.gradient.multi_head import self_attention_vjp
from transformer_math.gradient.rotary_attention import rotary_attention_vjp
from transformer_math.model.decoder_only import (
    DecoderOnlyParameters,
    initialise_decoder_only,
)
from transformer_math.position.sinusoidal import sinusoidal
from transformer_math.trained._schedule import WarmUpInATenth
from transformer_math.trained.committed import float32, read_records, write_records
from transformer_math.trained.language_texts import texts
from transformer_math.training.loop import Settings, train
from transformer_math.training.objective import bits_per_byte, shift

NAME = "recipes"
VOCAB_SIZE, N_HEADS, CONTEXT, HELD_OUT = 1000, 4, 64, 6401
PEAKS, SEEDS = (1e-3, 3e-3, 6e-3), (1, 2, 3)


def masked_attention_vjp(
    Z: np.ndarray, parameters: Any, n_heads: int
) -> tuple[np.ndarray, Pullback]:
    """Causal self-attention that is told nothing of positions."""
    return self_attention_vjp(Z, parameters, n_heads, causal_mask(Z.shape[-2]))


@dataclass(frozen=True)
class Recipe:
    """How a layer is put together: what goes around its sublayers, how it attends, and whether sinusoids are added."""

    around: Callable
    attend: Callable
    sinusoids: bool


RECIPES = {
    "post-norm, sinusoids": Recipe(post_norm_vjp, masked_attention_vjp, True),
    "pre-norm, sinusoids": Recipe(pre_norm_vjp, masked_attention_vjp, True),
    "post-norm, rotary": Recipe(post_norm_vjp, rotary_attention_vjp, False),
    "pre-norm, rotary": Recipe(pre_norm_vjp, rotary_attention_vjp, False),
}


def layer_twin(recipe: Recipe, parameters: Any) -> LayerTwin:
    """A layer by this recipe, with its pullback."""
    p = parameters
    return lambda Z: two_sublayers_vjp(
        Z,
        p,
        recipe.around,
        lambda U: recipe.attend(U, p.rotary_attention, N_HEADS),
        lambda U: feed_forward_vjp(U, p.feed_forward),
    )


def recipe_logits_vjp(
    ids: Int[np.ndarray, "... n"], parameters: DecoderOnlyParameters, recipe: Recipe
) -> tuple[np.ndarray, Pullback]:
    """The logits of a model by this recipe, and their pullback; a norm stands after the last layer, whatever the recipe."""
    p = parameters
    rows, embedding = embed_vjp(ids, p.E)
    X, scale = scale_embedding_vjp(rows)
    if recipe.sinusoids:
        X = X + sinusoidal(*X.shape[-2:]).astype(X.dtype)
    twins = [layer_twin(recipe, layer) for layer in p.layers]
    logits, through = through_decoder_only(X, p, twins)

    def pullback(dlogits):
        dX, found = through(dlogits)
        (dE,) = embedding(*scale(dX))
        return (replace(found, E=found.E + dE),)

    return logits, pullback


@dataclass(frozen=True)
class RecipeTask(WarmUpInATenth):
    """A recipe, and windows of the novel's training chapters to try it on."""

    recipe: Recipe
    peak: float
    steps: int = 1500
    every: int = 1500
    batch_size: int = 16
    d_model: int = 64
    d_ff: int = 256
    n_layers: int = 4

    def initial(self, rng: np.random.Generator) -> DecoderOnlyParameters:
        """Random parameters, in single precision: the same for every recipe."""
        sizes = VOCAB_SIZE, self.d_model, N_HEADS, self.d_ff, self.n_layers
        return float32(initialise_decoder_only(rng, *sizes))

    def batch(self, rng: np.random.Generator, step: int) -> Int[np.ndarray, "b n"]:
        """Windows from random places of the training chapters."""
        text = texts(VOCAB_SIZE).training["novel"]
        starts = rng.integers(len(text) - CONTEXT, size=self.batch_size)
        return text[starts[:, None] + np.arange(CONTEXT + 1)]

    def loss_and_gradient(
        self, parameters: DecoderOnlyParameters, batch: np.ndarray
    ) -> tuple[float, DecoderOnlyParameters]:
        """Cross-entropy of each next token."""
        given, wanted = shift(batch)
        scored, to_parameters = recipe_logits_vjp(given, parameters, self.recipe)
        loss, to_logits = cross_entropy_vjp(scored, wanted)
        return loss, *to_parameters(*to_logits(1.0))

    def evaluate(self, parameters: DecoderOnlyParameters) -> dict[str, float]:
        """Bits for each byte at the beginning of the validation chapters, in windows side by side."""
        given, wanted = shift(held_out())
        scored, _ = recipe_logits_vjp(given, parameters, self.recipe)
        loss, _ = cross_entropy_vjp(scored, wanted)
        text = texts(VOCAB_SIZE)
        bits = bits_per_byte(loss, len(text.validation), text.validation_bytes)
        return {"bits": bits}


@cache
def held_out() -> Int[np.ndarray, "windows n"]:
    """The beginning of the validation chapters, in windows side by side."""
    starts = np.arange(0, HELD_OUT - CONTEXT, CONTEXT)
    return texts(VOCAB_SIZE).validation[starts[:, None] + np.arange(CONTEXT + 1)]


def records(folder: Path = Path(".cache/training") / NAME) -> Iterator[dict[str, Any]]:
    """Train every recipe with every peak and the first seed, then with its best peak and the other seeds."""
    for name, recipe in RECIPES.items():
        tried = [one_run(folder, name, recipe, peak, SEEDS[0]) for peak in PEAKS]
        yield from tried
        best = min(tried, key=lambda record: record["bits"])["peak"]
        for seed in SEEDS[1:]:
            yield one_run(folder, name, recipe, best, seed)


def one_run(
    folder: Path, name: str, recipe: Recipe, peak: float, seed: int
) -> dict[str, Any]:
    """One training, and what it came to."""
    place = folder / f"{name}_{peak}_{seed}".replace(", ", "_")
    run = train(RecipeTask(recipe, peak), place, Settings(seed=seed))
    bits = run.history[-1]["bits"]
    return {"recipe": name, "peak": peak, "seed": seed, "bits": bits}


def recipes() -> list[dict[str, Any]]:
    """A record for each training, as they stand in git."""
    return read_records("recipes.json")


if __name__ == "__main__":
    write_records("recipes.json", records())
