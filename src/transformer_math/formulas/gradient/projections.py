"""How the formula of a projection's gradients is read."""

import numpy as np

from transformer_math.formulas.reading import with_arguments


@with_arguments("eq-projection-vjp")
def bias_of_every_column(arguments):
    """The formula speaks of a bias that is a vector."""
    b = np.broadcast_to(arguments["b"], arguments["W"].shape[1:])
    return arguments | {"b": b.astype(float)}
