"""What the tests of all ideas ask of `gradient/fasttext`."""

import numpy as np

from transformer_math.gradient import expected_sampling_loss_vjp, sum_of_ngrams_vjp

REFUSED = [
    (sum_of_ngrams_vjp, "outside 0..2", {"rows": np.array([2, 0, 3])}),
    (sum_of_ngrams_vjp, "do not count up", {"owners": np.array([0, 2, 2])}),
    (expected_sampling_loss_vjp, "negative count", {"X": -np.ones((7, 11))}),
]
