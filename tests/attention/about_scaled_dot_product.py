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

WRONG = [
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
