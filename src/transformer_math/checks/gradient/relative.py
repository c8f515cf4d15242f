"""Checks of the pullbacks of relative positions."""

import numpy as np
import torch

from transformer_math.checks.gradients import (
    check_gradient,
    reject_careless_inputs,
    rejects_pullback,
)
from transformer_math.checks.position.relative import (
    attention_case,
    by_offset,
    queries_keys_values_tables,
    row_of,
)
from transformer_math.checks.sampling import size
from transformer_math.checks.wrong import reject_careless_masks
from transformer_math.gradient.relative import (
    relative_attention_vjp,
    relative_scores_vjp,
    skew_vjp,
)
from transformer_math.position.relative import (
    clipped_offsets,
    relative_attention,
    unskew,
)


def torch_skew(R):
    n = R.shape[-2]
    rows = [R[..., i, n - 1 - i : 2 * n - 1 - i] for i in range(n)]
    return torch.stack(rows, dim=-2)


def torch_rows(n, table):
    """The vector of every pair: (n, n, d)."""
    limit = len(table) // 2
    rows = [[row_of(i, j, limit) for j in range(n)] for i in range(n)]
    return table[torch.tensor(rows)]


def torch_scores(Q, K, a_K):
    of_place = torch.einsum("...id,ijd->...ij", Q, torch_rows(Q.shape[-2], a_K))
    return (Q @ K.mT + of_place) / Q.shape[-1] ** 0.5


def torch_attention(Q, K, V, a_K, a_V, mask=None):
    S = torch_scores(Q, K, a_K)
    if mask is not None:
        S = S.masked_fill(~torch.from_numpy(mask), -torch.inf)
    A = S.softmax(dim=-1)
    return A @ V + torch.einsum("...ij,ijd->...id", A, torch_rows(V.shape[-2], a_V))


skew_as_autograd, skew_as_differences = check_gradient(
    skew_vjp,
    equation="eq-skew-vjp",
    symbols={"return": "S"},
    function=torch_skew,
    draw=lambda rng: (by_offset(rng, size(rng)),),
    cases=16,
)


@rejects_pullback(
    skew_as_autograd,
    "You do not shift back: what left column n − 1 + j − i of row i must arrive there.",
)
def not_shifted_back(dS, R):
    wide = np.zeros_like(R)
    wide[..., dS.shape[-1] - 1 :] = dS
    return (wide,)


@rejects_pullback(
    skew_as_differences,
    "You shift the gradient the wrong way: row 0 begins with n − 1 zeros, the last row with none.",
)
def shifted_the_wrong_way(dS, R):
    return (unskew(dS[..., ::-1, :])[..., ::-1, :],)


def scores_case(rng):
    Q, K, _, a_K, _ = queries_keys_values_tables(rng)
    return Q, K, a_K


scores_as_autograd, scores_as_differences = check_gradient(
    relative_scores_vjp,
    equation="eq-relative-scores-vjp",
    symbols={"return": "S"},
    function=torch_scores,
    draw=scores_case,
    cases=24,
)
reject_careless_inputs(scores_as_autograd, ("Q", "K", "a_K"))


def collected(table, by_pair):
    """What all pairs bring to the rows of a table."""
    rows = clipped_offsets(by_pair.shape[-2], len(table) // 2)
    summed = np.zeros_like(table)
    np.add.at(summed, rows, by_pair)
    return summed


@rejects_pullback(
    scores_as_autograd,
    "Your queries hear nothing of the table: they met K + a_K, so dQ has both in it.",
)
def queries_without_the_table(dS, Q, K, a_K):
    _, pullback = relative_scores_vjp(Q, K, a_K)
    return dS @ K / np.sqrt(Q.shape[-1]), *pullback(dS)[1:]


@rejects_pullback(
    scores_as_autograd,
    "Rows are overwritten in your version: all pairs of one offset add to its row, np.add.at and not +=.",
)
def rows_overwritten(dS, Q, K, a_K):
    n, k = Q.shape[-2], len(a_K) // 2
    dQ, dK, _ = relative_scores_vjp(Q, K, a_K)[1](dS)
    by_offset = unskew(dS).reshape(-1, 2 * n - 1).T @ Q.reshape(-1, Q.shape[-1])
    da_K = np.zeros_like(a_K)
    da_K[k + np.clip(np.arange(1 - n, n), -k, k)] += by_offset / np.sqrt(Q.shape[-1])
    return dQ, dK, da_K


@rejects_pullback(
    scores_as_differences,
    "The scale is lost: the scores were divided by √d_k, so the gradients are too.",
)
def scale_lost(dS, Q, K, a_K):
    dQ, dK, da_K = relative_scores_vjp(Q, K, a_K)[1](dS)
    root = np.sqrt(Q.shape[-1])
    return dQ * root, dK * root, da_K * root


@rejects_pullback(
    scores_as_differences,
    "The gradients of your table are turned round: row 0 belongs to the keys farthest before the query.",
)
def table_turned_round(dS, Q, K, a_K):
    dQ, dK, da_K = relative_scores_vjp(Q, K, a_K)[1](dS)
    return dQ, dK, da_K[::-1]


attention_as_autograd, attention_as_differences = check_gradient(
    relative_attention_vjp,
    equation="eq-relative-attention-vjp",
    symbols={"return": "O"},
    function=torch_attention,
    draw=attention_case,
    wrt=("Q", "K", "V", "a_K", "a_V"),
    cases=24,
)
reject_careless_inputs(attention_as_autograd, ("Q", "K", "V", "a_K", "a_V"))
reject_careless_masks(attention_as_autograd, "the attention, forward and back")


@rejects_pullback(
    attention_as_autograd,
    "Your weights hear nothing of the values' table: dA is dO times V + a_V.",
)
def weights_without_the_table(dO, Q, K, V, a_K, a_V, mask):
    _, A = relative_attention(Q, K, V, a_K, a_V, mask)
    _, _, dV, _, da_V = relative_attention_vjp(Q, K, V, a_K, a_V, mask)[1](dO)
    dA = dO @ V.mT
    dS = A * (dA - (A * dA).sum(axis=-1, keepdims=True))
    dQ, dK, da_K = relative_scores_vjp(Q, K, a_K)[1](dS)
    return dQ, dK, dV, da_K, da_V


@rejects_pullback(
    attention_as_differences,
    "The table of your values gets dO without the weights: each pair adds A_ij dO_i to its row.",
)
def values_table_unweighted(dO, Q, K, V, a_K, a_V, mask):
    dQ, dK, dV, da_K, _ = relative_attention_vjp(Q, K, V, a_K, a_V, mask)[1](dO)
    n = Q.shape[-2]
    pairs = np.repeat(dO[..., :, None, :], n, axis=-2).reshape(-1, n, n, dO.shape[-1])
    return dQ, dK, dV, da_K, collected(a_V, pairs.sum(axis=0))
