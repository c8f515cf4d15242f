"""What the tests of all ideas ask of `attention/softmax`."""

import numpy as np
from answer_helpers import transposed

from transformer_math.attention import (
    entropy,
    softmax,
    softmax_jacobian,
)

ACCEPTED = {
    softmax: {"x": {"longer"}},
    softmax_jacobian: {"weights": {"longer"}},
    entropy: {"weights": {"longer"}},
}

NO_TWIN = {
    entropy: "describes what was computed, for somebody to look at",
    softmax_jacobian: "is a derivative itself",
}

RIGHT = [
    (softmax, lambda x: np.exp(x - np.logaddexp.reduce(x, axis=-1, keepdims=True))),
    (softmax, lambda x: softmax(x).tolist()),
    (
        softmax,
        lambda x: np.apply_along_axis(
            lambda r: np.exp(r - max(r)) / sum(np.exp(r - max(r))), -1, x
        ),
    ),
]

ALONG_ANOTHER_AXIS = "Your numbers sum to 1 along axis 0; wanted along the last one"

WRONG = [
    (
        entropy,
        lambda w: -np.sum(w * np.log2(w + 1e-9), axis=-1),
        "You add 10⁻⁹ before the logarithm",
    ),
    (
        softmax,
        lambda x: np.exp(x - x.max()) / np.exp(x - x.max()).sum(-1, keepdims=True),
        "You take the largest score of the whole array",
    ),
    (
        softmax,
        lambda x: np.exp(x - x.max(-1)) / np.exp(x - x.max(-1)).sum(-1),
        "NumPy cannot bring two of your shapes together",
    ),
    (
        softmax,
        lambda x: (
            np.exp(x - x.mean(-1, keepdims=True))
            / np.exp(x - x.mean(-1, keepdims=True)).sum(-1, keepdims=True)
        ),
        "Your result holds NaN, for 0/0, ∞ − ∞",
    ),
    (
        softmax,
        lambda x: softmax(x).astype(np.float32),
        "The formula is right, the precision is not",
    ),
    (
        softmax,
        lambda x: x / x.sum(-1, keepdims=True),
        "You divide the scores by their sum",
    ),
    (softmax, lambda x: np.exp(x) / np.exp(x).sum(axis=0), ALONG_ANOTHER_AXIS),
    (
        softmax,
        lambda x: np.exp(x - np.max(x)) / np.exp(x - np.max(x)).sum(axis=0),
        ALONG_ANOTHER_AXIS,
    ),
    (
        softmax,
        lambda x: (
            np.exp(x - x.max(-1, keepdims=True))
            / np.exp(x - x.max(-1, keepdims=True)).sum(0)
        ),
        ALONG_ANOTHER_AXIS,
    ),
    (softmax, lambda x: 1 / (1 + np.exp(-x)), "it gave"),
    (
        softmax,
        lambda x: transposed(softmax(x)),
        "Your result is the transpose of the one wanted",
    ),
    (softmax, lambda x: softmax(-x), "it raised ValueError: x holds inf"),
    (softmax, lambda x: np.round(softmax(x), 3), "it gave"),
    (softmax, lambda x: softmax(x).tolist()[0], "it gave"),
]


EQUIVALENT_FORMULAS = {
    "eq-softmax-jacobian": {
        "\\delta_{ji}": "δ is symmetric",
    },
}

# ---- what the edits of its formula compute, in NumPy, and what is said of those that are recognised ----


def numpy_softmax(x, axis=-1):
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def log_softmax(x):
    return np.log(numpy_softmax(x))


def by_row(f):
    return lambda x: {"result": np.stack([f(row) for row in x])}


EDITS = {
    "eq-softmax": {
        "": (by_row(numpy_softmax), None),
        "Powers of 2": (by_row(lambda x: numpy_softmax(x * np.log(2))), 'powers of 2'),
        "Without the exponential": (by_row(lambda x: x / x.sum()), 'exponentiate them first'),
        "The logarithm": (by_row(log_softmax), 'the logarithm of the weights'),
        "Temperature 2": (by_row(lambda x: numpy_softmax(x / 2)), 'temperature 2'),
        "Subtract above only": (by_row(lambda x: numpy_softmax(x) / np.exp(x.max())), 'above the fraction bar alone'),
        "Subtract the smallest": (by_row(numpy_softmax), None),
        "Forget the sum": (None, None),
    }
}  # fmt: skip
