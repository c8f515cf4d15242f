"""The model with switches: all on it is the book's own, every gradient follows finite differences, the records are whole."""

from dataclasses import replace

import numpy as np
import pytest
from directional import slopes

from transformer_math.attention import causal_mask
from transformer_math.gradient import cross_entropy_vjp, transformer_logits_vjp
from transformer_math.model import initialise
from transformer_math.trained.one_layer import alphabet
from transformer_math.trained.switches import (
    CONTEXT,
    N_HEADS,
    PARTS,
    PEAK,
    SEEDS,
    LetterTask,
    Switches,
    all_switches,
    held_out,
    lacking_one,
    switch_runs,
    switched_logits_vjp,
    written,
)
from transformer_math.training import Settings, one_step
from transformer_math.training.loop import resume
from transformer_math.trees import leaves, map_leaves, same


def small(seed, layers=2):
    """A small model in double precision, ids that it reads and targets."""
    rng = np.random.default_rng(seed)
    parameters = initialise(rng, 7, 8, N_HEADS, 6, layers)
    shaken = map_leaves(lambda x: x + 0.3 * rng.normal(size=x.shape), parameters)
    return shaken, *rng.integers(7, size=(2, 3, 5)), rng


def test_with_everything_on_it_is_the_model_of_the_ten_steps():
    parameters, ids, targets, _ = small(1)
    ours, through = switched_logits_vjp(ids, parameters, Switches())
    mask = causal_mask(ids.shape[-1])
    theirs, pullback = transformer_logits_vjp(ids, parameters, N_HEADS, mask)
    np.testing.assert_array_equal(ours, theirs)
    _, to_logits = cross_entropy_vjp(ours, targets)
    (gradient,) = to_logits(1.0)
    for one, other in zip(*(leaves(f(gradient)[0]).values() for f in (through, pullback))):  # fmt: skip
        np.testing.assert_allclose(one, other, atol=1e-14)


@pytest.mark.parametrize("switches", all_switches(), ids=str)
def test_gradients_follow_finite_differences(switches):
    parameters, ids, targets, rng = small(2, 1 + switches.second_layer)

    def loss_and_gradient(at):
        scored, through = switched_logits_vjp(ids, at, switches)
        loss, to_logits = cross_entropy_vjp(scored, targets)
        return loss, *through(*to_logits(1.0))

    slope, difference = slopes(loss_and_gradient, parameters, rng, step=1e-6)
    assert difference == pytest.approx(slope, rel=1e-6, abs=1e-8)


def logits(parameters, ids, **off):
    return switched_logits_vjp(ids, parameters, replace(Switches(), **off))[0]


def test_each_switch_changes_what_it_names():
    parameters, ids, *_ = small(3)
    whole = logits(parameters, ids)
    for part in ("mask", "scale", "residual", "norm"):
        assert not np.allclose(logits(parameters, ids, **{part: False}), whole)
    other = ids.copy()
    other[:, -1] = (ids[:, -1] + 1) % 7
    np.testing.assert_array_equal(logits(parameters, other)[:, :-1], whole[:, :-1])
    without = logits(parameters, other, mask=False)[:, :-1]
    assert not np.allclose(without, logits(parameters, ids, mask=False)[:, :-1])


def test_without_the_scale_scores_are_plain_dot_products():
    """Keys √d_k times as long, with the scale, are the same as none."""
    parameters, ids, _, _ = small(4)
    d_k = 8 // N_HEADS

    def longer(layer):
        a = layer.attention
        long = replace(a, W_K=d_k**0.5 * a.W_K, b_K=d_k**0.5 * a.b_K)
        return replace(layer, attention=long)

    long = replace(parameters, layers=tuple(map(longer, parameters.layers)))
    np.testing.assert_allclose(
        logits(parameters, ids, scale=False), logits(long, ids), atol=1e-12
    )


def test_warm_up_and_its_absence_meet_at_the_end():
    task, at_once = LetterTask(), LetterTask(Switches(warm_up=False))
    assert task.learning_rate(1) < 0.1 * at_once.learning_rate(1)
    assert at_once.learning_rate(1) == pytest.approx(PEAK, rel=1e-4)
    assert task.learning_rate(task.steps) == at_once.learning_rate(task.steps) == 0


def test_one_layer_begins_as_the_first_of_two():
    one, two = (
        LetterTask(Switches(second_layer=on)).initial(np.random.default_rng(0))
        for on in (False, True)
    )
    assert len(one.layers) == 1 and len(two.layers) == 2
    assert same(one.layers[0], two.layers[0]) and same(one.E, two.E)


def test_held_out_windows_are_full():
    assert held_out().shape == (1000, CONTEXT + 1)
    assert held_out().max() < len(alphabet())


def test_what_is_written_are_letters(tmp_path):
    task = LetterTask()
    parameters = task.initial(np.random.default_rng(0))
    text = written(parameters, task.switches, np.random.default_rng(1))
    assert len(text) == 40 and set(text) <= set(alphabet())


def test_the_records_are_whole():
    found = [(run["on"], run["peak"], run["seed"]) for run in switch_runs()]
    assert len(set(found)) == len(found)
    everything = {r for r in found if r[1] == PEAK}
    assert len(everything) == len(all_switches()) * len(SEEDS) == 2 ** len(PARTS) * 3
    assert len(found) - len(everything) == 2 * len(lacking_one()) * len(SEEDS)
    assert all(run["history"][-1]["step"] == LetterTask.steps for run in switch_runs())


def test_a_run_begins_as_its_record_says(tmp_path):
    """The first fifty steps again; another processor rounds otherwise, and training makes that larger."""
    (told,) = (r for r in switch_runs() if (r["on"], r["peak"], r["seed"]) == ("111111", PEAK, SEEDS[0]))  # fmt: skip
    task, settings, losses = LetterTask(), Settings(seed=SEEDS[0]), []
    run = resume(task, tmp_path, settings)
    for _ in range(task.every):
        run, loss = one_step(task, run, settings)
        losses.append(loss)
    assert np.mean(losses) == pytest.approx(told["history"][0]["loss"], abs=0.02)
