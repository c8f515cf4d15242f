"""What the tests of all ideas ask of `gradient/probabilities`."""

import numpy as np
from answer_helpers import changing, pulling

from transformer_math.attention import softmax
from transformer_math.gradient import log_softmax_vjp, probabilities_vjp


def log_softmax_by_jacobian(x):
    p = softmax(x)
    slopes = np.eye(x.shape[-1]) - p[..., None, :]
    return np.log(p), lambda g: ((g[..., None, :] @ slopes)[..., 0, :],)


REFUSED = [
    (log_softmax_vjp, "a row holds", {"x": np.array([[0.0], [-np.inf]])}),
    (
        probabilities_vjp,
        "the temperature is",
        {"logits": np.array([1e300, 0.0]), "temperature": 1e-300},
    ),
]

RIGHT = [
    (log_softmax_vjp, log_softmax_by_jacobian),
]

WRONG = [
    (
        log_softmax_vjp,
        pulling(log_softmax_vjp, lambda g, x: (g - softmax(x) * g,)),
        "the gradient of `",
    ),
    (
        probabilities_vjp,
        changing(probabilities_vjp, lambda dlogits: (dlogits / 2,)),
        "the gradient of `",
    ),
]
