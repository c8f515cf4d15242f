"""How the formula of Adam is read."""

from itertools import islice

import numpy as np

from transformer_math.formulas.cases import arguments_of
from transformer_math.formulas.reading import calls_reading
from transformer_math.training.adam import adam_step
from transformer_math.trees import leaves


@calls_reading("eq-adam")
def numbers_one_by_one(calls):
    """The formula speaks of one parameter: each number of the trees, and what is remembered of it."""
    for call in calls:
        a = arguments_of(adam_step, call)
        after, state = call.output
        old = (a["parameters"], a["gradients"], a["state"].m, a["state"].v)
        columns = [
            np.concatenate([x.ravel() for x in leaves(tree).values()])
            for tree in (*old, after, state.m, state.v)
        ]
        settings = {
            "eta": a["learning_rate"],
            "beta_1": a["beta_1"],
            "beta_2": a["beta_2"],
            "varepsilon": a["eps"],
            "lambda": a["weight_decay"],
            "t": a["state"].step + 1,
        }
        for theta, g, m, v, *wanted in islice(zip(*columns), 4):
            given = settings | {"theta": theta, "g": g, "m": m, "v": v}
            yield given, dict(zip(("theta'", "m'", "v'"), wanted))
