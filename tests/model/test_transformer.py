import numpy as np
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
