"""Grids of codes as sequences: the counts, the Transformer, and drawing on."""

import numpy as np
import pytest

from transformer_math.trained.code_drawing import (
    SIDE,
    DrawingTask,
    begun,
    code_drawing,
    code_drawing_records,
    counted,
    counted_bits,
    counts,
    draw_on,
    grids,
    held_out,
    model_bits,
    predicted,
)
from transformer_math.trained.vqgan import CODES
from transformer_math.training.loop import Settings, train


def test_windows_lie_side_by_side():
    grid = grids("test")["boats"]
    windows = held_out("test")
    assert windows.shape[1] == SIDE**2
    assert any(np.array_equal(w, grid[:SIDE, :SIDE].ravel()) for w in windows)


def test_counts_are_distributions():
    made = counts()
    for table in (made.alone, made.left, made.above, made.both):
        assert np.allclose(table.sum(axis=-1), 1)
        assert table.min() > 0


@pytest.mark.parametrize("order", ["alone", "left", "above", "both"])
def test_counts_look_at_no_code_that_follows(order):
    windows = held_out("test")[:3].copy()
    before = counted(windows, order)
    windows[:, 100:] = 5
    assert np.array_equal(counted(windows, order)[:, :101], before[:, :101])


def test_a_left_neighbour_counts_as_it_was_counted():
    windows = np.zeros((1, SIDE**2), dtype=int)
    assert np.allclose(counted(windows, "left")[0, 1], counts().left[0])
    assert np.allclose(counted(windows, "left")[0, SIDE], counts().alone)
    assert np.allclose(counted(windows, "above")[0, SIDE], counts().above[0])


def test_the_model_looks_at_no_code_that_follows():
    windows = held_out("test")[:2].copy()
    predict = predicted(code_drawing())
    before = predict(windows)
    windows[:, 60:] = 1
    assert np.allclose(predict(windows)[:, :61], before[:, :61], atol=1e-5)
    assert not np.allclose(predict(windows)[:, 62:], before[:, 62:], atol=1e-3)


def test_drawing_on_keeps_what_is_given_and_follows_the_probabilities():
    windows = held_out("test")[:2]
    certain = np.zeros((2, SIDE**2, CODES))
    certain[..., 7] = 1
    drawn = draw_on(np.random.default_rng(0), windows, 250, lambda w: certain)
    assert np.array_equal(drawn[:, :250], windows[:, :250])
    assert (drawn[:, 250:] == 7).all()


def test_records_are_those_of_counts_and_of_the_checkpoint():
    """Weights as bytes change little."""
    records = code_drawing_records()
    for record in records:
        if "seed" not in record:
            order = record["model"].removeprefix("counts: ")
            assert counted_bits(order, "test") == pytest.approx(record["bits"], 1e-3)
    (first,) = (r for r in records if r.get("seed") == 1)
    assert model_bits(code_drawing(), "test") == pytest.approx(first["bits"], abs=0.05)


def test_sixty_steps_bring_the_loss_down(tmp_path):
    task = DrawingTask(steps=60, every=60, batch_size=2, peak=0.01)
    start = model_bits(task.initial(np.random.default_rng([0, 0])), "validation")
    run = train(task, tmp_path, Settings())
    assert run.history[-1]["bits"] < start
    assert begun(held_out("test")).shape[1] == SIDE**2 + 1
