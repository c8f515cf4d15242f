"""How the formulas of TS2Vec's loss are read: each speaks of one series, or of one batch."""

from transformer_math.formulas.reading import reading, with_arguments
from transformer_math.modalities.series_contrast import halve_time


def first(views):
    """The first series of some."""
    return views.reshape(-1, *views.shape[-2:])[0]


@with_arguments("eq-contrast")
def one_series(arguments):
    """One series in two views."""
    return {name: first(views) for name, views in arguments.items()}


@reading("eq-halve-time")
def half_as_many(a, outputs, arguments):
    """The number of pairs."""
    half = outputs[0]
    yield {"R": a["R"], "h": len(half), "d": half.shape[1]}, {"result": half}


@reading("eq-hierarchical-contrast")
def level_by_level(a, outputs, arguments):
    """The formula halves whole batches; how often is known."""
    halved = []
    views = [arguments[name] for name in "RS"]
    while views[0].shape[1] > 1:
        shorter = [halve_time(view) for view in views]
        halved += [[view, half] for view, half in zip(views, shorter)]
        views = shorter
    known = {"R^(0)": a["R"], "S^(0)": a["S"], "alpha": a["alpha"]}
    levels = {"D": len(halved) // 2, "halve": {"table": halved}}
    yield known | levels | {"B": len(a["R"])}, {"mathcal:L": outputs[0]}
