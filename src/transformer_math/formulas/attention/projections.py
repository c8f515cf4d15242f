"""How the formulas of projections are read."""

import numpy as np

from transformer_math.attention.projections import project
from transformer_math.formulas.reading import reading


@reading("eq-projection")
def three_projections(a, outputs, arguments):
    """One function, three lines: each has a matrix and a bias of its own."""
    W, b = a["W^Q"], np.broadcast_to(a["b"], a["W^Q"].shape[1:])
    wanted, values = {"Q": outputs[0]}, {"Z": a["Z"], "W^Q": W, "b^Q": b}
    for name, factor in (("K", 2.0), ("V", -3.0)):
        values |= {f"W^{name}": W + factor, f"b^{name}": b * factor}
        wanted[name] = project(a["Z"], W + factor, b * factor)
    yield values, wanted


@reading("eq-split-heads")
def columns_of_q(a, outputs, arguments):
    """The columns are those of Q; d_k is what each head gets."""
    H = a["H"]
    yield {"Q": a["x"], "H": H, "d_k": a["x"].shape[1] // H}, {"Q[]": outputs[0]}


@reading("eq-score-terms")
def sum_of_terms(a, outputs, arguments):
    """The function returns the four terms, the formula their sum."""
    yield a, {"S[]": outputs[0].sum(axis=0)}
