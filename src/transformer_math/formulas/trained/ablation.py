"""How the formulas of heads and their gates are read."""

import numpy as np

from transformer_math.formulas.reading import reading


@reading("eq-gated-heads")
def sum_of_gated_heads(a, outputs, arguments):
    """O_h is what head h found: the function changes the matrix that it meets."""
    gates, W_O = arguments["gates"], arguments["W_O"]
    H, (rows, d_model) = len(gates), W_O.shape
    O = np.random.default_rng(rows).normal(size=(H, 3, rows // H))
    b = np.linspace(-1, 1, d_model)
    given = {"O[]": O, "xi": gates, "W^O": W_O.reshape(H, -1, d_model), "b^O": b}
    side_by_side = np.swapaxes(O, 0, 1).reshape(3, rows)
    yield given, {"O'": side_by_side @ outputs[0] + b}


@reading("eq-gate-slopes")
def matrix_of_each_head(a, outputs, arguments):
    """G is the gradient of W^O, in each head's rows."""
    H = arguments["n_heads"]
    W, G = (
        arguments[name].reshape(H, -1, arguments["W_O"].shape[1])
        for name in ("W_O", "gradient")
    )
    yield {"W^O": W, "G": G}, {"∂mathcal:L/∂xi[]": outputs[0]}
