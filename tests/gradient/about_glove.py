"""What the tests of all ideas ask of `gradient/glove`."""

import numpy as np

from transformer_math.gradient import glove_loss_vjp

REFUSED = [
    (glove_loss_vjp, "negative count", {"X": -np.ones((3, 5))}),
]

EQUIVALENT = {
    "glove_loss_vjp": {
        "np.where(X > 0, X, 1) → np.where(X > 0, X, 2)": "The weight of a pair that was never counted is 0, whatever stands in its logarithm.",
    },
}
