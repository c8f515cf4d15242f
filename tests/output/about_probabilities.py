"""What the tests of all ideas ask of `output/probabilities`."""

import numpy as np
from example_values import Z, normal

from transformer_math.attention import softmax
from transformer_math.output import log_softmax, logits, probabilities

EXAMPLES = {
    logits: {"Z": Z, "W_out": normal(4, 11), "b_out": normal(11)},
}

ACCEPTED = {
    log_softmax: {"x": {"longer"}},
    probabilities: {"logits": {"longer"}},
    logits: {"b_out": {"number"}},
}

OTHER_DEFAULTS = {
    logits: {"b_out": 1.0},
}

RIGHT = [
    (logits, lambda Z, W_out, b_out=0: Z @ W_out + b_out),
    (logits, lambda Z, W, b: np.einsum("...d,dv->...v", Z, W) + b),
    (probabilities, lambda logits, temperature=1: softmax(1 / temperature * logits)),
    (probabilities, lambda logits, T: softmax(logits / T).tolist()),
]

WRONG = [
    (logits, lambda Z, W, b=0.0: Z @ W, "You forget the bias"),
    (logits, lambda Z, W: Z @ W, "Your function takes 2 of 3 arguments"),
    (logits, lambda Z, W, b=0.0: probabilities(Z @ W + b), "You return probabilities"),
    (logits, lambda Z, W, b=0.0: Z[..., -1, :] @ W + b, "it gave"),
    (
        logits,
        lambda Z, W, b=0.0: (Z @ W + b) / np.sqrt(Z.shape[-1]),
        "In each case your numbers are the ones wanted",
    ),
    (
        probabilities,
        lambda l, temperature=1.0: probabilities(l),
        "You ignore the temperature",
    ),
    (
        probabilities,
        lambda l, temperature=0.7: probabilities(l, temperature),
        "Your function is right where `temperature` is given",
    ),
    (
        probabilities,
        lambda l, temperature=1.0: (
            np.exp(l / temperature) / np.exp(l / temperature).sum()
        ),
        "it gave",
    ),
    (
        probabilities,
        lambda l, temperature=1.0: probabilities(l) ** (1 / temperature),
        "it gave",
    ),
    (
        probabilities,
        lambda l, temperature=1.0: np.log(probabilities(l, temperature)),
        "it gave",
    ),
    (probabilities, lambda l: softmax(l), "Your function takes 1 of 2 arguments"),
    (
        probabilities,
        lambda l, temperature=1.0: (
            np.exp(l / temperature) / np.exp(l / temperature).sum(axis=0)
        ),
        "Your softmax runs down the first axis, axis=0",
    ),
    (
        log_softmax,
        lambda x: x - x.max(0) - np.log(np.exp(x - x.max(0)).sum(0)),
        "along the first axis, axis=0",
    ),
]
