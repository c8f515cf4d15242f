"""Checks of permutations: by PyTorch's indexing, by counting, and of attention, whose outputs move with their tokens."""

from collections import Counter

import numpy as np
import torch

from transformer_math.attention.scaled_dot_product import attention
from transformer_math.checks.attention.scaled_dot_product import (
    torch_attention,
)
from transformer_math.checks.compare import difference
from transformer_math.checks.registry import check
from transformer_math.checks.sampling import batch, size
from transformer_math.position.equivariance import (
    bag_of_words,
    permutation_matrix,
    permute_mask,
    permuted_attention,
)


def permutation(rng, n):
    """A random order that is not its own inverse, where there is one: inverse and transpose then show."""
    order = np.roll(np.arange(n), 1)
    return order if n == 3 else rng.permutation(n)


@check(
    permutation_matrix,
    equation="eq-permutation-matrix",
    symbols={"order": "o"},
    oracle="torch.index_select on the rows of an identity",
)
def permutation_equals_index_select(permutation_matrix, rng):
    order = permutation(rng, size(rng, mostly=3))
    rows = torch.eye(len(order), dtype=torch.float64)
    return difference(
        permutation_matrix(order), torch.index_select(rows, 0, torch.from_numpy(order))
    )


permutation_equals_index_select.excuses(
    "an order holds every place once", "a number twice in order"
)


@permutation_equals_index_select.rejects(
    "Your matrix is the transpose: it carries row i to place order[i]; wanted row order[i] at place i."
)
def carried_away(order):
    return np.eye(len(order))[order].T


@permutation_equals_index_select.rejects(
    "Your matrix counts places from the end: row 0 of the result is row order[0]."
)
def from_the_end(order):
    return np.eye(len(order))[order[::-1]]


@check(
    permute_mask,
    equation="eq-permuted-mask",
    symbols={"order": "o"},
    oracle="Python's lists, entry by entry",
)
def mask_moves_entry_by_entry(permute_mask, rng):
    n = size(rng, mostly=3)
    order, mask = permutation(rng, n), rng.random((n, n)) < 0.5
    wanted = [[bool(mask[i, j]) for j in order] for i in order]
    return difference(permute_mask(mask, order), np.array(wanted).reshape(n, n))


mask_moves_entry_by_entry.excuses(
    "an order holds every place once", "a number twice in order"
)


@mask_moves_entry_by_entry.rejects(
    "Your queries move and your keys stay: permute the columns as well."
)
def rows_alone(mask, order):
    return mask[order]


@mask_moves_entry_by_entry.rejects(
    "Your keys move and your queries stay: permute the rows as well."
)
def columns_alone(mask, order):
    return mask[:, order]


@mask_moves_entry_by_entry.rejects(
    "You permute by the inverse order: place i of the result holds token order[i]."
)
def mask_by_the_inverse(mask, order):
    return permute_mask(mask, np.argsort(order))


@mask_moves_entry_by_entry.rejects(
    "Your mask is transposed: rows are queries, before and after."
)
def mask_transposed(mask, order):
    return permute_mask(mask, order).T


@check(
    bag_of_words,
    equation="eq-bag-of-words",
    oracle="Python's Counter",
)
def bag_equals_counter(bag_of_words, rng):
    vocab_size = size(rng)
    ids = rng.integers(vocab_size, size=size(rng))
    counts = Counter(ids.tolist())
    return difference(
        bag_of_words(ids, vocab_size), [counts[v] for v in range(vocab_size)]
    )


@bag_equals_counter.rejects(
    "You only say whether a token occurs; wanted how often: a token that occurs twice counts 2."
)
def present_or_not(ids, vocab_size):
    return np.minimum(bag_of_words(ids, vocab_size), 1)


@bag_equals_counter.rejects(
    "You give shares; wanted counts, whole numbers that sum to the length of the text."
)
def shares(ids, vocab_size):
    return bag_of_words(ids, vocab_size) / len(ids)


@bag_equals_counter.rejects(
    "Your counts end at the largest id of the text; wanted one for every token of the vocabulary, 0 for those that do not occur."
)
def cut_at_the_largest_id(ids, vocab_size):
    return np.bincount(ids)


@check(
    permuted_attention,
    equation="eq-equivariance",
    oracle="torch.nn.functional.scaled_dot_product_attention before the permutation, and torch.index_select after it",
)
def outputs_move_with_their_tokens(permuted_attention, rng):
    lead, n, d_k, d_v = batch(rng), size(rng, mostly=3), size(rng), size(rng)
    Q, K = rng.normal(size=(2, *lead, n, d_k))
    V = rng.normal(size=(*lead, n, d_v))
    order = permutation(rng, n)
    output, _ = torch_attention(Q, K, V)
    wanted = torch.index_select(output, -2, torch.from_numpy(order))
    return difference(permuted_attention(Q, K, V, order), wanted)


outputs_move_with_their_tokens.excuses(
    "an order holds every place once", "a number twice in order"
)


@outputs_move_with_their_tokens.rejects(
    "Your tokens stay where they are: the outputs come in the new order."
)
def tokens_stay(Q, K, V, order):
    return attention(Q, K, V)[0]


@outputs_move_with_their_tokens.rejects(
    "You permute by the inverse order: row i of the output belongs to token order[i]."
)
def moved_by_the_inverse(Q, K, V, order):
    return permuted_attention(Q, K, V, np.argsort(order))


@outputs_move_with_their_tokens.rejects(
    "Your keys move without their values: a weight then meets another token's value. Permute V as well."
)
def keys_without_their_values(Q, K, V, order):
    return attention(Q[..., order, :], K[..., order, :], V)[0]


@outputs_move_with_their_tokens.rejects(
    "Your attention knows its places: something in it depends on the row, as positions do that were added on the way."
)
def knows_its_places(Q, K, V, order):
    place = np.arange(K.shape[-2])[:, None] / K.shape[-2]
    return attention(Q[..., order, :], K[..., order, :] + place, V[..., order, :])[0]


@outputs_move_with_their_tokens.rejects(
    "Your attention is causal: a mask belongs to places, so the outputs do not simply move along."
)
def always_causal(Q, K, V, order):
    moved = (x[..., order, :] for x in (Q, K, V))
    return attention(*moved, np.tri(len(order), dtype=bool))[0]
