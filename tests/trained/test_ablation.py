import numpy as np
import pytest

from transformer_math.model import encoder, initialise
from transformer_math.trained.ablation import (
    attentions,
    changed,
    effects,
    without_heads,
    without_sublayer,
)
from transformer_math.trees import leaves


@pytest.fixture(scope="module")
def model():
    return initialise(np.random.default_rng(0), 11, 6, 3, 7, 2)


def test_attentions_are_found_in_order(model):
    assert attentions(model) == [".layers[0].attention", ".layers[1].attention"]


def test_a_removed_head_changes_its_own_rows_alone(model):
    cut = without_heads(model, ".layers[1].attention", [1], 3)
    for path, leaf in leaves(cut).items():
        wanted = leaves(model)[path].copy()
        if path == ".layers[1].attention.W_O":
            wanted[2:4] = 0
        np.testing.assert_array_equal(leaf, wanted, err_msg=path)


def test_a_silenced_sublayer_adds_nothing(model):
    Z = np.random.default_rng(1).normal(size=(4, 6))
    cut = model
    for layer in (0, 1):
        for part in ("attention", "feed_forward"):
            cut = without_sublayer(cut, f".layers[{layer}].{part}")
    normed = Z
    for _ in range(4):
        normed = normed - normed.mean(axis=-1, keepdims=True)
        normed = normed / np.sqrt((normed**2).mean(axis=-1, keepdims=True) + 1e-5)
    np.testing.assert_allclose(encoder(Z, cut.layers, 3), normed, atol=1e-12)


def test_effects_are_measured_on_the_model_without_each_head(model):
    found = effects(model, 3, lambda m: float((m.layers[1].attention.W_O == 0).sum()))
    assert found == {
        ".layers[0].attention": [0, 0, 0],
        ".layers[1].attention": [12, 12, 12],
    }


def test_what_is_measured_may_be_an_array(model):
    found = effects(model, 3, lambda m: m.layers[0].attention.b_O)
    np.testing.assert_array_equal(found[".layers[0].attention"][2], model.layers[0].attention.b_O)  # fmt: skip


def test_a_place_that_is_not_there_is_refused(model):
    with pytest.raises(ValueError, match="is no leaf of the parameters"):
        changed(model, ".layers[7].attention.W_O", np.zeros_like)
