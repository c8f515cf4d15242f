"""The four recipes: each is the model that it names, its gradient follows differences, and the records are whole."""

import numpy as np
import pytest

from transformer_math.attention import causal_mask
from transformer_math.block import EncoderLayerParameters, layer_norm
from transformer_math.embedding import embed, scale_embedding
from transformer_math.model import (
    decoder_only_logits,
    embed_at_positions,
    encoder,
    encoder_pre_norm,
    initialise_decoder_only,
)
from transformer_math.trained import recipes as r
from transformer_math.trees import leaves, map_leaves


def drawn(rng):
    start = initialise_decoder_only(rng, 11, 16, r.N_HEADS, 12, 2)
    return map_leaves(lambda x: x + 0.1 * rng.normal(size=x.shape), start)


def as_encoder(layers):
    return [
        EncoderLayerParameters(p.rotary_attention, p.feed_forward, p.norm_1, p.norm_2)
        for p in layers
    ]


@pytest.mark.parametrize("name", r.RECIPES)
def test_a_recipe_is_the_model_that_it_names(name):
    rng = np.random.default_rng(0)
    p, ids = drawn(rng), rng.integers(11, size=(2, 7))
    logits, _ = r.recipe_logits_vjp(ids, p, r.RECIPES[name])
    mask, layers = causal_mask(7), as_encoder(p.layers)
    if name == "pre-norm, rotary":
        wanted = decoder_only_logits(ids, p, r.N_HEADS)
    elif name == "pre-norm, sinusoids":
        Z = embed_at_positions(ids, p.E)
        wanted = encoder_pre_norm(Z, layers, p.norm, r.N_HEADS, mask) @ p.E.T
    elif name == "post-norm, sinusoids":
        Z = encoder(embed_at_positions(ids, p.E), layers, r.N_HEADS, mask)
        wanted = layer_norm(Z, p.norm) @ p.E.T
    else:  # a first token alone is not turned: it has no position to tell
        logits = logits[:, :1]
        Z = encoder(scale_embedding(embed(ids[:, :1], p.E)), layers, r.N_HEADS)
        wanted = layer_norm(Z, p.norm) @ p.E.T
    np.testing.assert_allclose(logits, wanted, atol=1e-12)


@pytest.mark.parametrize("name", r.RECIPES)
def test_the_gradient_follows_finite_differences(name):
    rng = np.random.default_rng(1)
    p, ids, recipe = drawn(rng), rng.integers(11, size=(2, 7)), r.RECIPES[name]
    way = map_leaves(lambda x: rng.normal(size=x.shape), p)
    logits, pullback = r.recipe_logits_vjp(ids, p, recipe)
    arriving = rng.normal(size=logits.shape)
    (found,) = pullback(arriving)

    def at(step):
        moved = map_leaves(lambda x, w: x + step * w, p, way)
        return np.sum(arriving * r.recipe_logits_vjp(ids, moved, recipe)[0])

    pairs = zip(leaves(found).values(), leaves(way).values())
    slope = (at(1e-6) - at(-1e-6)) / 2e-6
    assert sum(np.sum(g * w) for g, w in pairs) == pytest.approx(slope, rel=1e-6)


def test_every_recipe_was_tried_with_every_peak_and_its_best_with_every_seed():
    records = r.recipes()
    for name in r.RECIPES:
        own = [one for one in records if one["recipe"] == name]
        first = {one["peak"]: one["bits"] for one in own if one["seed"] == r.SEEDS[0]}
        assert tuple(first) == r.PEAKS
        best = min(first, key=first.get)
        assert [one["seed"] for one in own if one["peak"] == best] == list(r.SEEDS)


def test_all_recipes_start_alike_and_a_training_goes_down():
    starts = [
        r.RecipeTask(recipe, 1e-3).initial(np.random.default_rng(0))
        for recipe in r.RECIPES.values()
    ]
    for other in starts[1:]:
        for a, b in zip(leaves(starts[0]).values(), leaves(other).values()):
            np.testing.assert_array_equal(a, b)
