"""How the formula of the gradient of learned positions is read."""

import numpy as np

from transformer_math.formulas.cases import pulled_back
from transformer_math.formulas.reading import reading
from transformer_math.gradient.learned import add_learned_position_vjp


@reading("eq-learned-position-vjp")
def every_sequence_of_the_batch(a, outputs, arguments):
    """The formula speaks of a batch: here, of three sequences of one length."""
    X, P = arguments["X"], arguments["P"]
    batch = {"X": np.stack([X, X, X]), "P": P}
    _, dZ, (dX, dP) = pulled_back(add_learned_position_vjp, batch)
    yield {"dZ": dZ, "n": len(X), "L": len(P)}, {"dX": dX, "dP": dP}
