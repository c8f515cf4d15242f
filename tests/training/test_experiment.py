"""Effects of parts: what follows from their definition in a whole experiment."""

import numpy as np

from transformer_math.training import interaction, main_effect

rng = np.random.default_rng(7)


def halves(y, part):
    """Losses as `main_effect` wants them: without the part, and with it."""
    return np.moveaxis(y, part, 0).reshape(2, -1)


def test_parts_that_add_do_not_interact():
    first, second = rng.normal(size=(2, 2))
    y = first[:, None] + second
    assert main_effect(halves(y, 0)) == np.float64(main_effect(first[:, None]))
    assert abs(interaction(y[:, 1:], y[:, :1])) < 1e-12


def test_an_interaction_is_the_same_from_either_side():
    y = rng.normal(size=(2, 2, 5))
    one = interaction(y[:, 1], y[:, 0])
    other = interaction(y[1], y[0])
    assert abs(one - other) < 1e-12


def test_effects_of_a_whole_experiment_are_its_two_halves_apart():
    y = rng.normal(size=(2,) * 6)
    for part in range(6):
        others = tuple(k for k in range(6) if k != part)
        without, with_it = y.mean(axis=others)
        assert abs(main_effect(halves(y, part)) - (without - with_it)) < 1e-12
