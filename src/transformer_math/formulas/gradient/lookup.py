"""How the formulas of the embeddings' gradients are read."""

import numpy as np

from transformer_math.formulas.cases import pulled_back
from transformer_math.formulas.reading import reading
from transformer_math.gradient.lookup import add_position_vjp


@reading("eq-add-position-vjp")
def every_sequence_of_the_batch(a, outputs, arguments):
    """The formula speaks of a batch: here, of three sequences that are alike."""
    X, P = arguments["X"], arguments["P"]
    batch = {"X": np.stack([X, X, X]), "P": P}
    _, dZ, (dX, dP) = pulled_back(add_position_vjp, batch)
    yield {"dZ": dZ}, {"dX": dX, "dP": dP}
