"""Heads removed in three ways: what is left unchanged is the model, a removal by zero is a closed gate, and the records hold."""

from dataclasses import replace

import numpy as np
import pytest

from transformer_math.trained import head_roles as roles
from transformer_math.trained.ablation import gate_heads
from transformer_math.trained.language_model import (
    N_HEADS,
    N_LAYERS,
    language_logits,
    language_model,
)
from transformer_math.training import shift


def test_a_head_that_is_not_changed_leaves_the_model_as_it_is():
    given, _ = shift(roles.windows(3))
    found = roles.logits_with(given, language_model(), (2, 1), lambda found: found)
    wanted = language_logits(given, language_model())
    np.testing.assert_allclose(found, wanted, atol=2e-3)


def test_removed_by_zero_is_a_closed_gate():
    model, (given, _) = language_model(), shift(roles.windows(3))
    layers = list(model.layers)
    a = layers[1].rotary_attention
    closed = gate_heads(a.W_O, 1.0 - np.eye(N_HEADS)[3])
    layers[1] = replace(layers[1], rotary_attention=replace(a, W_O=closed))
    wanted = language_logits(given, replace(model, layers=tuple(layers)))
    found = roles.logits_with(given, model, (1, 3), roles.REMOVALS["zero"])
    np.testing.assert_allclose(found, wanted, atol=2e-3)


def test_the_mean_is_one_for_all_and_resampling_takes_another_windows():
    found = np.random.default_rng(0).normal(size=(4, 5, 6))
    mean = roles.REMOVALS["mean"](found)
    assert mean.shape == found.shape and np.ptp(mean, axis=(0, 1)).max() == 0
    np.testing.assert_allclose(mean[0, 0], found.mean(axis=(0, 1)))
    np.testing.assert_array_equal(roles.REMOVALS["resample"](found)[1], found[0])


def test_there_is_a_record_for_each_head():
    places = [(one["layer"] - 1, one["head"]) for one in roles.head_roles()]
    assert places == list(np.ndindex(N_LAYERS, N_HEADS))


@pytest.mark.parametrize("name", roles.REMOVALS)
def test_a_record_is_what_the_model_gives(name):
    record = roles.head_roles()[7]
    place, chosen = (record["layer"] - 1, record["head"]), roles.windows()
    before = roles.losses(chosen, place, lambda found: found)
    rise = roles.losses(chosen, place, roles.REMOVALS[name]) - before
    assert rise.mean() == pytest.approx(record[name][0], abs=2e-4)
