"""How the formulas of the gradients at the end of the model are read."""

import numpy as np

from transformer_math.formulas.reading import with_arguments


@with_arguments("eq-logits-vjp")
def bias_of_every_token(arguments):
    """The formula speaks of a bias that is a vector."""
    b = np.broadcast_to(arguments.get("b_out", 0.0), arguments["W_out"].shape[1:])
    return arguments | {"b_out": b.astype(float)}
