"""What the tests of all ideas ask of `gradient/relative`."""

import numpy as np

from transformer_math.gradient import (
    relative_attention_vjp,
    relative_scores_vjp,
    skew_vjp,
)

REFUSED = [
    (skew_vjp, "n rows and 2n - 1 columns", {"R": np.ones((3, 4))}),
    (relative_scores_vjp, "odd number of rows", {"a_K": np.ones((4, 4))}),
    (
        relative_attention_vjp,
        "odd number of rows",
        {"a_K": np.ones((4, 4)), "a_V": np.ones((4, 2))},
    ),
]

EQUIVALENT = {
    "relative_scores_vjp": {
        "np.clip(np.arange(1 - n, n), -k, k) → np.clip(-k, np.arange(1 - n, n), k)": "The larger of the two comes first in either order, then the smaller of that and k.",
    },
}
