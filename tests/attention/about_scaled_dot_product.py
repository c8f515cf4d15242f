"""What the tests of all ideas ask of `attention/scaled_dot_product`."""

import math

import numpy as np
from answer_helpers import attention_by_einsum, transposed

from transformer_math.attention import attention, dot_product_variance, scores, softmax

ACCEPTED = {
    attention: {"V": {"longer"}},
}

NO_TWIN = {
    dot_product_variance: "made of sizes, of positions and of a base, all of them given",
}

RIGHT = [
    (scores, lambda Q, K: np.einsum("...nd,...md->...nm", Q, K) / Q.shape[-1] ** 0.5),
    (
        scores,
        lambda queries, keys: (queries / math.sqrt(keys.shape[-1])) @ transposed(keys),
    ),
    (attention, lambda Q, K, V, mask=None: list(attention(Q, K, V, mask))),
    (attention, attention_by_einsum),
    (attention, lambda Q, K, V, mask: attention(Q, K, V, mask)),
]


def normalised_down(Q, K, V, mask=None):
    S = scores(Q, K)
    S = S if mask is None else np.where(mask, S, -np.inf)
    powers = np.exp(S - S.max(axis=-1, keepdims=True))
    A = powers / powers.sum(axis=0)
    return A @ V, A


WRONG = [
    (
        attention,
        normalised_down,
        "Your numbers sum to 1 along axis 0; wanted along the last one",
    ),
    (
        scores,
        lambda Q, K: Q @ transposed(K) / math.sqrt(64),
        "In each case your numbers are the ones wanted",
    ),
    (
        scores,
        lambda Q, K: Q @ transposed(K) / np.sqrt(Q.shape[-2] * Q.shape[-1]),
        "In each case your numbers are the ones wanted",
    ),
    (scores, lambda Q, K: -scores(Q, K), "Your numbers have the wrong sign"),
    (
        scores,
        lambda Q, K: scores(Q, K) * 2,
        "Your numbers are the ones wanted, times 2 throughout",
    ),
    (
        scores,
        lambda Q, K: scores(Q.astype(np.float32), K.astype(np.float32)),
        "The formula is right, the precision is not",
    ),
    (scores, lambda Q, K: transposed(scores(Q, K)), "Your scores stand on their side"),
    (scores, lambda Q, K: softmax(scores(Q, K)), "You take the softmax already"),
    (
        scores,
        lambda Q, K: Q @ transposed(K) / (Q.shape[-1] * 0.5),
        "In each case your numbers are the ones wanted",
    ),
    (
        attention,
        lambda Q, K, V, mask=None: attention(Q, K, V, mask)[0],
        "You return only the first of two results",
    ),
    (
        attention,
        lambda Q, K, V, mask=None: attention(Q, K, V, mask)[::-1],
        "Your two results have changed places",
    ),
    (
        attention,
        lambda Q, K, V: attention(Q, K, V),
        "Your function takes 3 of 4 arguments",
    ),
    (attention, lambda Q, K, V, mask=None: attention(Q, K, V), "You ignore the mask"),
    (
        attention,
        lambda Q, K, V, mask=None: (lambda A: (A @ V, A))(
            softmax(
                (
                    Q @ transposed(K)
                    if mask is None
                    else np.where(mask, Q @ transposed(K), -1000000000.0)
                )
                / np.sqrt(Q.shape[-1])
            )
        ),
        "You mask with a large negative number such as",
    ),
    (
        attention,
        lambda Q, K, V, mask=None: (lambda A: (A @ V, A))(
            softmax(
                Q @ transposed(K) / np.sqrt(Q.shape[-1])
                + (0 if mask is None else np.where(mask, 0, -10000.0))
            )
        ),
        "You add a negative number such as −1e4 to",
    ),
    (
        attention,
        lambda Q, K, V, mask=None: (attention(Q, K, V, mask)[0], scores(Q, K)),
        "it gave",
    ),
    (
        attention,
        lambda Q, K, V, mask=None: tuple(
            x.astype(np.float32) for x in attention(Q, K, V, mask)
        ),
        "The formula is right, the precision is not",
    ),
    (
        attention,
        lambda Q, K, V, mask=None: (
            attention(Q, K, V, mask)[0],
            attention(Q, K, V, mask)[1] * np.nan,
        ),
        "Your result holds NaN, for 0/0, ∞ − ∞",
    ),
    (
        attention,
        lambda Q, K, V, mask=None: (
            attention(K, Q, V, mask) if Q.shape == K.shape else attention(Q, K, V, mask)
        ),
        "it gave",
    ),
]

# ---- what the edits of its formula compute, in NumPy, and what is said of those that are recognised ----


def numpy_softmax(x, axis=-1):
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def attended(weights):
    def run(Q, K, V):
        A = weights(Q @ K.T, np.sqrt(Q.shape[1]))
        return {"A": A, "O": A @ V}

    return run


EDITS = {
    "eq-attention": {
        "": (attended(lambda S, root: numpy_softmax(S / root, axis=1)), None),
        "Without √dₖ": (attended(lambda S, root: numpy_softmax(S, axis=1)), 'forget to divide the scores by √d_k'),
        "Divide by dₖ": (attended(lambda S, root: numpy_softmax(S / root**2, axis=1)), 'divide by d_k; wanted its square root'),
        "Softmax over the queries": (attended(lambda S, root: numpy_softmax(S / root, axis=0)), 'runs over the queries'),
        "Scale after softmax": (attended(lambda S, root: numpy_softmax(S, axis=1) / root), 'after softmax; the scores are divided'),
        "Mask before softmax": (attended(lambda S, root: numpy_softmax(np.where(np.tri(12, 13, 1, dtype=bool), S / root, -np.inf), axis=1)), 'Another right formula'),
        "Mask after softmax": (attended(lambda S, root: np.tri(12, 13, 1, dtype=bool) * numpy_softmax(S / root, axis=1)), 'You mask after softmax'),
        "Without softmax": (attended(lambda S, root: S / root), 'leave out the softmax'),
        "Forget the ⊤": (None, None),
    }
}  # fmt: skip
