from inspect import signature

import numpy as np
import pytest
from bad_input import assert_refused, refusals

from transformer_math.attention import causal_mask
from transformer_math.model import (
    count_parameters,
    encoder_layer_flops,
    encoder_layer_parameters,
    initialise,
    logits_flops,
    transformer,
)
from transformer_math.trees import leaves, same

model = initialise(
    np.random.default_rng(0), vocab_size=11, d_model=8, n_heads=2, d_ff=16, n_layers=3
)
ids = np.array([1, 5, 5, 2, 10])


def test_every_position_has_a_distribution():
    p = transformer(ids, model, n_heads=2)
    assert p.shape == (5, 11)
    assert np.allclose(p.sum(-1), 1, atol=1e-12)


def test_a_causal_model_does_not_see_what_comes():
    changed = ids.copy()
    changed[-1] = 0
    before, after = (
        transformer(x, model, n_heads=2, mask=causal_mask(5)) for x in (ids, changed)
    )
    assert np.array_equal(before[:-1], after[:-1])


def test_a_batch_is_its_sentences_one_by_one():
    batch = np.stack([ids, ids[::-1]])
    together = transformer(batch, model, n_heads=2)
    assert np.allclose(
        together[1], transformer(ids[::-1], model, n_heads=2), atol=1e-12
    )


def test_the_formula_counts_what_is_there():
    assert count_parameters(model.layers[0]) == encoder_layer_parameters(
        d_model=8, d_ff=16
    )


@refusals(
    (
        "heads do not divide",
        lambda: initialise(np.random.default_rng(0), 5, 10, 4, 8, 1),
        ("10", "4 heads"),
    ),
    ("no tokens", lambda: encoder_layer_flops(0, 8, 16), ("n is 0",)),
    ("no width", lambda: encoder_layer_parameters(0, 16), ("d_model is 0",)),
    ("no vocabulary", lambda: logits_flops(1, 8, 0), ("vocab_size is 0",)),
    ("id outside", lambda: transformer(np.array([11]), model, 2), ("[11]", "0..10")),
)
def test_bad_input(call, words):
    assert_refused(call, words)


def matrices_of(parameters):
    return {
        path: leaf
        for path, leaf in leaves(parameters).items()
        if leaf.ndim == 2 and path != ".E"
    }


def test_initial_matrices_are_uniform_in_their_bounds():
    large = initialise(
        np.random.default_rng(3),
        vocab_size=90,
        d_model=60,
        n_heads=3,
        d_ff=80,
        n_layers=2,
    )
    for path, W in matrices_of(large).items():
        bound = np.sqrt(6 / sum(W.shape))
        assert 0.99 * bound < np.abs(W).max() <= bound, path
        assert abs(W.mean()) < 0.03 * bound, path
        assert abs(W.std() - bound / np.sqrt(3)) < 0.03 * bound, path
    assert abs(large.E.std() - 60**-0.5) < 0.03 * 60**-0.5
    assert abs(large.E.mean()) < 0.01


def test_initial_biases_are_0_and_scales_1():
    vectors = {path: leaf for path, leaf in leaves(model).items() if leaf.ndim == 1}
    assert len(vectors) == 3 * 10
    for path, vector in vectors.items():
        assert np.all(vector == (1 if "gamma" in path else 0)), path


def test_no_two_matrices_start_alike_and_the_seed_decides():
    drawn = [W.ravel()[:4].tolist() for W in matrices_of(model).values()]
    assert len({tuple(row) for row in drawn}) == len(drawn)
    again = initialise(
        np.random.default_rng(0), 11, d_model=8, n_heads=2, d_ff=16, n_layers=3
    )
    assert same(model, again)


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize(
    "cost", [encoder_layer_flops, encoder_layer_parameters, logits_flops]
)
def test_every_size_of_a_model_is_positive(cost, place):
    sizes = [2, 4, 8][: len(signature(cost).parameters)]
    if place < len(sizes):
        sizes[place] = 0
        with pytest.raises(ValueError, match="is 0"):
            cost(*sizes)
