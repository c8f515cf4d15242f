"""How the formulas of the gradients of TS2Vec's loss are read."""

import numpy as np

from transformer_math.formulas.cases import pulled_back
from transformer_math.formulas.modalities.series_contrast import first, one_series
from transformer_math.formulas.reading import reading, with_arguments
from transformer_math.gradient.series_contrast import (
    contrast_vjp,
    dual_contrast_vjp,
    halve_time_vjp,
)

with_arguments("eq-contrast-vjp")(one_series)


def gradients(R, S):
    """Of each contrast in a stack of them, to both views."""
    each = [contrast_vjp(*views)[1](1.0) for views in zip(R, S)]
    return [np.stack(found) for found in zip(*each)]


@reading("eq-dual-contrast-vjp")
def of_series_and_of_moments(a, outputs, arguments):
    """The gradients of the single contrasts are known, by the formula before it."""
    _, dL, (dR, dS) = pulled_back(dual_contrast_vjp, arguments)
    R, S = arguments["R"], arguments["S"]
    G, H = gradients(R, S)
    of_moments = gradients(R.swapaxes(0, 1), S.swapaxes(0, 1))
    known = {"G": G, "H": H, "G'": of_moments[0], "H'": of_moments[1]}
    sizes = {"B": len(R), "n": R.shape[1], "alpha": a["alpha"]}
    yield known | sizes | {"dmathcal:L": dL}, {"dR": dR, "dS": dS}


@reading("eq-halve-time-vjp")
def of_one_series(a, outputs, arguments):
    """The formula speaks of one series, and of the pairs in it."""
    R = first(arguments["R"])
    _, dH, (dR,) = pulled_back(halve_time_vjp, {"R": R})
    sizes = {"n": len(R), "d": R.shape[1], "h": len(dH)}
    yield {"R": R, "dH": dH, **sizes}, {"dR": dR}
