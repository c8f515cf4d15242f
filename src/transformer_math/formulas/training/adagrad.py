"""How the formula of AdaGrad is read."""

from itertools import islice

import numpy as np

from transformer_math.formulas.cases import arguments_of
from transformer_math.formulas.reading import calls_reading
from transformer_math.training.adagrad import adagrad_step
from transformer_math.trees import leaves


@calls_reading("eq-adagrad")
def numbers_one_by_one(calls):
    """The formula speaks of one parameter: each number of the trees, and the sum that belongs to it."""
    for call in calls:
        a = arguments_of(adagrad_step, call)
        trees = (a["parameters"], a["gradients"], a["squares"], *call.output)
        columns = [
            np.concatenate([x.ravel() for x in leaves(tree).values()]) for tree in trees
        ]
        settings = {"eta": a["learning_rate"], "varepsilon": a["eps"]}
        for theta, g, s, *wanted in islice(zip(*columns), 4):
            given = settings | {"theta": theta, "g": g, "s": s}
            yield given, dict(zip(("theta'", "s'"), wanted))
