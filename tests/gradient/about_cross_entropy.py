"""What the tests of all ideas ask of `gradient/cross_entropy`."""

import numpy as np

from transformer_math.gradient import cross_entropy_vjp

REFUSED = [
    (cross_entropy_vjp, "the targets run", {"targets": np.array([0, -1, 10])}),
    (cross_entropy_vjp, "the targets run", {"targets": np.array([0, 11, 10])}),
    (cross_entropy_vjp, "the weights hold", {"weights": np.array([1.0, -1.0, 2.0])}),
    (cross_entropy_vjp, "the weights hold", {"weights": np.zeros(3)}),
]

EQUIVALENT = {
    "cross_entropy_vjp": {
        "np.take_along_axis(log_p, targets[..., None], axis=-1) → np.take_along_axis(log_p, targets[..., None])": "NumPy's default axis is the last one.",
    },
}
