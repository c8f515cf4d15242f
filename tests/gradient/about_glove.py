"""What the tests of all ideas ask of `gradient/glove`."""

import numpy as np

from transformer_math.gradient import glove_loss_vjp

REFUSED = [
    (glove_loss_vjp, "negative count", {"X": -np.ones((3, 5))}),
]
