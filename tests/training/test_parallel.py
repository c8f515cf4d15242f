"""The parts of a batch together have the loss and the gradient of the whole."""

import threading

import numpy as np
import pytest

from transformer_math.trained.recipes import RECIPES, RecipeTask
from transformer_math.training.parallel import mean_of_parts
from transformer_math.trees import leaves, map_leaves, same


def drawn():
    recipe = RECIPES["pre-norm, rotary"]
    task = RecipeTask(recipe, 1e-3, batch_size=4, d_model=16, d_ff=32, n_layers=1)
    rng = np.random.default_rng(0)
    start = map_leaves(lambda x: x.astype(float), task.initial(rng))
    return task, start, rng.integers(1000, size=(4, 9))


@pytest.mark.parametrize("number", [1, 2, 4])
def test_parts_have_the_gradient_of_the_whole(number):
    task, parameters, batch = drawn()
    loss, gradients = task.loss_and_gradient(parameters, batch)
    parts = np.split(batch, number)
    again, found = mean_of_parts(task.loss_and_gradient, parameters, parts)
    assert again == pytest.approx(loss, rel=1e-12)
    for a, b in zip(leaves(gradients).values(), leaves(found).values(), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-12)


def test_the_same_bits_whoever_is_first():
    task, parameters, batch = drawn()
    parts = [map_leaves(lambda x: x, part) for part in np.split(batch, 4)]
    ready = [threading.Event() for _ in parts]

    def after(order):
        def one(parameters, part):
            place = next(i for i, other in enumerate(parts) if other is part)
            before = order.index(place)
            if before:
                ready[order[before - 1]].wait(10)
            found = task.loss_and_gradient(parameters, part)
            ready[place].set()
            return found

        for event in ready:
            event.clear()
        return mean_of_parts(one, parameters, parts)

    assert same(after([0, 1, 2, 3])[1], after([3, 1, 2, 0])[1])


def test_no_part_has_no_mean():
    with pytest.raises(ValueError, match="parts is empty; wanted at least one"):
        mean_of_parts(lambda parameters, part: (0.0, parameters), {}, [])


def test_single_precision_stays_single():
    task, parameters, batch = drawn()
    single = map_leaves(np.float32, parameters)
    _, found = mean_of_parts(task.loss_and_gradient, single, np.split(batch, 2))
    assert {g.dtype for g in leaves(found).values()} == {np.dtype(np.float32)}


def test_what_goes_wrong_in_a_part_is_heard():
    def fails(parameters, part):
        raise ValueError("of this part")

    with pytest.raises(ValueError, match="of this part"):
        mean_of_parts(fails, {}, [1, 2])
