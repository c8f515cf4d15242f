"""Checks of effects, against the coefficients of a least-squares fit."""

import numpy as np

from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import size
from transformer_math.training.experiment import interaction, main_effect

HALF = np.array([0.5, -0.5])  # without a part, and with it


def fitted(columns, outcomes):
    """The coefficient of the last column, where the outcomes are fitted by all of them."""
    columns = [column.ravel() for column in np.broadcast_arrays(*columns, outcomes)]
    *columns, outcomes = columns
    return np.linalg.lstsq(np.stack(columns, 1), outcomes, rcond=None)[0][-1]


def losses(rng, m):
    """Losses of pairs of runs, as large as losses are, or larger."""
    return rng.exponential(size=(2, m)) * 10 ** rng.uniform(-2, 3)


@check(
    main_effect,
    equation="eq-main-effect",
    oracle="the slope of a least-squares fit",
    symbols={"losses": "u"},
)
def main_effect_is_a_slope(main_effect, rng):
    u = losses(rng, size(rng))
    return difference(main_effect(u), fitted([np.ones(()), HALF[:, None]], u))


@main_effect_is_a_slope.rejects(
    "You subtract the wrong way round: an effect is the loss without the part less the loss with it."
)
def with_less_without(losses):
    return float((losses[1] - losses[0]).mean())


@main_effect_is_a_slope.rejects(
    "You add the differences up: divide by their number, so that more runs do not make a larger effect."
)
def summed(losses):
    return float((losses[0] - losses[1]).sum())


@main_effect_is_a_slope.rejects(
    "You divide by the number of runs: there are half as many pairs, and each pair gives one difference."
)
def by_the_runs(losses):
    return float((losses[0] - losses[1]).sum() / losses.size)


@main_effect_is_a_slope.rejects(
    "You look at the first pair alone: all m pairs count, whatever else is on or off in them."
)
def first_pair(losses):
    return float(losses[0, 0] - losses[1, 0])


@main_effect_is_a_slope.rejects(
    "You take the median of the differences: the effect is their mean."
)
def median(losses):
    return float(np.median(losses[0] - losses[1]))


@main_effect_is_a_slope.rejects(
    "You divide by the losses with the part: the effect is a difference, in the unit of the loss."
)
def relative(losses):
    return float(((losses[0] - losses[1]) / losses[1]).mean())


@main_effect_is_a_slope.rejects(
    "You leave out the signs: a part that makes some models better and others worse has an effect between the two."
)
def without_signs(losses):
    return float(np.abs(losses[0] - losses[1]).mean())


@check(
    interaction,
    equation="eq-interaction",
    oracle="the coefficient of a product in a least-squares fit",
    symbols={"with_other": "u", "without_other": "u'"},
)
def interaction_is_the_products_slope(interaction, rng):
    m = size(rng)
    u, without = losses(rng, m), losses(rng, m)
    a, b = HALF[:, None, None], HALF[:, None]
    outcomes = np.stack([without, u], axis=1)  # part, other part, pair
    wanted = fitted([np.ones(()), a, b, a * b], outcomes)
    return difference(interaction(u, without), wanted)


@interaction_is_the_products_slope.rejects(
    "You subtract the wrong way round: the interaction is the effect without the other part less the effect with it."
)
def with_less_without_other(with_other, without_other):
    return main_effect(with_other) - main_effect(without_other)


@interaction_is_the_products_slope.rejects(
    "You add the two effects: their difference says whether the parts depend on each other."
)
def added(with_other, without_other):
    return main_effect(with_other) + main_effect(without_other)


@interaction_is_the_products_slope.rejects(
    "You halve the difference, as some books on experiments do: here it is the whole difference of two effects."
)
def halved(with_other, without_other):
    return (main_effect(without_other) - main_effect(with_other)) / 2


@interaction_is_the_products_slope.rejects(
    "You look at the runs without the other part alone: subtract the effect with it."
)
def without_alone(with_other, without_other):
    return main_effect(without_other)


@interaction_is_the_products_slope.rejects(
    "You divide one effect by the other: the interaction is their difference, in the unit of the loss."
)
def ratio(with_other, without_other):
    return main_effect(without_other) / main_effect(with_other)


@interaction_is_the_products_slope.rejects(
    "You compare the means of all runs: that is the effect of the other part, whatever this one does."
)
def effect_of_the_other(with_other, without_other):
    return float(without_other.mean() - with_other.mean())
