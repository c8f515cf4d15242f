"""How the formulas of merges and likelihood are read."""

from itertools import islice

from transformer_math.formulas.reading import reading


@reading("eq-gain-by-score")
@reading("eq-merge-gain")
def pairs_one_by_one(a, outputs, arguments):
    """The formula speaks of one pair; its two tokens are 0 and 1, or both 0."""
    for given, same, value in _pairs(arguments["pairs"], outputs[0]):
        yield given | {"a": 0, "b": int(not same)}, {"Delta": value}


@reading("eq-merge-score")
def score_of_each_pair(a, outputs, arguments):
    """The formula speaks of one pair; a and b are parts of names."""
    for given, _, value in _pairs(arguments["pairs"], outputs[0]):
        yield given, {"s": value}


def _pairs(pairs, values):
    columns = (pairs.m, pairs.n_a, pairs.n_b, pairs.same, values)
    for m, n_a, n_b, same, value in islice(zip(*columns), 8):
        yield {"m": m, "n_a": n_a, "n_b": n_b, "N": pairs.N}, same, value
