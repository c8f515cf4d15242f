"""The reader of digits, its rivals and its controls: gradients, splits, records that are whole."""

import numpy as np
import pytest
import torch

from transformer_math.modalities import patchify, vit_logits
from transformer_math.trained.digit_controls import (
    PEAKS,
    SEEDS,
    TUNING_SEEDS,
    chosen,
    digit_controls,
    digit_seeds,
    pieces,
    read,
)
from transformer_math.trained.digit_rivals import KINDS, RivalTask, convolution_vjp
from transformer_math.trained.digits import (
    N_HEADS,
    SETTINGS,
    DigitsTask,
    Part,
    digit_reader,
    fixed_order,
    shuffled,
    split,
)
from transformer_math.training import Settings, one_step
from transformer_math.training.loop import resume
from transformer_math.trees import map_leaves


def test_no_picture_is_in_two_parts():
    parts = split()
    assert [len(part.y) for part in parts] == [1000, 300, 497]
    seen = [{x.tobytes() for x in part.X} for part in parts]
    assert not (seen[0] & seen[1] or seen[0] & seen[2] or seen[1] & seen[2])


def test_shuffling_moves_whole_patches():
    X = split()[2].X[:3]
    order = np.array([3, 0, 1, 2])
    T, other = patchify(X, 4), patchify(shuffled(X, 4, order), 4)
    assert np.array_equal(other, T[:, order])
    assert sorted(fixed_order(2)) == list(range(16))
    torn = pieces(split()[2], 2)
    assert np.allclose(torn.X.sum(axis=(1, 2, 3)), split()[2].X.sum(axis=(1, 2, 3)))


@pytest.mark.parametrize("positions", [True, False])
def test_a_step_moves_the_positions_where_there_are_any(tmp_path, positions):
    task = DigitsTask(steps=20, every=20, batch_size=4, positions=positions)
    run = resume(task, tmp_path, Settings(seed=3))
    after, _ = one_step(task, run, Settings(seed=3))
    assert np.any(after.parameters.P) == positions
    assert not np.array_equal(after.parameters.E, run.parameters.E)


def test_without_positions_the_order_of_patches_changes_nothing():
    task = DigitsTask(positions=False)
    parameters = task.initial(np.random.default_rng(1))
    X = split()[2].X[:9]
    torn = shuffled(X, 2, np.random.default_rng(2).permutation(16))
    scores = [vit_logits(x, 2, parameters, N_HEADS) for x in (X, torn)]
    assert np.allclose(*scores, atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_gradients_of_rivals_follow_finite_differences(kind):
    task, rng = RivalTask(kind), np.random.default_rng(5)
    start = map_leaves(
        lambda x: x.astype(float) + 0.1 * rng.normal(size=x.shape), task.initial(rng)
    )
    batch = task.batch(rng, 1)
    batch = Part(batch.X[:7].astype(float), batch.y[:7])
    _, gradient = task.loss_and_gradient(start, batch)
    for name in start:
        way = rng.normal(size=start[name].shape)
        step = 1e-6
        there, back = (
            task.loss_and_gradient({**start, name: start[name] + s * way}, batch)[0]
            for s in (step, -step)
        )
        assert (there - back) / (2 * step) == pytest.approx(
            (gradient[name] * way).sum(), rel=1e-5, abs=1e-8
        )


def test_the_convolution_is_that_of_pytorch():
    rng = np.random.default_rng(6)
    X = rng.random((5, 8, 8, 1))
    p = map_leaves(
        lambda x: x + 0.1 * rng.normal(size=x.shape), KINDS["convolution"][0](rng)
    )

    def kernels(K, C):
        return torch.tensor(K.T.reshape(-1, C, 3, 3))

    Z = torch.tensor(X).permute(0, 3, 1, 2)
    for number, stride, C in (("1", 1, 1), ("2", 2, 16)):
        weights = kernels(p[f"K_{number}"], C), torch.tensor(p[f"b_{number}"])
        Z = torch.nn.functional.conv2d(Z, *weights, stride=stride, padding=1).relu()
    flat = Z.permute(0, 2, 3, 1).flatten(1)
    wanted = flat @ torch.tensor(p["W"]) + torch.tensor(p["b"])
    assert np.allclose(convolution_vjp(X, p)[0], wanted)


def test_logistic_regression_is_as_good_as_that_of_scikit_learn():
    from sklearn.linear_model import LogisticRegression

    training, _, test = split()
    flat = training.X.reshape(len(training.y), -1), test.X.reshape(len(test.y), -1)
    theirs = LogisticRegression(max_iter=2000).fit(flat[0], training.y)
    ours = [
        run["test"]
        for run in digit_controls()
        if run["for"] == "test" and run["kind"] == "logistic"
    ]
    assert theirs.score(flat[1], test.y) == pytest.approx(np.mean(ours), abs=0.015)


def test_the_committed_models_are_those_of_the_records():
    task, test = DigitsTask(), split()[2]
    runs = [
        run for run in digit_controls() if run["for"] == "test" and run["kind"] == "vit"
    ]
    assert [run["seed"] for run in runs] == list(SEEDS)
    for run, parameters in zip(runs, [digit_reader(), *digit_seeds()]):
        assert read(task, parameters, test) == pytest.approx(run["test"], abs=0.01)


def test_settings_are_those_that_the_validation_part_chose():
    tried = [run for run in digit_controls() if run["for"] == "choice"]
    assert chosen(tried, "vit") == (DigitsTask.peak, SETTINGS.weight_decay)
    assert all("test" not in run for run in tried)
    for kind in PEAKS:
        own = [
            run
            for run in digit_controls()
            if (run["for"], run["kind"]) == ("test", kind)
        ]
        assert {(run["peak"], run["decay"]) for run in own} == {chosen(tried, kind)}
        assert {run["seed"] for run in tried if run["kind"] == kind} == {*TUNING_SEEDS}
