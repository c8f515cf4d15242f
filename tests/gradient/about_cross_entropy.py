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
        "logits.reshape(-1, logits.shape[-1]) → logits.reshape(-2, logits.shape[-1])": "NumPy takes any negative size for the one that it has to find out.",
        "targets.reshape(-1, 1) → targets.reshape(-2, 1)": "NumPy takes any negative size for the one that it has to find out.",
        "rows.argmax(axis=-1) → rows.argmax(axis=1)": "The array has two axes: the last one is axis 1.",
        "np.take_along_axis(rows, best, axis=-1) → np.take_along_axis(rows, best)": "NumPy's default axis is the last one.",
        "np.take_along_axis(rows, best, axis=-1) → np.take_along_axis(rows, best, axis=1)": "The array has two axes: the last one is axis 1.",
        "p.mean(axis=-1, keepdims=True) → p.mean(axis=1, keepdims=True)": "The array has two axes: the last one is axis 1.",
        "p.sum(axis=-1, keepdims=True) → p.sum(axis=1, keepdims=True)": "The array has two axes: the last one is axis 1.",
    },
}
