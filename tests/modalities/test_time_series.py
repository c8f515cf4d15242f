import numpy as np
import pytest
import torch

from transformer_math.checks.modalities.series_contrast import torch_hierarchical
from transformer_math.checks.modalities.time_series import torch_block, torch_masked
from transformer_math.modalities import (
    dilated_convolution,
    receptive_field,
    timestamp_vectors,
    windows,
)
from transformer_math.signals.series import births, days, weekdays
from transformer_math.trained.time_series import (
    LENGTH,
    PERIODS,
    SEEDS,
    TimeSeriesTask,
    encode,
    initial_encoder,
    overlapping_crops,
    planted,
    rivals,
    time_series,
    timestamp_vectors_vjp,
)
from transformer_math.trees import leaves, map_leaves


def test_windows_side_by_side_are_the_series():
    X = np.random.default_rng(0).normal(size=(2, 12, 3))
    assert np.array_equal(windows(X, 4, 4).reshape(2, 12, 3), X)


def test_a_window_longer_than_the_series_is_refused():
    with pytest.raises(ValueError, match=r"window of 5.*has 4 moments"):
        windows(np.zeros((4, 1)), 5, 1)


def test_a_kernel_without_a_middle_is_refused():
    with pytest.raises(ValueError, match="4 taps"):
        dilated_convolution(np.zeros((5, 1)), np.zeros((4, 1, 1)), np.zeros(1), 1)


def test_a_vector_comes_from_its_receptive_field_alone():
    rng = np.random.default_rng(1)
    parameters = map_leaves(lambda p: p.astype(float), initial_encoder(rng))
    X, keep = rng.normal(size=(141, 1)), np.ones(141, bool)
    before = timestamp_vectors(X, parameters, keep)[70]
    side = receptive_field(3, 4) // 2
    for moment, reached in ((70 - side, True), (70 + side, True), (70 - side - 1, False), (70 + side + 1, False)):  # fmt: skip
        other = X.copy()
        other[moment] += 1
        changed = not np.array_equal(timestamp_vectors(other, parameters, keep)[70], before)  # fmt: skip
        assert changed == reached, moment


def test_two_crops_share_what_both_show():
    rng = np.random.default_rng(2)
    for _ in range(200):
        a, b, c, d = overlapping_crops(rng, LENGTH)
        assert 0 <= a <= b < c <= d <= LENGTH
        assert c - b >= 16


def test_gradients_of_a_training_step_are_those_of_autograd():
    task, rng = TimeSeriesTask("planted", batch_size=2), np.random.default_rng(3)
    p = map_leaves(lambda leaf: leaf.astype(float), initial_encoder(rng))
    batch = task.batch(rng, 1)
    loss, gradients = task.loss_and_gradient(p, batch)
    as_dicts = vars(p) | {"blocks": [vars(block) for block in p.blocks]}
    asked = map_leaves(lambda leaf: torch.tensor(leaf, requires_grad=True), as_dicts)

    def encoded(X, keep):
        H = torch_masked(torch.tensor(X, dtype=torch.float64), asked["W"], asked["b"], torch.from_numpy(keep))  # fmt: skip
        for l, block in enumerate(asked["blocks"]):
            H = torch_block(H, type("Block", (), block), 2**l)
        return H

    R, S = encoded(batch.first, batch.keep_first), encoded(batch.second, batch.keep_second)  # fmt: skip
    wanted = torch_hierarchical(R[:, -batch.shared :], S[:, : batch.shared])
    wanted.backward()
    assert loss == pytest.approx(wanted.item(), rel=1e-5)
    found = zip(leaves(gradients).values(), leaves(asked).values(), strict=True)
    for own, tensor in found:
        assert np.allclose(own, tensor.grad.numpy(), atol=1e-5)


def test_the_encoder_and_its_twin_agree():
    rng = np.random.default_rng(4)
    p, X = initial_encoder(rng), planted(rng, 2, 40)[0]
    H, _ = timestamp_vectors_vjp(X.astype(np.float32), p, np.ones(X.shape[:2], bool))
    assert np.allclose(H, encode(X, p), atol=1e-5)


def test_planted_states_that_last_have_the_same_mean_and_spread():
    X, states = planted(np.random.default_rng(5), 600, 200)
    lasting = (states[:, 100:] == states[:, -1:]).all(axis=1)
    for state in range(len(PERIODS)):
        readings = X[lasting & (states[:, -1] == state), -20:]
        assert abs(readings.mean()) < 0.1
        assert abs(readings.std() - 1) < 0.15


def test_the_births_are_those_of_twenty_years():
    assert len(births()) == len(days()) == len(weekdays()) == 7305
    assert str(days()[-1]) == "1988-12-31"
    assert weekdays()[0] == 2  # a Wednesday
    assert births().min() > 6000


def test_the_records_are_whole_and_the_rivals_are_what_they_say():
    first, *runs = time_series()
    assert [(r["kind"], r["seed"]) for r in runs] == [(kind, seed) for kind in ("planted", "births") for seed in SEEDS]  # fmt: skip
    now = rivals()
    assert first == {"kind": "rivals", **{name: pytest.approx(value, rel=1e-3) for name, value in now.items()}}  # fmt: skip
