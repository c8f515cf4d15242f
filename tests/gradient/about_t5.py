"""What the tests of all ideas ask of `gradient/t5`."""

import numpy as np

from transformer_math.gradient import t5_bias_vjp, t5_causal_bias_vjp

REFUSED = [
    (t5_bias_vjp, "multiple of 4 rows", {"table": np.ones((6, 2))}),
    (t5_bias_vjp, "a quarter of the rows", {"max_distance": 2}),
    (t5_causal_bias_vjp, "even number of rows", {"table": np.ones((5, 2))}),
    (t5_causal_bias_vjp, "half of the rows", {"max_distance": 2}),
]
