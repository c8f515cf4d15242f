"""What the tests of all ideas ask of `position/equivariance`."""

import numpy as np

from transformer_math.attention import attention
from transformer_math.position import (
    bag_of_words,
    permutation_matrix,
    permute_mask,
    permuted_attention,
)

NO_TWIN = {
    permuted_attention: "attention has one, and rows that change places on the way there change back on the way home"
}

ACCEPTED = {bag_of_words: {"ids": {"longer"}}, permuted_attention: {"V": {"longer"}}}

RIGHT = [
    (permuted_attention, lambda Q, K, V, order: attention(Q, K, V)[0][..., order, :]),
    (
        permuted_attention,
        lambda Q, K, V, order: permutation_matrix(order) @ attention(Q, K, V)[0],
    ),
    (permutation_matrix, lambda order: np.eye(len(order))[order, :]),
    (
        permutation_matrix,
        lambda order: [[float(o == j) for j in range(len(order))] for o in order],
    ),
    (permute_mask, lambda mask, order: mask[order][:, order]),
    (
        permute_mask,
        lambda mask, order: (
            np.eye(len(order))[order] @ mask @ np.eye(len(order))[order].T > 0.5
        ),
    ),
    (bag_of_words, lambda ids, V: [int((ids == v).sum()) for v in range(V)]),
    (bag_of_words, lambda ids, V: np.eye(V, dtype=int)[ids].sum(axis=0)),
]

WRONG = [
    (permuted_attention, lambda Q, K, V, order: attention(Q, K, V)[0], "tokens stay"),
    (
        permuted_attention,
        lambda Q, K, V, order: attention(Q[..., order, :], K, V[..., order, :])[0],
        "it gave",
    ),
    (
        permuted_attention,
        lambda Q, K, V, order: attention(Q, K[..., order, :], V[..., order, :])[0],
        "tokens stay",
    ),
    (
        permuted_attention,
        lambda Q, K, V, order: attention(Q[..., order, :], K[..., order, :], V)[0],
        "without their values",
    ),
    (permuted_attention, lambda Q, K, V, order: V[..., order, :], "it gave"),
    (permutation_matrix, lambda order: np.eye(len(order)), "it gave"),
    (permutation_matrix, lambda order: np.eye(len(order))[::-1], "it gave"),
    (
        permutation_matrix,
        lambda order: np.eye(len(order))[:, order],
        "it carries row i",
    ),
    (permutation_matrix, lambda order: 2 * np.eye(len(order))[order], "times 2"),
    (permutation_matrix, lambda order: order, "it gave"),
    (permute_mask, lambda mask, order: mask, "it gave"),
    (permute_mask, lambda mask, order: mask[order, order], "it gave"),
    (permute_mask, lambda mask, order: ~mask[np.ix_(order, order)], "it gave"),
    (permute_mask, lambda mask, order: mask[order], "permute the columns"),
    (permute_mask, lambda mask, order: mask[:, order], "permute the rows"),
    (bag_of_words, lambda ids, V: len(ids), "it gave"),
    (bag_of_words, lambda ids, V: np.bincount(ids + 1, minlength=V + 1), "it gave"),
    (bag_of_words, lambda ids, V: np.unique(ids), "it gave"),
    (bag_of_words, lambda ids, V: np.bincount(ids, minlength=V)[::-1], "it gave"),
    (
        bag_of_words,
        lambda ids, V: (np.bincount(ids, minlength=V) > 0).astype(int),
        "whether a token occurs",
    ),
]
